"""The role of the clock: it ends matches whose player has run out of time, and no time runs while no server is there.

Deadlines are rows that commit with the events that set them. One process at a time holds the lease of the role
and looks for deadlines that have passed; another takes over when it stops or dies. Each time-out is written
through the same door as people's commands, where inserting an event is the lock, so a second worker does no harm.

A server is there while it looks each second and can store that it did. The time since the last look is an outage if it
is MIN_OUTAGE_MS: it is stored before anything else is done, and put on each running clock before its table changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

import structlog
from sqlalchemy import Connection

from smallchange.server.database.role import Role, RoleName, lock_role
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model.clock import MAX_LIVE_BANK_MIN, MINUTE_MS, Pause
from smallchange.server.table.model.command_events import MIN_OUTAGE_MS
from smallchange.server.table.storage import clock_rows as deadlines
from smallchange.server.table.storage.clock_rows import Attendance, DueTable, note_server, put_outage
from smallchange.server.web.background_tasks import SingleFlight, log_errors
from smallchange.server.web.errors import ErrorCode, Refused

HEARTBEAT_MS = 900  # between notes that a server is there, while clocks run: at each look
IDLE_HEARTBEAT_MS = 10_000  # the same, while none runs
SLOW_MS = 500  # that storing an outage takes, from which on it goes on
WARNING_PERIOD_MS = 30_000
MAX_TABLES = 200  # in one sweep
SOON_MS = 2 * MAX_LIVE_BANK_MIN * MINUTE_MS  # to the deadlines of live matches, at most
log = structlog.get_logger("clock")


class Found(NamedTuple):
    """The finds of a look: whether any clock runs, tables whose deadline has passed, servers, and outages."""

    running: bool
    due: Sequence[DueTable]
    servers: Attendance
    outages: Sequence[Pause]


class ClockWorker(Role[TableService]):
    """Plays the role of the clock whenever its lease is free.

    `serves`: people reach the tables by this process, so that it notes that it is there. `ends`: it ends matches.
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
        self._noted = 0  # when it was last noted that this server is there
        self._slow_since: int | None = (
            None  # since when the last note waited to be stored, if that was an outage
        )
        self._looks = SingleFlight[None, Sequence[DueTable]]()
        self._stood: set[str] = set()  # tables to be put on, so that their players see it
        tables.wake = self.wake

    async def wake(self) -> None:
        """Pass over the time in which this process was not there. Refuse if that cannot be stored."""
        await self._looks.do(None, self._look)
        if self._tables.live.is_away(self._tables.now()):
            raise Refused(ErrorCode.NOT_STORED)

    async def look(self) -> Sequence[DueTable]:
        """Return the tables whose deadline has passed. Those that an outage concerned are put on first."""
        due = await self._looks.do(None, self._look)
        stood, self._stood = self._stood, set()
        await asyncio.gather(*map(self._put_on, sorted(stood)))
        return () if stood else due

    async def _look(self) -> Sequence[DueTable]:
        """Look, and let the tables know since when the database has not answered."""
        self._tables.live.asked_at = self._tables.now()
        try:
            return await self._note()
        finally:
            self._tables.live.asked_at = None

    async def _note(self) -> Sequence[DueTable]:
        """Note that this process is there, and the time since its last look if that is an outage."""
        tables, live, now = self._tables, self._tables.live, self._tables.now()
        found = await tables.store.read(lambda c: _find(c, self._holder, now))
        self._is_running, seen = found.running, found.servers.seen
        live.outages, live.missing_since = found.outages, found.servers.missing_since
        if not self._serves:
            is_served = now - seen < (MIN_OUTAGE_MS if found.running else IDLE_HEARTBEAT_MS + MIN_OUTAGE_MS)
            if is_served or not seen:
                live.looked_at = now
            return found.due if is_served else ()
        if not tables.store.writer.is_healthy and not await tables.store.is_healthy():
            raise Refused(ErrorCode.NOT_STORED)  # what was refused last cannot be stored yet
        own = min(live.looked_at or now, now)
        last = self._slow_since or (max(own, seen) if live.looked_at else seen or now)
        now = tables.now()
        if now - last >= MIN_OUTAGE_MS:
            await self._store_outage(last, now)
            last, now = now, tables.now()
            if now - last >= SLOW_MS:  # the database was still away while that waited
                await self._store_outage(last, now)
                last = now
        elif not 0 <= now - self._noted < (HEARTBEAT_MS if found.running else IDLE_HEARTBEAT_MS):
            self._noted = now  # before it is stored: a server stopped meanwhile has to say so
            await tables.store.write("", lambda c: note_server(c, self._holder, now))
        if now - own >= MIN_OUTAGE_MS:  # while another process may have been there
            self._stood |= {*live.note_absence(own, now)}
        live.looked_at, self._slow_since = tables.now(), None
        if live.looked_at - last >= MIN_OUTAGE_MS:  # the note waited: the next look stores it
            self._slow_since = last
            live.outages = [(last, live.looked_at), *live.outages]
        return found.due

    async def _store_outage(self, since: int, now: int) -> None:
        """Store an outage, and put off what was to end or begin in it."""
        store, ports = self._tables.store, self._tables.ports

        def job(connection: Connection) -> tuple[list[str], list[str]]:
            lock_role(connection, "outage", self._holder, now)
            before = deadlines.last_outage(connection, now)
            began = max(since, before)  # another server may have come first
            note_server(connection, self._holder, now)
            if now - began < MIN_OUTAGE_MS and since != before:
                return [], []
            put_outage(connection, began, now)
            soon = [table.match for table in deadlines.due_tables(connection, now + SOON_MS)]
            return soon, [id for follow in ports.on_outage for id in follow(connection, began, now)]

        self._noted = now
        stood, changed = await store.write("outage", job)
        self._tables.live.outages = await store.read(deadlines.outages)
        self._stood |= {*stood}
        await self._tables.live.reload(changed)
        log.warning("passed over an outage", tables=len(stood), seconds=(now - since) // 1000)

    async def _put_on(self, match: str) -> None:
        with log_errors(match=match):
            await self._tables.put_on(match)

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

    async def stop(self) -> None:
        """Give up the lease, and store that this server stopped."""
        await super().stop()
        self._serves = False  # a look under way notes nothing any more
        if self._noted:
            now = self._tables.now()
            await self._tables.store.write("", lambda c: note_server(c, self._holder, now, stopped=True))

    async def _warn(self) -> None:
        """Warn the players whose time by correspondence runs out."""
        self._warned = now = self._tables.now()
        for id in await self._tables.store.read(lambda c: deadlines.due_warnings(c, now, MAX_TABLES)):
            with log_errors(match=id):
                await self._tables.warn(id)

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


def _find(connection: Connection, holder: str, now: int) -> Found:
    """Return what a look of this process finds."""
    running = deadlines.has_deadlines(connection)
    due = deadlines.due_tables(connection, now, MAX_TABLES) if running else ()
    return Found(running, due, deadlines.attendance(connection, holder, now), deadlines.outages(connection))
