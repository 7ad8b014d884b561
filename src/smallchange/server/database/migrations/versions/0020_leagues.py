"""Deals that several people play, sealed until a time, and solitaire leagues."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("match", sa.Column("sealed_until", sa.BigInteger))
    op.create_table(
        "league_deal",
        sa.Column("tournament_id", sa.String(40), sa.ForeignKey("tournament.id"), primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
    )
    op.create_table(
        "league_play",
        sa.Column("tournament_id", sa.String(40), sa.ForeignKey("tournament.id"), primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entry", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("match_id", sa.String(40), nullable=False, unique=True),
    )


def downgrade() -> None:
    op.drop_table("league_play")
    op.drop_table("league_deal")
    with op.batch_alter_table("match") as altered:
        altered.drop_column("sealed_until")
