"""Add the puzzles that people have tried, and how they stand in training."""

import sqlalchemy as sa
from alembic import op

revision = "1005"
down_revision = "1004"


def upgrade() -> None:
    op.create_table(
        "training_card",
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("puzzle", sa.String(20), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("box", sa.Integer, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("holder", "game", "puzzle"),
    )
    op.create_index("training_card_due", "training_card", ["holder", "due"])
    op.create_table(
        "training_standing",
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("points", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("tried", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("holder", "game"),
    )
