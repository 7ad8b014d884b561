"""Store accounts with their credentials and sessions, and attempts counted for all processes."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("folded", sa.String(160), nullable=False, unique=True),
        sa.Column("skeleton", sa.String(160), nullable=False, unique=True),
        sa.Column("holder", sa.String(64), nullable=False, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
    )
    op.create_table(
        "credential",
        sa.Column("id", sa.String(400), primary_key=True),
        sa.Column("account_id", sa.String(40), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("uses", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_index("credential_account", "credential", ["account_id", "kind"])
    op.create_table(
        "session",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("account_id", sa.String(40), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("agent", sa.String(200), nullable=False),
    )
    op.create_index("session_account", "session", ["account_id"])
    op.create_table(
        "challenge",
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("value", sa.String(120), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "attempt",
        sa.Column("key", sa.String(120), primary_key=True),
        sa.Column("period", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    for table in ("attempt", "challenge", "session", "credential", "account"):
        op.drop_table(table)
