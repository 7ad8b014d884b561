"""The difficulty by which the deal of a table was chosen."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.add_column("match", sa.Column("difficulty", sa.String(10), nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("match") as altered:
        altered.drop_column("difficulty")
