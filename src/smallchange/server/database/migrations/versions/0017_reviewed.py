"""The luck and the choices of reviewed seats."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "reviewed_seat",
        sa.Column("match_id", sa.String(40), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("luck", sa.Float(53), nullable=False),
        sa.Column("given", sa.Float(53), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("reviewed_seat")
