"""Bots of strangers: an account of a bot has an owner."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("account", sa.Column("owner_id", sa.String(40)))
    op.create_index("account_owner", "account", ["owner_id"])


def downgrade() -> None:
    op.drop_index("account_owner", "account")
    op.drop_column("account", "owner_id")
