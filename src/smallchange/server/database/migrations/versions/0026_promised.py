"""The odds of a reviewed seat before its first choice."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.add_column("reviewed_seat", sa.Column("promised", sa.Float(53)))


def downgrade() -> None:
    op.drop_column("reviewed_seat", "promised")
