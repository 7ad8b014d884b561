"""Accounts that follow others."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.create_table(
        "follow",
        sa.Column("account_id", sa.String(40), sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("other_id", sa.String(40), sa.ForeignKey("account.id"), primary_key=True),
    )


def downgrade() -> None:
    op.drop_table("follow")
