"""Remove the column `ended`: the events of a match say how it ended."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.drop_column("match", "ended")


def downgrade() -> None:
    op.add_column("match", sa.Column("ended", sa.Text))
