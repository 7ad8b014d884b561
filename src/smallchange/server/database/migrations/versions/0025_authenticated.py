"""When a session last authenticated."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column("session", sa.Column("authenticated", sa.BigInteger, nullable=False, server_default="0"))


def downgrade() -> None:
    with op.batch_alter_table("session") as altered:
        altered.drop_column("authenticated")
