"""The seats from which the deals of leagues are played: two in a duplicate pair."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.rename_table("league_play", "old_league_play")
    _create(sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False))
    columns = "tournament_id, round, entry, match_id"
    op.execute(f"INSERT INTO league_play ({columns}, seat) SELECT {columns}, 0 FROM old_league_play")
    op.drop_table("old_league_play")


def downgrade() -> None:
    op.rename_table("league_play", "new_league_play")
    _create()
    columns = "tournament_id, round, entry, match_id"
    op.execute(f"INSERT INTO league_play ({columns}) SELECT {columns} FROM new_league_play WHERE seat = 0")
    op.drop_table("new_league_play")


def _create(*keys: sa.Column[int]) -> None:
    op.create_table(
        "league_play",
        sa.Column("tournament_id", sa.String(40), sa.ForeignKey("tournament.id"), primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entry", sa.Integer, primary_key=True, autoincrement=False),
        *keys,
        sa.Column("match_id", sa.String(40), nullable=False, unique=True),
    )
