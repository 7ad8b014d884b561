"""Tournaments with their entries, rounds and pairings."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "tournament",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("control", sa.String(20), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("minutes", sa.Integer, nullable=False),
        sa.Column("begins_at", sa.BigInteger, nullable=False),
        sa.Column("phase", sa.String(10), nullable=False),
        sa.Column("opener_id", sa.String(40), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
    )
    op.create_index("tournament_phase", "tournament", ["phase", "begins_at"])
    op.create_index("tournament_opener", "tournament", ["opener_id", "created"])
    op.create_table(
        "tournament_entry",
        sa.Column("tournament_id", sa.String(40), sa.ForeignKey("tournament.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("account_id", sa.String(40), sa.ForeignKey("account.id")),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("rating", sa.Float(53), nullable=False),
        sa.Column("withdrawn", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("tournament_id", "account_id"),
    )
    op.create_index("tournament_entry_account", "tournament_entry", ["account_id"])
    op.create_table(
        "tournament_round",
        sa.Column("tournament_id", sa.String(40), sa.ForeignKey("tournament.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "tournament_side",
        sa.Column("tournament_id", sa.String(40), sa.ForeignKey("tournament.id"), primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entry", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("opponent", sa.Integer),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("match_id", sa.String(40)),
        sa.Column("points", sa.Integer),
        sa.Column("walkover", sa.Boolean, nullable=False),
        sa.UniqueConstraint("match_id", "seat"),
    )
    op.create_index("tournament_side_open", "tournament_side", ["points", "tournament_id"])


def downgrade() -> None:
    for table in ("tournament_side", "tournament_round", "tournament_entry", "tournament"):
        op.drop_table(table)
