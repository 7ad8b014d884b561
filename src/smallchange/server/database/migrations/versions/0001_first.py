"""Create the first schema: matches, seats and events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "match",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("code", sa.String(40), nullable=False, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("parent", sa.String(40)),
        sa.Column("told", sa.Integer, nullable=False),
        sa.Column("proven", sa.Boolean, nullable=False),
        sa.Column("again", sa.String(40)),
        sa.Column("ended", sa.Text),
    )
    op.create_index("match_open", "match", ["status", "open", "created"])
    op.create_table(
        "seat",
        sa.Column("match_id", sa.String(40), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("words", sa.String(200), nullable=False),
    )
    op.create_index("seat_holder", "seat", ["holder", "match_id"])
    op.create_table(
        "event",
        sa.Column("match_id", sa.String(40), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("action", sa.Integer, nullable=False),
        sa.Column("move_id", sa.String(40)),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("event_move", "event", ["match_id", "move_id"], unique=True)


def downgrade() -> None:
    for name in ("event", "seat", "match"):
        op.drop_table(name)
