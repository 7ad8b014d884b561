"""Rounds whose end was told."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.add_column(
        "tournament_round", sa.Column("reminded", sa.Boolean, nullable=False, server_default=sa.false())
    )


def downgrade() -> None:
    with op.batch_alter_table("tournament_round") as altered:
        altered.drop_column("reminded")
