"""When servers were there, and the outages in which none was, as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from smallchange.server.database import schema
from smallchange.server.database.role import MAX_AHEAD_MS
from smallchange.server.table.model.clock import Pause
from smallchange.server.table.model.command_events import MAX_LIVE_OUTAGE_MS, MIN_OUTAGE_MS

MISSED_MS = 2 * MAX_LIVE_OUTAGE_MS  # for which a process counts as missing; then it is gone
MAX_OUTAGES = 100  # that clocks are put on by: the newest
_server, _outage = schema.server.c, schema.outage.c


class Attendance(NamedTuple):
    """When a server was last there, 0 for never, and since when another is missing that has not stopped, or None."""

    seen: int
    missing_since: int | None


def note_server(connection: Connection, holder: str, now: int, stopped: bool = False) -> None:
    """Store that this process is there, and forget those that are gone."""
    mine = _server.holder == holder
    row = {"holder": holder, "seen": now, "stopped": stopped}
    if not connection.execute(update(schema.server).where(mine).values(row)).rowcount:
        connection.execute(insert(schema.server).values(row))
    last = select(func.max(_server.seen)).scalar_subquery()
    connection.execute(delete(schema.server).where(_server.seen < now - MISSED_MS, _server.seen < last))


def attendance(connection: Connection, holder: str, now: int) -> Attendance:
    """Return which servers were there lately, as this process is told."""
    rows = connection.execute(select(schema.server).where(_server.seen <= now + MAX_AHEAD_MS)).all()
    others = (row.seen for row in rows if row.holder != holder and not row.stopped)
    missing = (seen for seen in others if now - MISSED_MS < seen <= now - MIN_OUTAGE_MS)
    return Attendance(min(now, max((row.seen for row in rows), default=0)), min(missing, default=None))


def put_outage(connection: Connection, began: int, until: int) -> None:
    """Store that no server was there between two times, so that none is missing now."""
    connection.execute(insert(schema.outage).values(began=began, until=until))
    connection.execute(update(schema.server).where(_server.seen <= began).values(stopped=True))


def outages(connection: Connection) -> Sequence[Pause]:
    """Return the newest outages, the last one first."""
    query = select(_outage.began, _outage.until).order_by(_outage.until.desc()).limit(MAX_OUTAGES)
    return [(row.began, row.until) for row in connection.execute(query)]


def last_outage(connection: Connection, now: int) -> int:
    """Return when the last outage ended; 0 for never, or by a clock set back since."""
    query = select(func.max(_outage.until)).where(_outage.until <= now + MAX_AHEAD_MS)
    return int(connection.execute(query).scalar() or 0)
