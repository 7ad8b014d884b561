"""Time controls of matches, the lag of events, deadlines, the leases of workers, and days off."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("match", sa.Column("control", sa.String(20)))
    op.add_column("event", sa.Column("lag", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "due",
        sa.Column("match_id", sa.String(40), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
    )
    op.create_index("due_at", "due", ["at"])
    op.create_table(
        "lease",
        sa.Column("role", sa.String(20), primary_key=True),
        sa.Column("holder", sa.String(40), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "day_off",
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("began", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("day_off")
    op.drop_table("lease")
    op.drop_table("due")
    op.drop_column("event", "lag")
    op.drop_column("match", "control")
