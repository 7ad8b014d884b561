"""The number of choices of a reviewed seat."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("reviewed_seat", sa.Column("choices", sa.Integer))


def downgrade() -> None:
    op.drop_column("reviewed_seat", "choices")
