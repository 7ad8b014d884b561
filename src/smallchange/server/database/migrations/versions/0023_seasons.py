"""Seasons with divisions."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.add_column("tournament", sa.Column("season", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tournament", sa.Column("previous_id", sa.String(40)))
    op.create_index("tournament_previous", "tournament", ["previous_id"], unique=True)
    op.add_column("tournament_entry", sa.Column("division", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("tournament_entry", "division")
    op.drop_index("tournament_previous", "tournament")
    op.drop_column("tournament", "previous_id")
    op.drop_column("tournament", "season")
