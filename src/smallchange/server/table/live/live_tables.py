"""The live tables of a process: loaded from the database, brought up to date, watched, and forgotten when idle.

Several processes may serve the same table. A notice on the bus says that a table has moved on, and a process that
missed a notice finds out when it next reads the table.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Sequence
from itertools import islice

from smallchange.server.database.bus import Bus, Notice
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.ports import Ports
from smallchange.server.table.model.clock import Pause
from smallchange.server.table.model.command_events import MIN_OUTAGE_MS
from smallchange.server.table.model.commands import Command
from smallchange.server.table.model.history import Head, History, SeatRating
from smallchange.server.table.model.outcome import is_unrated
from smallchange.server.table.storage.store import Store
from smallchange.server.web.background_tasks import BackgroundTasks, SingleFlight, log_errors
from smallchange.server.web.errors import ErrorCode, Refused

MAX_IDLE_TABLES = 2000  # that stay in memory without watchers
MAX_IDLE_MS = 600_000  # for which one stays
SWEPT_AT_ONCE = 20  # tables, before other work goes on
SWEEP_PERIOD_S = 3.0  # over which all tables are checked for notices that the bus may have lost


class LiveTables:
    """The tables in the memory of this process.

    `holder` is the hash of the token of the person who asks. `wake` is called for a table where a bot may be to move,
    `on_load` for one that has come into memory.
    """

    def __init__(self, store: Store, bus: Bus, ports: Ports, now: Callable[[], int]) -> None:
        self.now = now
        self.looked_at: int | None = None  # when this process was last there; None where nobody looks
        self.asked_at: int | None = None  # since when a look waits for the database
        self.outages: Sequence[Pause] = ()  # in which no process was there
        self.missing_since: int | None = (
            None  # since when another process is not there, though it did not stop
        )
        self._store = store
        self._bus = bus
        self._ports = ports
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._followers: Counter[str] = Counter()  # connections and streams, by the id of the table
        self._loading = SingleFlight[str, LiveTable]()
        self._tasks = BackgroundTasks()
        self.wake: Callable[[LiveTable], None] = lambda live_table: None
        self.on_load: Callable[[LiveTable], None] = lambda live_table: None
        self.on_notice: Callable[[str], None] = lambda id: None  # about anything that has an id
        # hears words about something that is stored nowhere
        self.on_word: Callable[[str, str], None] = lambda id, word: None
        self.on_told: Callable[[Collection[str]], None] = lambda holders: None  # of a change, by features

    async def open(self) -> None:
        """Connect to the bus, and start the sweep."""
        await self._bus.open(self._receive)
        self._tasks.begin(self._sweep())

    async def close(self) -> None:
        """Stop the sweep, and leave the bus."""
        await self._tasks.close()
        await self._bus.close()

    def is_away(self, now: int) -> bool:
        """Return whether this process has not been there for so long that it is an outage."""
        return self.looked_at is not None and now - self.looked_at >= MIN_OUTAGE_MS

    def note_absence(self, began: int, until: int) -> list[str]:
        """Note that this process alone was not there; return the ids of its tables."""
        for live_table in self._tables.values():
            live_table.absences = [*live_table.absences, (began, until)]
        return list(self._tables)

    def meet(self, live_table: LiveTable, seats: Sequence[int]) -> None:
        """Note that players open these seats' first windows here, and so may come from a process that is missing."""
        here, since = live_table.seated_here, self.missing_since
        if since and not {*seats} <= {*here}:
            live_table.absences = [*live_table.absences, (since, self.now())]

    @property
    def attended_ids(self) -> list[str]:
        """The ids of tables in the lobby with a free seat and somebody present."""
        there = (live_table.history for live_table in self._tables.values() if live_table.present)
        return [history.head.id for history in there if history.waiting and history.head.open]

    @property
    def watched_count(self) -> int:
        """The number of tables with watchers."""
        return sum(1 for live_table in self._tables.values() if live_table.watchers)

    async def table(self, id: str) -> LiveTable:
        """Return the table with this id, as this process has it. Not every visitor may see it."""
        live_table = self._tables.get(id)
        if live_table is None:
            return await self._load_once(id)
        self._tables.move_to_end(id)
        live_table.used_at = self.now()
        self._reveal(live_table)
        return live_table

    async def find(self, id: str) -> LiveTable | None:
        """Return the table with this id; None if there is none."""
        try:
            return await self.table(id)
        except Refused as wrong:
            if wrong.code != ErrorCode.NO_TABLE:
                raise
            return None

    async def current(self, id: str, holder: str) -> LiveTable:
        """Return the table with this id as it stands in the database. Refused if it is sealed for this holder."""
        (await self.table(id)).history.refuse_stranger(holder)
        return await self.as_stored(id)

    async def for_command(self, command: Command, holder: str) -> LiveTable:
        """Return the table of a command, as far as its sender has seen it. Refuse strangers."""
        live_table = await self.table(command.match)
        live_table.history.refuse_stranger(holder)
        if command.ply > live_table.history.ply:
            async with live_table.lock:
                await self.catch_up(live_table)
        return live_table

    async def as_stored(self, id: str) -> LiveTable:
        """Return the table with this id as it stands in the database."""
        live_table = await self.table(id)
        await self._refresh(live_table, await self._newest_plies([id]))
        return live_table

    async def all_current(self, ids: Collection[str]) -> dict[str, LiveTable]:
        """Return many tables as they stand, without those whose rules have changed."""
        newest, live_tables = await self._newest_plies(ids), {}
        for id in ids:
            try:
                live_table = await self.table(id)
            except Refused as wrong:
                if wrong.code != ErrorCode.RULES_CHANGED:
                    raise
                continue
            await self._refresh(live_table, newest)
            live_tables[id] = live_table
        return live_tables

    async def record_text(self, id: str, holder: str) -> str:
        """Return the record of a table, as everybody may see it who may see the table."""
        try:
            return (await self.current(id, holder)).record_text
        except Refused as refused:
            return await self.stored_record(id, refused)

    async def stored_record(self, id: str, refused: Refused) -> str:
        """Return the stored record of a match that was refused because its rules have changed.

        Raise `refused` if there is no record, or if it has another reason.
        """
        found = await self._store.stored_record(id) if refused.code == ErrorCode.RULES_CHANGED else None
        if found is None:
            raise refused
        return found.record

    def watch(self, live_table: LiveTable, notify: Callable[[], None], seats: Sequence[int]) -> None:
        """Call `notify` after every change of this table; `seats` are present from now on."""
        self.meet(live_table, seats)
        live_table.watch(notify, seats)
        self._followers[live_table.history.head.id] += 1
        self._publish_presence(live_table)
        self.wake(live_table)

    def leave(self, live_table: LiveTable, notify: Callable[[], None], seats: Sequence[int]) -> None:
        """Stop calling `notify`. `seats` leave with it."""
        live_table.leave(notify, seats)
        id = live_table.history.head.id
        self._followers[id] -= 1
        if self._followers[id] <= 0:
            del self._followers[id]
        self._publish_presence(live_table)
        self._forget_idle()

    async def add(self, history: History) -> None:
        """Take a table that was just stored into memory."""
        history.ratings = await self.ratings(history.head)
        if history.head.id not in self._tables:  # else it was read by a list as soon as it was stored
            self._remember(history)

    async def catch_up(self, live_table: LiveTable) -> None:
        """Read the events that other processes wrote. The caller holds the lock."""
        history = live_table.history
        events, seats, rematch = await self._store.load_news(history)
        if events or seats != history.seats:
            live_table.append(events, seats)
        if rematch is not None:
            live_table.set_rematch(rematch)
        if history.head.rated:
            live_table.set_ratings(await self.ratings(history.head))
        if history.sealed:
            closes_at = await self._store.sealed_until(history.head.id)
            if closes_at is not None and closes_at != history.head.closes_at:
                live_table.put_off(closes_at)
                self._reveal(live_table)

    async def reload(self, ids: Sequence[str]) -> None:
        """Read these tables again, here and at the other processes: a holder changed, or a deal closed early."""
        for id in ids:
            live_table = self._tables.get(id)
            if live_table is not None:
                async with live_table.lock:
                    await self.catch_up(live_table)
            await self.publish(Notice(id, 0))

    async def ratings(self, head: Head) -> tuple[SeatRating | None, ...]:
        """Return the ratings at a table as they stand, by seat; () for a table that is not rated."""
        return await self._store.read(lambda c: self._ports.seat_ratings(c, head)) if head.rated else ()

    async def show_ratings(self, id: str) -> None:
        """Read the ratings at a table again, here and at the other processes: they have changed."""
        live_table = self._tables.get(id)
        if live_table is not None:
            live_table.set_ratings(await self.ratings(live_table.history.head))
        await self.publish(Notice(id, 0))

    async def show_asides(self, id: str) -> None:
        """Read the remarks and plans at a table again, here and at the other processes: one was made."""
        live_table = self._tables.get(id)
        if live_table is not None:
            live_table.set_asides(*await self._store.asides(id))
        await self.publish(Notice(id, 0))

    async def publish(self, notice: Notice) -> None:
        """Tell the other processes of a change that was stored."""
        await self._bus.publish(notice)

    async def announce(self, id: str) -> None:
        """Tell all who wait for this id, here and at the other processes, that it has changed."""
        self.on_notice(id)
        await self.publish(Notice(id, 0))

    async def tell(self, id: str, word: str) -> None:
        """Tell a word about this id, here and at the other processes. It is stored nowhere."""
        self.on_word(id, word)
        await self.publish(Notice(id, 0, word=word))

    async def _load_once(self, id: str) -> LiveTable:
        """Return a table that is not in memory yet. It is loaded once, however many ask for it."""
        return await self._loading.do(id, lambda: self._load(id))

    async def _load(self, id: str) -> LiveTable:
        """Load a table into memory. Refuse if there is none with this id."""
        history = await self._store.load(id)
        if history is None:
            raise Refused(ErrorCode.NO_TABLE)
        history.ratings = await self.ratings(history.head)
        return self._tables.get(id) or self._remember(
            history
        )  # it may have been opened here while it was read

    def _remember(self, history: History) -> LiveTable:
        """Put a table into memory."""
        live_table = self._tables[history.head.id] = LiveTable(history, self.now)
        live_table.on_arrival = lambda seats: self._tasks.begin(self._store_arrival(live_table, seats))
        self._reveal(live_table)
        self._forget_idle()
        self.on_load(live_table)
        return live_table

    async def _store_arrival(self, live_table: LiveTable, seats: Collection[int]) -> None:
        """Let a feature store that the players of these seats have come. If it cannot now, it is asked again."""
        id = live_table.history.head.id
        try:
            if write := await self._store.read(lambda c: self._ports.on_arrival(c, id, seats)):
                await self._store.write(id, write)
        except Refused:
            live_table.arrived -= set(seats)

    async def _refresh(self, live_table: LiveTable, newest: dict[str, tuple[int, str | None]]) -> None:
        """Read the events that other processes wrote, and ask a bot that is due.

        Its last move may have failed, or its process may have died.
        """
        self._reveal(live_table)
        history = live_table.history
        ply, rematch = newest.get(history.head.id, (0, None))
        if ply > history.ply or rematch not in (None, history.rematch) or is_unrated(history):
            async with live_table.lock:
                await self.catch_up(live_table)
        self.wake(live_table)

    async def _newest_plies(self, ids: Collection[str]) -> dict[str, tuple[int, str | None]]:
        """Return the stored plies of those tables that may be ahead of this process."""
        queried = [id for id in ids if not self._bus.local or id in self._store.uncertain]
        return await self._store.newest_plies(queried) if queried else {}

    async def _receive(self, notice: Notice) -> None:
        """Apply a notice of another process: the ply of a table, and the seats present."""
        with log_errors(match=notice.match):
            if notice.word:
                self.on_word(notice.match, notice.word)
                return
            self.on_notice(notice.match)
            live_table = self._tables.get(notice.match)
            if live_table is None and notice.here and notice.ply == 0:
                live_table = await self.table(notice.match)  # no step yet: it may be listed in the lobby
            if live_table is None:
                return
            live_table.note_presence(notice)
            if notice.ply > live_table.history.ply or notice.here is None:  # else it is about presence alone
                async with live_table.lock:
                    await self.catch_up(live_table)
            if notice.ply == 0 and notice.here is None:
                live_table.set_asides(*await self._store.asides(notice.match))

    async def _sweep(self) -> None:
        """Read watched tables again and again: notices may be lost, and a bot that failed is asked again."""
        while True:
            self._forget_unused()
            watched = [id for id, live_table in self._tables.items() if live_table.watchers]
            begins = range(0, max(1, len(watched)), SWEPT_AT_ONCE)
            for begin in begins:
                await asyncio.sleep(SWEEP_PERIOD_S / len(begins))
                with log_errors():
                    await self._sweep_part(watched[begin : begin + SWEPT_AT_ONCE])

    async def _sweep_part(self, ids: list[str]) -> None:
        """Read those of these tables again that are still watched."""
        newest = await self._newest_plies(ids)
        for id in ids:
            live_table = self._tables.get(id)
            if live_table is None or not live_table.watchers:
                continue
            with log_errors(match=id):
                if self._bus.is_silent:
                    live_table.keep_presence()
                self._publish_presence(live_table)
                live_table.note_arrival(live_table.seated_here)
                live_table.refresh_presence()
                live_table.count_spectators()
                await self._refresh(live_table, newest)

    def _publish_presence(self, live_table: LiveTable) -> None:
        """Tell the other processes who is present here."""
        if not self._bus.local:
            history, here = live_table.history, live_table.seated_here
            notice = Notice(history.head.id, history.ply, here, spectators=live_table.spectators_here)
            self._tasks.begin(self._bus.publish(notice))

    def _reveal(self, live_table: LiveTable) -> None:
        """Open a sealed table to everybody once its deal has closed."""
        if not live_table.history.sealed:
            return
        closes_at, now = live_table.history.head.closes_at, self.now()
        if closes_at is not None and now >= closes_at and not self.is_away(now):
            live_table.reveal()

    def _forget_idle(self) -> None:
        """Remove the least recently used tables from memory, but none that is watched."""
        too_many = len(self._tables) - len(self._followers) - MAX_IDLE_TABLES
        idle = (id for id, live_table in self._tables.items() if live_table.idle)
        for id in list(islice(idle, max(0, too_many))):
            del self._tables[id]

    def _forget_unused(self) -> None:
        """Remove the tables from memory that were idle for long: each takes some hundred kilobytes."""
        since = self.now() - MAX_IDLE_MS
        for id in [id for id, one in self._tables.items() if one.idle and one.used_at < since]:
            del self._tables[id]
