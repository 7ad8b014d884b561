"""Deadlines of clocks, days off, the times at which servers were there, and outages, as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, text, update

from smallchange.server.database import schema
from smallchange.server.database.role import MAX_AHEAD_MS
from smallchange.server.table.model.clock import Clock, Pause
from smallchange.server.table.model.command_events import MAX_LIVE_OUTAGE_MS, MIN_OUTAGE_MS, deadline
from smallchange.server.table.model.events import DaysOff
from smallchange.server.table.model.history import Seat

_PUT_DEADLINE = text(
    "INSERT INTO deadlines (match_id, at, since, warn_at) VALUES (:id, :at, :since, :warn_at) "
    "ON CONFLICT (match_id) DO UPDATE SET at = excluded.at, since = excluded.since, warn_at = excluded.warn_at"
)
_REMOVE_DEADLINE = text("DELETE FROM deadlines WHERE match_id = :id")


class DueTable(NamedTuple):
    """A table with a clock that runs: its deadline, and the time of its last event."""

    match: str
    at: int
    since: int


def put_deadline(connection: Connection, id: str, clock: Clock | None, since: int) -> None:
    """Store the deadline of a table in place of any other; none where no clock runs. `since`: its last event."""
    at = deadline(clock) if clock else None
    if clock is None or at is None:
        connection.execute(_REMOVE_DEADLINE, {"id": id})
    else:
        row = {"id": id, "at": at, "since": since, "warn_at": clock.warning}
        connection.execute(_PUT_DEADLINE, row)


def due_warnings(connection: Connection, now: int, limit: int) -> list[str]:
    """Return the ids of the tables whose player on turn is to be warned that time runs out."""
    due = schema.deadlines.c
    query = select(due.match_id).where(due.warn_at <= now).order_by(due.warn_at, due.match_id).limit(limit)
    return list(connection.execute(query).scalars())


def take_warning(connection: Connection, id: str, since: int) -> bool:
    """Note that the player on turn is warned, unless the table has moved on since its last event; return whether."""
    due = schema.deadlines.c
    this = (due.match_id == id) & (due.since == since)
    return connection.execute(update(schema.deadlines).where(this).values(warn_at=None)).rowcount == 1


def due_tables(connection: Connection, now: int | None = None, limit: int | None = None) -> list[DueTable]:
    """Return the tables whose deadline has passed, the longest overdue first.

    Without `now` these are all tables with a clock that runs.
    """
    due = schema.deadlines.c
    query = select(due.match_id, due.at, due.since).order_by(due.at, due.match_id).limit(limit)
    query = query if now is None else query.where(due.at <= now)
    return [DueTable(*row) for row in connection.execute(query)]


def has_deadlines(connection: Connection) -> bool:
    """Return whether any clock runs."""
    return connection.execute(select(schema.deadlines.c.match_id).limit(1)).first() is not None


def clocked_tables(connection: Connection, holder: str, until: int | None = None) -> list[str]:
    """Return the ids of the tables of a holder with a clock that runs; with `until`, only to a time before it."""
    due, seat = schema.deadlines.c, schema.seat.c
    query = select(due.match_id).join(schema.seat, seat.match_id == due.match_id).where(seat.holder == holder)
    query = query if until is None else query.where(due.at < until)
    return list(connection.execute(query.distinct()).scalars())


def put_days_off(connection: Connection, holder: str, began: int, until: int) -> None:
    """Store days off of a holder."""
    connection.execute(insert(schema.day_off), {"holder": holder, "began": began, "until": until})


def end_days_off(connection: Connection, holder: str, now: int) -> None:
    """End the days off of a holder that go on."""
    off = schema.day_off.c
    connection.execute(update(schema.day_off).where(off.holder == holder, off.until > now).values(until=now))


def days_off(connection: Connection, holder: str, since: int) -> tuple[int, int]:
    """Return the milliseconds of days off that a holder has begun since then, and when the last of all end, or 0."""
    off = schema.day_off.c
    rows = connection.execute(select(off.began, off.until).where(off.holder == holder)).all()
    taken = sum(row.until - row.began for row in rows if row.began > since)
    return taken, max((row.until for row in rows), default=0)


def missing_days_off(
    connection: Connection, seats: Sequence[Seat], clock: Clock | None, at: int
) -> list[DaysOff]:
    """Return the days off of players, at a time or in the running turn, of which their table does not know.

    They were taken before it began, or while another process stored it.
    """
    if clock is None or clock.control.live:
        return []
    off, since = schema.day_off.c, at if clock.running is None else clock.since
    known = clock.off_until or (0,) * len(seats)
    query = select(off.holder, off.began, off.until).where(off.holder.in_({seat.holder for seat in seats}))
    rows = connection.execute(query.where(off.until > since).order_by(off.began)).all()
    return [
        DaysOff.until(i, max(row.began, since), row.until)
        for row in rows
        for i, seat in enumerate(seats)
        if seat.holder == row.holder and row.until > known[i] and row.began <= at
    ]


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
