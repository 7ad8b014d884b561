"""Web push: browsers that take messages, messages that wait, and the server's own key."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "push_subscription",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("account_id", sa.String(40), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("session", sa.String(64), nullable=False),
        sa.Column("endpoint", sa.String(500), nullable=False),
        sa.Column("browser_key", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("lang", sa.String(5), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("visible_at", sa.BigInteger, nullable=False),
    )
    op.create_index("push_subscription_account", "push_subscription", ["account_id"])
    op.create_index("push_subscription_session", "push_subscription", ["session"])
    op.create_table(
        "push_message",
        sa.Column("subscription_id", sa.String(64), primary_key=True),
        sa.Column("match_id", sa.String(40), primary_key=True),
        sa.Column("kind", sa.String(10), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("due_at", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
    )
    op.create_index("push_message_due", "push_message", ["due_at"])
    op.create_table(
        "server_secret",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("value", sa.String(100), nullable=False),
    )


def downgrade() -> None:
    for name in ("server_secret", "push_message", "push_subscription"):
        op.drop_table(name)
