"""Store the points of each seat. Matches that had ended before have none."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("seat", sa.Column("points", sa.Integer))


def downgrade() -> None:
    op.drop_column("seat", "points")
