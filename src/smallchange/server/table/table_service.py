"""The table service: every change of every table goes through here, in the order check, commit, publish.

Several processes may serve the same table. Inserting an event is the lock, a notice on the bus says that a
table has moved on, and a process that missed a notice finds out when it next reads the table.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Coroutine, Sequence
from itertools import islice
from typing import Any

import structlog
from msgspec import structs
from sqlalchemy import Connection

from smallchange.core.match import Match
from smallchange.server.accounts.rows import Account, account_by_holder
from smallchange.server.database.bus import Bus, Notice
from smallchange.server.meeting.meeting_rows import accounts_of_holders, find_meetings
from smallchange.server.notifications import model as notifications
from smallchange.server.notifications.model import TableChange
from smallchange.server.table import bot_turns, command_events, new_tables
from smallchange.server.table import remark_rows as remarks
from smallchange.server.table.bot_workers import BotWorkers
from smallchange.server.table.clock import Clock
from smallchange.server.table.commands import Command, Fork, Join, NewTable, Offer, Rematch
from smallchange.server.table.history import NOBODY, PERSON, SIT, Event, Head, History, Seat
from smallchange.server.table.live_table import LiveTable
from smallchange.server.table.outcome import is_unrated, stage
from smallchange.server.table.remarks import MAX_REMARKS, PHRASES, Remark
from smallchange.server.table.store import Deadline, NewSitter, Notifying, Store, TableRows
from smallchange.server.web.background_tasks import BackgroundTasks, log_errors
from smallchange.server.web.errors import ErrorCode, Refused

DEAL_WAIT_S = 1.0  # for a deal by difficulty, before a page says that it is looked for
MAX_OPENINGS = 1000  # searches for deals that are remembered
MAX_IDLE_TABLES = 2000  # that stay in memory without watchers
SWEPT_AT_ONCE = 50  # tables, before other work goes on
SWEEP_PERIOD_S = 3.0  # between checks for notices that the bus may have lost
log = structlog.get_logger("tables")


class TableService:
    """All tables of the server.

    `holder` is the hash of the token of the person who sends the request. A request that is not possible
    raises Refused. Without `bots`, other processes let the bots move.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        bots: BotWorkers | None,
        new_id: Callable[[int], str] = new_tables.random_id,
        now: Callable[[], int] | None = None,
    ) -> None:
        self.now = now or now_ms  # milliseconds since 1970
        self.store = store
        self._bus = bus
        self._bots = bots
        self._new_id = new_id
        self._live_tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._followers: Counter[str] = Counter()  # connections and streams, by the id of the table
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        self._openings: OrderedDict[str, asyncio.Future[str]] = OrderedDict()  # whose deals are looked for
        self._tasks = BackgroundTasks()
        self.on_notified: Callable[[Collection[str]], None] = lambda holders: (
            None
        )  # whose notifications changed
        self.on_notice: Callable[[str], None] = lambda id: None  # about anything that has an id

    async def open(self) -> None:
        """Connect to the bus, and start the sweep."""
        await self._bus.open(self._receive)
        self._tasks.begin(self._sweep())

    async def close(self) -> None:
        """Stop background tasks, the bus and the bots."""
        await self._tasks.close()
        await self._bus.close()
        if self._bots:
            self._bots.close()

    @property
    def attended_ids(self) -> list[str]:
        """The ids of tables in the lobby with a free seat and somebody present."""
        there = (live_table.history for live_table in self._live_tables.values() if live_table.present)
        return [history.head.id for history in there if history.waiting and history.head.open]

    @property
    def watched_count(self) -> int:
        """The number of tables with watchers."""
        return sum(1 for live_table in self._live_tables.values() if live_table.watchers)

    async def live_table(self, id: str) -> LiveTable:
        """Return the table with this id, as this process has it. Not every visitor may see it."""
        live_table = self._live_tables.get(id)
        if live_table is not None:
            self._live_tables.move_to_end(id)
            self._reveal(live_table)
            return live_table
        if id not in self._loading:
            self._loading[id] = asyncio.ensure_future(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def current(self, id: str, holder: str) -> LiveTable:
        """Return the table with this id as this holder may see it now. Refused if it is sealed for this holder."""
        return (await self._open_current(id, holder)).seen_by(holder)

    async def _open_current(self, id: str, holder: str) -> LiveTable:
        """Return the table with this id as it stands in the database. Refused if it is sealed for this holder."""
        _refuse_strangers((await self.live_table(id)).history, holder)
        return await self._current(id)

    async def _current(self, id: str) -> LiveTable:
        """Return the table with this id as it stands in the database."""
        live_table = await self.live_table(id)
        await self._refresh(live_table, await self._newest_plies([id]))
        return live_table

    async def all_current(self, ids: Collection[str]) -> dict[str, LiveTable]:
        """Return many tables as they stand, without those whose rules have changed."""
        newest, live_tables = await self._newest_plies(ids), {}
        for id in ids:
            try:
                live_table = await self.live_table(id)
            except Refused as wrong:
                if wrong.code != ErrorCode.RULES_CHANGED:
                    raise
                continue
            await self._refresh(live_table, newest)
            live_tables[id] = live_table
        return live_tables

    async def execute(self, holder: str, command: Command, lag_ms: int = 0) -> int:
        """Execute a command, and return the ply of its event. The same move id has no further effect.

        `lag_ms` is the measured delay of the sender's network.
        """
        live_table = await self.live_table(command.match)
        _refuse_strangers(live_table.history, holder)
        if live_table.seen_by(holder) is not live_table:
            raise Refused(
                ErrorCode.SPECTATOR
            )  # whatever the ply of the command: it would tell that of the match
        async with live_table.lock:
            history = live_table.history
            if command.ply > history.ply:
                await self.catch_up(live_table)
            if command_events.is_repeated(history, holder, command):
                return history.moves[command.move]
            if command.ply != history.ply or await self._enforce_time(live_table):
                raise Refused(ErrorCode.CONFLICT)
            if command_events.opens_rematch(history, holder, command):
                await self._open_rematch(live_table, holder, Rematch())
                return command.ply
            around = command_events.Circumstances(lag_ms, live_table.away_since)
            new = command_events.execute(history, holder, command, self.now(), around)
            if not await self._commit(live_table, new):
                await self.catch_up(live_table)
                if command_events.is_repeated(history, holder, command):
                    return history.moves[command.move]
                raise Refused(ErrorCode.CONFLICT)
        self._wake_bot(live_table)
        return command.ply

    async def enforce_time(self, id: str) -> bool:
        """End the match at a table if the seat on turn has run out of time; return whether it did so now.

        Refused if this could not be stored.
        """
        live_table = await self._current(id)
        async with live_table.lock:
            return await self._enforce_time(live_table)

    async def pass_over_outage(self, id: str, since_ms: int, move: str) -> None:
        """End a match, or give its clock time back, after the server could not be reached since then.

        The same move id has no further effect.
        """
        live_table = await self._current(id)
        async with live_table.lock:
            while move not in live_table.history.moves:
                event = command_events.outage_event(live_table.history, since_ms, self.now(), move)
                if event is None or await self._commit(live_table, command_events.NewEvents([event])):
                    return
                await self.catch_up(live_table)

    async def _enforce_time(self, live_table: LiveTable) -> bool:
        """End the match as `enforce_time` does, while the caller holds the lock."""
        event = command_events.time_out(live_table.history, self.now())
        if event is None:
            return False
        if not await self._commit(live_table, command_events.NewEvents([event])):
            await self.catch_up(live_table)
            return False
        return True

    async def create(self, holder: str, order: NewTable) -> str:
        """Open a new table as ordered, and return its id. Wait until a deal of its difficulty is found."""
        return await self._deal_and_create(*await self._lay_out(holder, order), order.difficulty)

    async def create_soon(self, holder: str, order: NewTable) -> tuple[str, bool]:
        """Open a new table as ordered; return its id, and whether it is open.

        It is not open yet if its deal takes longer than DEAL_WAIT_S to be found. The search goes on then.
        """
        history, events = await self._lay_out(holder, order)
        id, opening = history.head.id, asyncio.get_running_loop().create_future()
        self._openings[id] = opening
        while len(self._openings) > MAX_OPENINGS:
            self._openings.popitem(last=False)
        self._tasks.begin(_settle(opening, self._deal_and_create(history, events, order.difficulty)))
        try:
            async with asyncio.timeout(DEAL_WAIT_S if order.difficulty else None):
                await asyncio.shield(opening)
        except TimeoutError:
            return id, False
        finally:
            if opening.done():
                self._openings.pop(id, None)
        return id, True

    async def bring(self, holder: str, match: Match) -> str:
        """Store a match for one that its player took offline, and return its id; the same match has the same id.

        Its record was verified. It counts for nobody, for its player may have known the luck.
        """
        history, events = new_tables.brought_table(match, holder, self._new_id, self.now())
        try:
            live_table = await self.live_table(history.head.id)
        except Refused as wrong:
            if wrong.code != ErrorCode.NO_TABLE:
                raise
            return await self._create(history, events)
        if not live_table.history.seats_of(holder):
            raise Refused(ErrorCode.BAD_RECORD, why="somebody else has brought it already")
        return history.head.id

    async def is_open(self, id: str) -> bool:
        """Return whether a table whose deal is looked for is open now. Refuse if the search has failed here."""
        opening = self._openings.get(id)
        if opening is not None and opening.done():
            del self._openings[id]
            opening.result()
        try:
            await self.live_table(id)
        except Refused as wrong:
            if wrong.code != ErrorCode.NO_TABLE:
                raise
            return False
        return True

    async def _lay_out(self, holder: str, order: NewTable) -> tuple[History, list[Event]]:
        """Return a new table as ordered, before it has a deal of its difficulty."""
        if order.rated:
            order = structs.replace(order, name=(await self._account(holder)).name)
        return new_tables.new_table(order, holder, self._new_id, self.now())

    async def _deal_and_create(self, history: History, events: list[Event], difficulty: str) -> str:
        """Store a new table with a deal of this difficulty, "" for any, and return its id."""
        if difficulty:
            secret = await self._find_secret(history, difficulty)
            history, events = new_tables.with_deal(history, difficulty, secret, self.now())
        return await self._create(history, events)

    async def _find_secret(self, history: History, difficulty: str) -> bytes:
        """Return a secret that makes a deal of this difficulty. Refuse if the bots are busy."""
        if self._bots is None:
            raise Refused(ErrorCode.BOTS_BUSY)
        words = tuple((seat.player, seat.words) for seat in history.seats if seat.words)
        return await self._bots.find_secret(history.head.game, difficulty, words)

    async def _refuse_barred(self, history: History, holder: str) -> None:
        """Refuse an account that may not play against another at this table. Guests may."""
        others = {seat.holder for seat in history.seats if seat.kind == PERSON} - {holder}
        if not others:
            return

        def ask(connection: Connection) -> bool:
            accounts = accounts_of_holders(connection, [holder, *others])
            bars = find_meetings(connection, accounts, self.now())
            return all(a == b or bars.may_meet(a, b) for a in accounts for b in accounts)

        if not await self.store.read(ask):
            raise Refused(ErrorCode.CANNOT_MEET)

    async def _account(self, holder: str) -> Account:
        """Return the account of a holder. Refuse a guest."""
        account = await self.store.read(lambda c: account_by_holder(c, holder))
        if account is None:
            raise Refused(ErrorCode.NO_ACCOUNT)
        return account

    async def join(self, holder: str, code: str, join: Join) -> str:
        """Take a free seat by a join link, unless the holder has one. Return the table's id."""
        id = await self.id_by_code(code)
        live_table = await self._open_current(id, holder)
        if live_table.history.head.rated and not live_table.history.seats_of(holder):
            join = Join((await self._account(holder)).name, join.words)
        await self._refuse_barred(live_table.history, holder)
        async with live_table.lock:
            while not live_table.history.seats_of(holder):
                if not live_table.history.waiting:
                    raise Refused(live_table.history.closing_code or ErrorCode.SEAT_TAKEN)
                sitter = NewSitter(*new_tables.take_seat(live_table.history, holder, join))
                if not await self._sit(live_table, sitter):
                    await self.catch_up(live_table)
        self._wake_bot(live_table)
        return id

    async def id_by_code(self, code: str) -> str:
        """Return the id of the table of a join link."""
        id = await self.store.by_code(code)
        if id is None:
            raise Refused(ErrorCode.NO_TABLE)
        return id

    async def rematch(self, holder: str, id: str, command: Rematch) -> str:
        """Open or ask for a rematch, and return the id of the table to go to.

        A rematch opens if the other player has asked for it, or nobody else plays; for `same`, the same deal
        opens once more for the holder. Else ask for a rematch, and return the id of this table.
        """
        live_table = await self._open_current(id, holder)
        history = live_table.history
        if not history.ending:
            raise Refused(ErrorCode.NO_REMATCH)
        if command.same:
            return await self.fork(holder, id, Fork(0))
        if not history.seats_of(holder):
            raise Refused(ErrorCode.SPECTATOR)
        await self._refuse_barred(history, holder)
        async with live_table.lock:
            while history.rematch is None:
                if command_events.opens_rematch(history, holder):
                    await self._open_rematch(live_table, holder, command)
                    break
                if history.offer and history.offer.seat in history.seats_of(holder):
                    return id  # asked already
                offer = Offer(id, history.ply, f"again-{self._new_id(12)}", "rematch")
                new = command_events.execute(history, holder, offer, self.now())
                if await self._commit(live_table, new):
                    return id
                await self.catch_up(live_table)
        return history.rematch or id

    async def _open_rematch(self, live_table: LiveTable, holder: str, command: Rematch) -> None:
        """Open the rematch, if it is not open yet. The caller holds the lock."""
        history = live_table.history
        if history.rematch is None:
            new, events = new_tables.rematch(history, holder, command, self._new_id, self.now())
            live_table.set_rematch(await self._create(new, events, history.head.id, holder))
            await self._bus.publish(Notice(history.head.id, history.ply))

    async def fork(self, holder: str, id: str, fork: Fork) -> str:
        """Open a practice table that goes on after step `fork.at`, and return its id."""
        live_table = await self.current(id, holder)
        return await self._create(
            *new_tables.practice(live_table.history, holder, fork, self._new_id, self.now())
        )

    async def reload_tables(self, ids: Sequence[str]) -> None:
        """Read these tables again, here and at the other processes: a holder changed, or a deal closed early."""
        for id in ids:
            live_table = self._live_tables.get(id)
            if live_table is not None:
                async with live_table.lock:
                    await self.catch_up(live_table)
            await self._bus.publish(Notice(id, 0))

    async def start_table(self, head: Head, seats: tuple[Seat, ...]) -> str:
        """Start a table that nobody ordered, unless there is one with its id, and return the id."""
        try:
            return (await self.live_table(head.id)).history.head.id
        except Refused as wrong:
            if wrong.code != ErrorCode.NO_TABLE:
                raise
        return await self._create(*new_tables.start(head, seats, self.now()))

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
        found = await self.store.stored_record(id) if refused.code == ErrorCode.RULES_CHANGED else None
        if found is None:
            raise refused
        return found.record

    def watch(self, live_table: LiveTable, notify: Callable[[], None], seats: Sequence[int]) -> None:
        """Call `notify` after every change of this table; `seats` are present from now on."""
        live_table.watch(notify, seats)
        self._followers[live_table.history.head.id] += 1
        self._publish_presence(live_table.origin)
        self._wake_bot(live_table.origin)

    def leave(self, live_table: LiveTable, notify: Callable[[], None], seats: Sequence[int]) -> None:
        """Stop calling `notify`. `seats` leave with it."""
        live_table.leave(notify, seats)
        id = live_table.history.head.id
        self._followers[id] -= 1
        if self._followers[id] <= 0:
            del self._followers[id]
        self._publish_presence(live_table.origin)
        self._forget_idle()

    async def _load(self, id: str) -> LiveTable:
        """Load a table into memory. Refuse if there is none with this id."""
        history = await self.store.load(id)
        if history is None:
            raise Refused(ErrorCode.NO_TABLE)
        if id in self._live_tables:  # opened here while it was read
            return self._live_tables[id]
        live_table = self._live_tables[id] = LiveTable(history, self.now)
        self._reveal(live_table)
        self._forget_idle()
        self._start_bots(live_table)
        return live_table

    async def _create(
        self, history: History, events: list[Event], rematch_of: str | None = None, opener: str = ""
    ) -> str:
        """Store a new table, and return its id, or that of the rematch that another process opened first."""
        new = table_rows(history, events, opener)
        id = await self.store.create(new, rematch_of)
        if id == history.head.id:  # else another process has opened the rematch
            self.on_notified(_holders(history.seats) if new.notified else ())
            log.info("table opened", match=id, game=history.head.game.id)
            history.ratings = await self.store.seat_ratings(history.head)
            if id not in self._live_tables:  # else it was read by a list as soon as it was stored
                self._live_tables[id] = LiveTable(history, self.now)
                self._start_bots(self._live_tables[id])
                self._forget_idle()
        return id

    def _start_bots(self, live_table: LiveTable) -> None:
        """Prepare the bots at a table that has come into memory, and ask for a move if one is due."""
        if self._bots:
            self._tasks.begin(bot_turns.prepare_bots(live_table, self._bots))
            self._wake_bot(live_table)

    async def _commit(self, live_table: LiveTable, new: command_events.NewEvents) -> bool:
        """Store the events of a command, then publish them. Return False if another process was faster."""
        history = live_table.history
        ended = stage(history.with_events(new.events, after=new.after)) if new.end_match else None
        clock = history.clock_after(new.events, new.after)
        due = _deadline(clock, new.events[-1].at)
        notifying = _notifying(live_table, new, clock)
        if not await self.store.append(
            history.head.id, history.ply, new.events, stage=ended, deadline=due, notifying=notifying
        ):
            return False
        self.on_notified(_holders(history.seats) if notifying else ())
        live_table.append(new.events, after=new.after)
        await self._bus.publish(Notice(history.head.id, history.ply))
        return True

    async def _sit(self, live_table: LiveTable, sitter: NewSitter) -> bool:
        """Store and publish that a person takes a seat. Return False if another process was faster."""
        history = live_table.history
        seats = tuple(sitter.seat if i == sitter.number else seat for i, seat in enumerate(history.seats))
        _, chance = new_tables.start(history.head, seats, self.now())
        events = [Event(SIT, sitter.number, 0, None, self.now()), *chance]
        seated = history.with_events(events, seats)
        due, now_at = _deadline(seated.clock, events[-1].at), stage(seated)
        change = TableChange(events, seated.turn, seated.ending is not None)
        notified = notifications.notifications(history, seats, change, live_table.present)
        if not await self.store.append(
            history.head.id, history.ply, events, sitter, now_at, due, Notifying(notified)
        ):
            return False
        self.on_notified(_holders(seats))
        live_table.expect_sitter(sitter.number)
        live_table.append(events, seats)
        live_table.set_ratings(await self.store.seat_ratings(history.head))
        await self._bus.publish(Notice(history.head.id, history.ply, live_table.seated_here))
        return True

    async def show_ratings(self, id: str) -> None:
        """Read the ratings at a table again, here and at the other processes: they have changed."""
        live_table = self._live_tables.get(id)
        if live_table is not None:
            live_table.set_ratings(await self.store.seat_ratings(live_table.history.head))
        await self._bus.publish(Notice(id, 0))

    async def say(self, holder: str, id: str, phrase: str) -> None:
        """Say a set phrase to the others at a table."""
        live_table, seats = await self._among_people(holder, id)
        if phrase not in PHRASES:
            raise Refused(ErrorCode.BAD_MESSAGE, why=f"phrase must be one of {', '.join(PHRASES)}")
        said = Remark(seats[0], phrase, live_table.history.ply)
        if not await self.store.write(id, lambda c: remarks.add_remark(c, id, said)):
            raise Refused(ErrorCode.REMARK_LIMIT, most=MAX_REMARKS)
        await self._show_remarks(live_table)

    async def mute(self, holder: str, id: str, on: bool) -> None:
        """Hear nothing that the others say at a table, or hear them again."""
        live_table, seats = await self._among_people(holder, id)
        await self.store.write(id, lambda c: remarks.set_mute(c, id, seats, on))
        await self._show_remarks(live_table)

    async def _among_people(self, holder: str, id: str) -> tuple[LiveTable, tuple[int, ...]]:
        """Return a table with the seats of its holder. Refuse if no other person sits there."""
        live_table = (await self.current(id, holder)).origin
        seats = live_table.history.seats_of(holder)
        others = [
            i for i, seat in enumerate(live_table.history.seats) if seat.kind == PERSON and i not in seats
        ]
        if not seats:
            raise Refused(ErrorCode.SPECTATOR)
        if not others:
            raise Refused(ErrorCode.BAD_MESSAGE, why="no other person sits here")
        return live_table, seats

    async def _show_remarks(self, live_table: LiveTable) -> None:
        id = live_table.history.head.id
        live_table.set_remarks(await self.store.remarks(id))
        await self._bus.publish(Notice(id, 0))

    async def publish(self, notice: Notice) -> None:
        """Tell the other processes of a change that was stored."""
        await self._bus.publish(notice)

    async def announce(self, id: str) -> None:
        """Tell all who wait for this id, here and at the other processes, that it has changed."""
        self.on_notice(id)
        await self._bus.publish(Notice(id, 0))

    async def catch_up(self, live_table: LiveTable) -> None:
        """Read the events that other processes wrote. The caller holds the lock."""
        events, seats, again = await self.store.load_news(live_table.history)
        if events or seats != live_table.history.seats:
            live_table.append(events, seats)
        if again is not None:
            live_table.set_rematch(again)
        if live_table.history.head.rated:
            live_table.set_ratings(await self.store.seat_ratings(live_table.history.head))
        if live_table.history.sealed and live_table.history.head.sealed_until is not None:
            sealed_until = await self.store.sealed_until(live_table.history.head.id)
            if sealed_until is not None and sealed_until < live_table.history.head.sealed_until:
                live_table.reveal()

    async def _refresh(self, live_table: LiveTable, newest: dict[str, tuple[int, str | None]]) -> None:
        """Read the events that other processes wrote, and ask a bot that is due.

        Its last move may have failed, or its process may have died.
        """
        self._reveal(live_table)
        history = live_table.history
        ply, again = newest.get(history.head.id, (0, None))
        if ply > history.ply or again not in (None, history.rematch) or is_unrated(history):
            async with live_table.lock:
                await self.catch_up(live_table)
        self._wake_bot(live_table)

    async def _newest_plies(self, ids: Collection[str]) -> dict[str, tuple[int, str | None]]:
        """Return the stored plies of those tables that may be ahead of this process."""
        queried = [id for id in ids if not self._bus.local or id in self.store.uncertain]
        return await self.store.newest_plies(queried) if queried else {}

    async def _receive(self, notice: Notice) -> None:
        """Apply a notice of another process: the ply of a table, and the seats present."""
        with log_errors(match=notice.match):
            self.on_notice(notice.match)
            live_table = self._live_tables.get(notice.match)
            if live_table is None and notice.here and notice.ply == 0:
                live_table = await self.live_table(notice.match)  # no step yet: it may be listed in the lobby
            if live_table is None:
                return
            live_table.note_presence(notice)
            if notice.ply > live_table.history.ply or notice.here is None:  # else it is about presence alone
                async with live_table.lock:
                    await self.catch_up(live_table)
            if notice.ply == 0 and notice.here is None:
                live_table.set_remarks(await self.store.remarks(notice.match))

    async def _sweep(self) -> None:
        """Read watched tables again and again: notices may be lost, and a bot that failed is asked again."""
        while True:
            await asyncio.sleep(SWEEP_PERIOD_S)
            with log_errors():
                watched = {
                    id: live_table for id, live_table in self._live_tables.items() if live_table.watchers
                }
                newest = await self._newest_plies(list(watched))
                for i, (id, live_table) in enumerate(watched.items()):
                    if i % SWEPT_AT_ONCE == 0:
                        await asyncio.sleep(0)
                    with log_errors(match=id):
                        self._publish_presence(live_table)
                        live_table.refresh_presence()
                        live_table.count_spectators()
                        await self._refresh(live_table, newest)

    def _publish_presence(self, live_table: LiveTable) -> None:
        if not self._bus.local:
            self._tasks.begin(
                self._bus.publish(
                    Notice(
                        live_table.history.head.id,
                        live_table.history.ply,
                        live_table.seated_here,
                        spectators=live_table.spectators_here,
                    )
                )
            )

    def _wake_bot(self, live_table: LiveTable) -> None:
        if self._bots and bot_turns.is_bot_due(live_table):
            live_table.thinking = True
            self._tasks.begin(bot_turns.take_turns(live_table, self._bots, self.execute, self._new_id))

    def _reveal(self, live_table: LiveTable) -> None:
        """Open a sealed table to everybody once its deal has closed."""
        closes_at = live_table.history.head.closes_at
        if live_table.history.sealed and closes_at is not None and self.now() >= closes_at:
            live_table.reveal()

    def _forget_idle(self) -> None:
        """Remove the least recently used tables from memory, but none that is watched."""
        too_many = len(self._live_tables) - len(self._followers) - MAX_IDLE_TABLES
        idle = (id for id, live_table in self._live_tables.items() if live_table.idle)
        for id in list(islice(idle, max(0, too_many))):
            del self._live_tables[id]


def table_rows(history: History, events: list[Event], opener: str = "") -> TableRows:
    """Return a new table as rows, and append its first events to its history.

    All but its opener are notified.
    """
    history.append(events)
    due = _deadline(history.clock, history.head.created)
    notified = notifications.opening_notifications(history, opener)
    return TableRows(history.head, history.seats, events, stage(history), due, notified)


def _refuse_strangers(history: History, holder: str) -> None:
    """Refuse everybody but its player at a table whose deal has not closed."""
    if history.sealed and not history.seats_of(holder):
        raise Refused(ErrorCode.SEALED)


def _holders(seats: Sequence[Seat]) -> set[str]:
    return {seat.holder for seat in seats}


def _notifying(live_table: LiveTable, new: command_events.NewEvents, clock: Clock | None) -> Notifying | None:
    """Return the notifications to store with the events of a command; None where nobody else is concerned."""
    history, present = live_table.history, live_table.present
    settles = notifications.settles(history, new.events, present)
    if not settles and len(present) == len(history.seats):  # all have the table open
        return None
    if not notifications.is_shared(history.seats):
        return None
    known = new.after.position.s.turn if new.after else None
    turn = NOBODY if new.end_match else notifications.turn_after(history, new.events, clock, known)
    change = TableChange(new.events, turn, new.end_match)
    notified = notifications.notifications(history, history.seats, change, present)
    return Notifying(notified, settles) if notified or settles else None


def _deadline(clock: Clock | None, at: int) -> Deadline | None:
    """Return the deadline to store with events at this time; None for a table without a clock."""
    return Deadline(command_events.deadline(clock), at) if clock else None


def now_ms() -> int:
    """Return the time in milliseconds since 1970, as events have it."""
    return time.time_ns() // 1_000_000


async def _settle(result: asyncio.Future[str], work: Coroutine[Any, Any, str]) -> None:
    """Do the work, and let a future have what comes of it."""
    try:
        result.set_result(await work)
    except Exception as wrong:
        result.set_exception(wrong)
        result.exception()  # nobody may ask again
    finally:
        result.cancel()
