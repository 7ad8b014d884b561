"""Contacts of accounts: a webhook, and an address for one mail a day."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "contact",
        sa.Column("account_id", sa.String(40), sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("webhook", sa.String(500), nullable=False),
        sa.Column("mail", sa.String(254), nullable=False),
        sa.Column("confirmed", sa.Boolean, nullable=False),
        sa.Column("mail_key", sa.String(64), nullable=False),
        sa.Column("hour", sa.Integer, nullable=False),
        sa.Column("zone", sa.String(60), nullable=False),
        sa.Column("lang", sa.String(5), nullable=False),
        sa.Column("next_at", sa.BigInteger),
    )
    op.create_index("contact_next", "contact", ["next_at"])
    op.create_index("contact_key", "contact", ["mail_key"])


def downgrade() -> None:
    op.drop_table("contact")
