"""The tables, the same on SQLite and PostgreSQL. A change here needs a migration; a test compares the two."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

WAITING, PLAYING, OVER = "waiting", "playing", "over"

meta = MetaData()

match = Table(
    "match",
    meta,
    Column("id", String(40), primary_key=True),
    Column("game", String(60), nullable=False),
    Column("version", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON: those that differ from their defaults
    Column("secret", LargeBinary, nullable=False),  # told to nobody before the end
    Column("seal", String(64), nullable=False),
    Column("status", String(10), nullable=False),
    Column("open", Boolean, nullable=False),
    Column("code", String(40), nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),  # milliseconds since 1970
    Column("parent", String(40)),
    Column("told", Integer, nullable=False),
    Column("proven", Boolean, nullable=False),
    Column("again", String(40)),  # the rematch
    Column("record", Text),  # once it has ended, as everybody may see it: it outlives a change of the rules
    Index("match_open", "status", "open", "created"),
)

seat = Table(
    "seat",
    meta,
    Column("match_id", String(40), ForeignKey("match.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),
    Column("name", String(80), nullable=False),
    Column("bot", String(40), nullable=False),
    Column("holder", String(64), nullable=False),  # SHA-256 of the cookie token
    Column("words", String(200), nullable=False),
    Column("points", Integer),  # what the match came to (`results.py`), once it has ended, where it counts
    Index("seat_holder", "holder", "match_id"),
)

# Inserting event `ply` of a match is the lock: who comes second finds the row there.
event = Table(
    "event",
    meta,
    Column("match_id", String(40), ForeignKey("match.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("kind", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("action", Integer, nullable=False),
    Column("move_id", String(40)),
    Column("at", BigInteger, nullable=False),
    Index("event_move", "match_id", "move_id", unique=True),
    sqlite_with_rowid=False,
)
