"""The backlog: work of the roles that waits, by which a role that nobody plays is seen."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, func, select

from smallchange.server.database import schema
from smallchange.server.database.role import missing_roles


class Backlog(NamedTuple):
    """The work that waits: the oldest deadline that has passed, matches and messages."""

    late_clock_s: float = 0.0
    unrated_matches: int = 0
    messages_waiting: int = 0
    roles_missing: int = 0


def read_backlog(connection: Connection, now: int) -> Backlog:
    """Return what waits in a database."""
    oldest = connection.execute(select(func.min(schema.deadlines.c.at))).scalar()
    due = schema.outgoing_message.c.due_at <= now
    return Backlog(
        max(0, now - oldest) / 1000 if oldest is not None else 0.0,
        _count(connection, select(func.count()).select_from(schema.unrated_match)),
        _count(connection, select(func.count()).select_from(schema.outgoing_message).where(due)),
        int(bool(missing_roles(connection, now))),
    )


def _count(connection: Connection, query: Select[Any]) -> int:
    return int(connection.execute(query).scalar_one())
