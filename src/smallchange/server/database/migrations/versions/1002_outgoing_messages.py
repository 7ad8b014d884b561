"""Let messages to webhooks wait beside those of web push, and count deliveries that fail."""

import sqlalchemy as sa
from alembic import op

revision = "1002"
down_revision = "1001"


def upgrade() -> None:
    op.drop_index("push_message_due", "push_message")
    op.rename_table("push_message", "outgoing_message")
    op.execute("ALTER TABLE outgoing_message RENAME COLUMN subscription_id TO target")
    op.create_index("outgoing_message_due", "outgoing_message", ["due_at"])
    for name in ("webhook_failures", "mail_failures"):
        op.add_column("contact", sa.Column(name, sa.Integer, nullable=False, server_default="0"))
