"""Deals of the day, and the score of each seat."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("match", sa.Column("day", sa.Integer))
    op.create_index("match_day", "match", ["day", "game"])
    op.add_column("seat", sa.Column("score", sa.Integer))
    op.create_table(
        "daily",
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.String(60), primary_key=True),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("daily")
    with op.batch_alter_table("seat") as seat:
        seat.drop_column("score")
    op.drop_index("match_day", "match")
    with op.batch_alter_table("match") as match:
        match.drop_column("day")
