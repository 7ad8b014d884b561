"""Rated matches, those that wait to be rated, and ratings with their changes."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

GLICKO = ("points", "deviation", "volatility")


def upgrade() -> None:
    op.add_column("match", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "unrated",
        sa.Column("match_id", sa.String(40), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "rating_change",
        sa.Column("match_id", sa.String(40), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("account_id", sa.String(40), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("speed", sa.String(20), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Float(53), nullable=False) for name in (*GLICKO, "gain")),
    )
    op.create_index("rating_change_number", "rating_change", ["number", "seat"], unique=True)
    op.create_index("rating_change_account", "rating_change", ["account_id", "game", "speed", "number"])
    op.create_table(
        "rating",
        sa.Column("account_id", sa.String(40), sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("game", sa.String(60), primary_key=True),
        sa.Column("speed", sa.String(20), primary_key=True),
        *(sa.Column(name, sa.Float(53), nullable=False) for name in GLICKO),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
    )
    op.create_index("rating_listed", "rating", ["game", "speed", "points"])


def downgrade() -> None:
    for table in ("rating", "rating_change", "unrated"):
        op.drop_table(table)
    op.drop_column("match", "rated")
