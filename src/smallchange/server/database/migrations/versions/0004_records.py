"""Store the record of an ended match as text, which no change of the rules makes unreadable."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("match", sa.Column("record", sa.Text))


def downgrade() -> None:
    op.drop_column("match", "record")
