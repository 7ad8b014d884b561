"""Note when a player is warned that time runs out, and what was mailed."""

import sqlalchemy as sa
from alembic import op

revision = "1003"
down_revision = "1002"


def upgrade() -> None:
    op.add_column("deadlines", sa.Column("warn_at", sa.BigInteger))
    op.create_index("deadlines_warn", "deadlines", ["warn_at"])
    op.add_column("notification", sa.Column("mailed_at", sa.BigInteger))
    op.add_column("contact", sa.Column("unseen_mails", sa.Integer, nullable=False, server_default="0"))
