"""Notifications of players."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "notification",
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("match_id", sa.String(40), primary_key=True),
        sa.Column("kind", sa.String(10), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("read_at", sa.BigInteger),
        sa.Column("told_at", sa.BigInteger),
    )
    op.create_index("notification_match", "notification", ["match_id"])
    op.create_index("notification_told", "notification", ["told_at", "at"])


def downgrade() -> None:
    op.drop_table("notification")
