"""Days off: a stock for each year, by which a player stops all their clocks by correspondence at once."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import NamedTuple

from sqlalchemy import Connection

from smallchange.server.database.bus import Notice
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model.events import DaysOff
from smallchange.server.table.model.time_control import DAY_MS
from smallchange.server.table.storage import deadline_rows as deadlines
from smallchange.server.table.storage.rows import event_rows
from smallchange.server.web.errors import ErrorCode, Refused

STOCK_DAYS = 30  # in YEAR_MS
YEAR_MS = 365 * DAY_MS


class DaysLeft(NamedTuple):
    """The days that a player may still take off, and the time until which they are off, 0 for not now."""

    days: int
    until: int


async def days_left(tables: TableService, holder: str) -> DaysLeft:
    """Return the days off that a holder has left this year."""
    now = tables.now()
    taken_ms, until = await tables.store.read(lambda c: deadlines.days_off(c, holder, now - YEAR_MS))
    return DaysLeft(max(0, STOCK_DAYS - -(-taken_ms // DAY_MS)), until if until > now else 0)


async def take_days_off(tables: TableService, holder: str, days: int) -> None:
    """Stop all clocks by correspondence of a holder for so many days from now.

    No days end those that go on, and what is not used of these comes back. All tables change in one transaction; those
    that begin later ask for days off then. Refused where the stock is too small, or while days off go on.
    """
    while True:
        left = await days_left(tables, holder)
        possible = 1 <= days <= left.days and not left.until
        if not (possible or (days == 0 and left.until)):
            raise Refused(ErrorCode.NO_DAYS_OFF, left=left.days)
        now, ids = tables.now(), await tables.store.read(lambda c: deadlines.clocked_tables(c, holder))
        found = await tables.live.all_current(sorted(ids))
        async with AsyncExitStack() as locks:
            for live_table in found.values():
                await locks.enter_async_context(tables.changing(live_table))
            concerned = [table for table in found.values() if _is_concerned(table, holder)]
            if await _store(tables, holder, days, concerned, now):
                return
            for live_table in concerned:
                await tables.live.catch_up(live_table)


def _is_concerned(live_table: LiveTable, holder: str) -> bool:
    history = live_table.history
    correspondence = history.clock is not None and not history.clock.control.live
    return correspondence and history.started and not history.ending and len(history.seats_of(holder)) == 1


async def _store(tables: TableService, holder: str, days: int, concerned: list[LiveTable], now: int) -> bool:
    """Store the days off and an event at each table, all or none; return False if another process was faster."""
    events = {}
    for live_table in concerned:
        (seat,) = live_table.history.seats_of(holder)
        events[live_table] = [DaysOff(seat, now, days=days)]

    def job(connection: Connection) -> bool:
        if days:
            deadlines.put_days_off(connection, holder, now, now + days * DAY_MS)
        else:
            deadlines.end_days_off(connection, holder, now)
        for live_table, new in events.items():
            clock = live_table.history.clock_after(new)
            deadlines.put_deadline(connection, live_table.history.head.id, clock, now)
        return True

    rows = [
        row
        for live_table, new in events.items()
        for row in event_rows(live_table.history.head.id, live_table.history.ply, new)
    ]
    if not await tables.store.write(holder, job, rows):
        return False
    for live_table, new in events.items():
        live_table.append(new)
        await tables.live.publish(Notice(live_table.history.head.id, live_table.history.ply))
    return True
