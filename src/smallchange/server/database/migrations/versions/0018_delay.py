"""The delay of spectators."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

TABLES = ("match", "tournament")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("delay", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    for table in TABLES:
        with op.batch_alter_table(table) as altered:
            altered.drop_column("delay")
