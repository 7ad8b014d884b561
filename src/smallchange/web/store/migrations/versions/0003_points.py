"""What a match came to for each seat; of matches that had ended before, nothing is said."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("seat", sa.Column("points", sa.Integer))


def downgrade() -> None:
    op.drop_column("seat", "points")
