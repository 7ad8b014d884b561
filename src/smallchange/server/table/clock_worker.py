"""The role of the clock: it ends matches whose player has run out of time.

Deadlines are rows that commit with the events that set them. One process at a time holds the lease of the role
and looks for deadlines that have passed; another takes over when it stops or dies. Each time-out is written
through the same door as people's commands, where inserting an event is the lock, so a second worker does no harm.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog
from sqlalchemy import Connection

from smallchange.server.database.role import Role, last_seen, note_seen
from smallchange.server.table import command_events
from smallchange.server.table import deadline_rows as deadlines
from smallchange.server.table.deadline_rows import DueTable
from smallchange.server.table.table_service import TableService
from smallchange.server.web.background_tasks import log_errors
from smallchange.server.web.errors import ErrorCode, Refused

SERVE = "serve"  # the role of processes that serve people
HEARTBEAT_MS = 2_000  # between notes that a server can be reached, while clocks run
SERVERS_AWAY_MS = 20_000  # without a note: nobody can move, so nobody runs out of time
MAX_TABLES = 200  # in one sweep
log = structlog.get_logger("clock")


class ClockWorker(Role[TableService]):
    """Plays the role of the clock whenever its lease is free.

    `serves`: people reach the tables by this process. `ends`: it ends matches, and does not only note that it can be
    reached.
    """

    name = "clock"

    def __init__(
        self, tables: TableService, holder: str = "", serves: bool = True, ends: bool = True
    ) -> None:
        super().__init__(tables, holder)
        self._serves = serves
        self._ends = ends
        self._noted = 0  # when it was last noted that this server can be reached

    async def pass_over_outage(self) -> None:
        """Give back the time in which no server could be reached, before people come back."""
        store, now = self._tables.store, self._tables.now()
        seen = await store.read(lambda c: last_seen(c, SERVE))
        lost = [
            table
            for table in await store.read(lambda c: deadlines.due_tables(c, None, None))
            if now - max(seen, table.since) >= command_events.MIN_OUTAGE_MS
            and (table.live or now - max(seen, table.since) >= command_events.MIN_LONG_OUTAGE_MS)
        ]
        for table in lost:
            with log_errors(match=table.match):
                since = max(seen, table.since)
                await self._tables.pass_over_outage(table.match, since, f"outage-{since}")
        if lost:
            log.warning(
                "passed over an outage", tables=len(lost), seconds=(now - seen) // 1000 if seen else None
            )

    async def sweep(self) -> int:
        """End the matches whose deadline has passed, if this process holds the lease; return their number."""
        now = self._tables.now()
        running, due, seen = await self._tables.store.read(lambda c: _look(c, now))
        if not running:
            return 0
        if self._serves and now - self._noted >= HEARTBEAT_MS:
            await self._tables.store.write(SERVE, lambda c: note_seen(c, SERVE, self._holder, now))
            self._noted = seen = now
        if not self._ends or now - seen >= SERVERS_AWAY_MS or not await self.hold_lease():
            return 0
        return sum(await asyncio.gather(*(self._end(table) for table in due)))

    async def _end(self, table: DueTable) -> bool:
        """End the match at a table; return whether this process did so now."""
        try:
            ended = await self._tables.enforce_time(table.match)
        except Refused as wrong:  # the store has logged why
            if wrong.code == ErrorCode.RULES_CHANGED:  # it cannot be played any more
                await self._remove(table.match)
            return False
        except Exception:
            log.exception("a match could not be ended", match=table.match)
            return False
        if ended:
            log.info("out of time", match=table.match, late_ms=self._tables.now() - table.at)
        return ended

    async def _remove(self, match: str) -> None:
        with log_errors(match=match):
            await self._tables.store.write(match, lambda c: deadlines.put_deadline(c, match, None, 0))


def _look(connection: Connection, now: int) -> tuple[bool, Sequence[DueTable], int]:
    """Return whether any clock runs, the tables whose deadline has passed, and when a server was last seen."""
    if not deadlines.has_deadlines(connection):
        return False, (), 0
    due = deadlines.due_tables(connection, now, MAX_TABLES)
    return True, due, last_seen(connection, SERVE)
