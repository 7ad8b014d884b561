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

from smallchange.server.database.role import OUTAGE, SERVE, Role, RoleName, last_seen, lock_role, note_seen
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model.command_events import MIN_OUTAGE_MS
from smallchange.server.table.storage import deadline_rows as deadlines
from smallchange.server.table.storage.deadline_rows import DueTable
from smallchange.server.web.background_tasks import log_errors
from smallchange.server.web.errors import ErrorCode, Refused

HEARTBEAT_MS = 2_000  # between notes that a server can be reached, while clocks run
IDLE_HEARTBEAT_MS = 10_000  # the same, while none runs
WARNING_PERIOD_MS = 30_000
MAX_TABLES = 200  # in one sweep
log = structlog.get_logger("clock")


class ClockWorker(Role[TableService]):
    """Plays the role of the clock whenever its lease is free.

    `serves`: people reach the tables by this process, so that it passes over outages. `ends`: it ends matches.
    """

    name = RoleName.CLOCK

    def __init__(
        self, tables: TableService, holder: str = "", serves: bool = True, ends: bool = True
    ) -> None:
        super().__init__(tables, holder)
        self._serves = serves
        self._ends = ends
        self._is_running = False  # whether any clock is
        self._warned = 0  # when players were last warned
        self._noted = 0  # when it was last noted that this server can be reached

    async def look(self) -> Sequence[DueTable]:
        """Return the tables whose deadline has passed, if they may be ended now.

        Where the last look is too long ago, nobody could reach the tables since then: whoever was on turn gets the
        time back first. It does not matter what stood still: the database, this process, the machine, or its clock.
        """
        tables, live, now = self._tables, self._tables.live, self._tables.now()
        running, due, seen = await tables.store.read(lambda c: _look(c, now))
        self._is_running = running
        if not self._serves:
            is_served = now - seen < (MIN_OUTAGE_MS if running else IDLE_HEARTBEAT_MS + MIN_OUTAGE_MS)
            if is_served or not seen:
                live.looked_at = now
            return due if is_served else ()
        last = max(min(live.looked_at or 0, now), seen)
        is_outage = last > 0 and now - last >= MIN_OUTAGE_MS
        if is_outage:
            await self._pass_over(last, now)
        if is_outage or not 0 <= now - self._noted < (HEARTBEAT_MS if running else IDLE_HEARTBEAT_MS):
            await tables.store.write(SERVE, lambda c: note_seen(c, SERVE, self._holder, now))
            self._noted = now
        live.looked_at = now
        return () if is_outage else due

    async def sweep(self) -> int:
        """End the matches whose deadline has passed, if this process holds the lease; return their number."""
        due = await self.look()
        if not self._is_running or not self._ends or not await self.hold_lease():
            return 0
        if not 0 <= self._tables.now() - self._warned < WARNING_PERIOD_MS:
            await self._warn()
        return sum(await asyncio.gather(*(self._end(table) for table in due)))

    async def note_played(self) -> None:
        """Store that this role is played, unless this process ends no matches."""
        if self._ends:
            await super().note_played()

    async def _warn(self) -> None:
        """Warn the players whose time by correspondence runs out."""
        self._warned = now = self._tables.now()
        for id in await self._tables.store.read(lambda c: deadlines.due_warnings(c, now, MAX_TABLES)):
            with log_errors(match=id):
                await self._tables.warn(id)

    async def _pass_over(self, since: int, now: int) -> None:
        """Give back the time in which no server could be reached, and put off what was to end or begin in it."""
        store, ports = self._tables.store, self._tables.ports

        def job(connection: Connection) -> list[str]:
            began = max(since, last_seen(connection, OUTAGE, now))  # another server may have come first
            lock_role(connection, OUTAGE, self._holder, now)
            if now - began < MIN_OUTAGE_MS:
                return []
            return [id for follow in ports.on_outage for id in follow(connection, began, now)]

        await self._tables.live.reload(await store.write(OUTAGE, job))
        lost = [
            table
            for table in await store.read(lambda c: deadlines.due_tables(c))
            if now - max(since, table.since) >= MIN_OUTAGE_MS
        ]
        for table in lost:
            with log_errors(match=table.match):
                await self._tables.pass_over_outage(table.match, since)
        log.warning("passed over an outage", tables=len(lost), seconds=(now - since) // 1000)

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
    running = deadlines.has_deadlines(connection)
    due = deadlines.due_tables(connection, now, MAX_TABLES) if running else ()
    return running, due, last_seen(connection, SERVE, now)
