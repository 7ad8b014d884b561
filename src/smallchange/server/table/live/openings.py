"""Openings: new tables as ordered, for practice, for a rematch, for a sealed deal, and of games played offline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog
from cachetools import LRUCache
from msgspec import structs

from smallchange.core.match import Match
from smallchange.server.database.bus import Notice
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.live_tables import LiveTables
from smallchange.server.table.live.ports import Opening, Ports, opening_writes
from smallchange.server.table.model import command_events, new_tables
from smallchange.server.table.model.commands import Command, Fork, NewTable, Rematch
from smallchange.server.table.model.events import Event
from smallchange.server.table.model.history import Head, History, Seat, SeatKind
from smallchange.server.table.model.outcome import stage
from smallchange.server.table.storage.store import Store, TableRows
from smallchange.server.web.background_tasks import BackgroundTasks
from smallchange.server.web.errors import ErrorCode, Refused

DEAL_WAIT_S = 1.0  # for a deal by difficulty, before a page says that it is looked for
MAX_DEAL_SEARCHES = 1000  # that are remembered
log = structlog.get_logger("tables")


class Openings:
    """Opens tables. `holder` is the hash of the token of the person who asks."""

    def __init__(
        self,
        live: LiveTables,
        store: Store,
        bots: BotWorkers | None,
        ports: Ports,
        new_id: Callable[[int], str],
    ) -> None:
        self.live = live
        self._store = store
        self._bots = bots
        self._ports = ports
        self._new_id = new_id
        self._now = live.now
        self._searches = LRUCache[str, asyncio.Future[str]](MAX_DEAL_SEARCHES)  # for deals, by the table's id
        self._tasks = BackgroundTasks()

    async def close(self) -> None:
        """Stop the searches for deals."""
        await self._tasks.close()

    async def create(self, holder: str, order: NewTable) -> str:
        """Open a new table as ordered, and return its id. Wait until a deal of its difficulty is found."""
        return await self._deal_and_create(*await self._lay_out(holder, order), order.difficulty)

    async def create_soon(self, holder: str, order: NewTable) -> tuple[str, bool]:
        """Open a new table as ordered; return its id, and whether it is open.

        It is not open yet if its deal takes longer than DEAL_WAIT_S to be found. The search goes on then.
        """
        history, events = await self._lay_out(holder, order)
        id, search = history.head.id, asyncio.get_running_loop().create_future()
        self._searches[id] = search
        self._tasks.begin(_settle(search, self._deal_and_create(history, events, order.difficulty)))
        try:
            async with asyncio.timeout(DEAL_WAIT_S if order.difficulty else None):
                await asyncio.shield(search)
        except TimeoutError:
            return id, False
        finally:
            if search.done():
                self._searches.pop(id, None)
        return id, True

    async def is_open(self, id: str) -> bool:
        """Return whether a table whose deal is looked for is open now. Refuse if the search has failed here."""
        search = self._searches.get(id)
        if search is not None and search.done():
            del self._searches[id]
            search.result()
        return await self.live.find(id) is not None

    async def bring(self, holder: str, match: Match) -> str:
        """Store a match for one that its player took offline, and return its id; the same match has the same id.

        Its record was verified. It counts for nobody, for its player may have known the luck.
        """
        history, events = new_tables.brought_table(match, holder, self._new_id, self._now())
        live_table = await self.live.find(history.head.id)
        if live_table is None:
            return await self.store(history, events)
        if not live_table.history.seats_of(holder):
            raise Refused(ErrorCode.BAD_RECORD, why="somebody else has brought it already")
        return history.head.id

    async def start_table(self, head: Head, seats: tuple[Seat, ...]) -> str:
        """Start a table that nobody ordered, unless there is one with its id, and return the id."""
        if await self.live.find(head.id) is None:
            await self.store(*new_tables.start(head, seats, self._now()))
        return head.id

    async def fork(self, holder: str, id: str, fork: Fork) -> str:
        """Open a practice table that goes on after step `fork.at`, and return its id."""
        live_table = await self.live.current(id, holder)
        return await self.store(
            *new_tables.practice(live_table.history, holder, fork, self._new_id, self._now())
        )

    async def open_by_command(self, live_table: LiveTable, holder: str, command: Command) -> bool:
        """Open the rematch that a command asks for or accepts. Return False if it does neither."""
        history = live_table.history
        if not history.ending:
            return False
        async with live_table.lock:
            is_new = command.ply == history.ply and command.command_id not in history.command_plies
            if not is_new or not command_events.opens_rematch(history, holder, command):
                return False
            await self.open_rematch(live_table, holder, Rematch())
        return True

    async def open_rematch(self, live_table: LiveTable, holder: str, command: Rematch) -> None:
        """Open the rematch, if it is not open yet. The caller holds the lock."""
        history = live_table.history
        if history.rematch is None:
            new, events = new_tables.rematch(history, holder, command, self._new_id, self._now())
            live_table.set_rematch(await self.store(new, events, history.head.id, holder))
            await self.live.publish(Notice(history.head.id, history.ply))

    async def store(
        self, history: History, events: list[Event], rematch_of: str | None = None, opener: str = ""
    ) -> str:
        """Store a new table, and return its id, or that of the rematch that another process opened first."""
        self.refuse_while_draining()
        new = self.rows(history, events, opener)
        id = await self._store.create(new, rematch_of)
        if id == history.head.id:  # else another process has opened the rematch
            if new.writes:
                self.live.on_told({seat.holder for seat in history.seats})
            log.info("table opened", match=id, game=history.head.game.id)
            await self.live.add(history)
            if history.clock and not history.clock.control.live:
                opened = await self.live.table(id)
                async with opened.lock:
                    await self.live.catch_up(opened)  # with days off, which were stored with it
        return id

    def refuse_while_draining(self) -> None:
        """Refuse a new game while the site is about to be maintained."""
        if self._store.site.is_draining:
            raise Refused(ErrorCode.DRAINING)

    def rows(self, history: History, events: list[Event], opener: str = "") -> TableRows:
        """Return a new table as rows, with those of features, and append its first events to its history."""
        new = table_rows(history, events)
        return new._replace(writes=opening_writes(Opening(history, new.stage, opener), self._ports))

    async def refuse_barred(self, history: History, holder: str) -> None:
        """Refuse a person who may not play against another at this table."""
        others = {seat.holder for seat in history.seats if seat.kind == SeatKind.PERSON} - {holder}
        if others and not await self._store.read(
            lambda c: self._ports.may_meet(c, [holder, *others], self._now())
        ):
            raise Refused(ErrorCode.CANNOT_MEET)

    async def account_name(self, holder: str) -> str:
        """Return the name of a holder's account. Refuse a guest."""
        name = await self._store.read(lambda c: self._ports.account_name(c, holder))
        if name is None:
            raise Refused(ErrorCode.NO_ACCOUNT)
        return name

    async def _lay_out(self, holder: str, order: NewTable) -> tuple[History, list[Event]]:
        """Return a new table as ordered, before it has a deal of its difficulty."""
        if order.rated:
            order = structs.replace(order, name=await self.account_name(holder))
        history, events = new_tables.new_table(order, holder, self._new_id, self._now())
        if new_tables.may_be_gentle(history) and not await self._store.has_played(holder, order.game):
            return new_tables.deal_gently(history, self._now())
        return history, events

    async def _deal_and_create(self, history: History, events: list[Event], difficulty: str) -> str:
        """Store a new table with a deal of this difficulty, "" for any, and return its id."""
        if difficulty:
            secret = await self._find_secret(history, difficulty)
            history, events = new_tables.with_deal(history, difficulty, secret, self._now())
        return await self.store(history, events)

    async def _find_secret(self, history: History, difficulty: str) -> bytes:
        """Return a secret that makes a deal of this difficulty. Refuse if the bots are busy."""
        if self._bots is None:
            raise Refused(ErrorCode.BOTS_BUSY)
        words = tuple((seat.player, seat.words) for seat in history.seats if seat.words)
        return await self._bots.find_secret(history.head.game, difficulty, words)


def table_rows(history: History, events: list[Event]) -> TableRows:
    """Return a new table as rows, and append its first events to its history."""
    history.append(events)
    return TableRows(history.head, history.seats, events, stage(history), history.clock)


async def _settle(result: asyncio.Future[str], work: Coroutine[Any, Any, str]) -> None:
    """Do the work, and let a future have its result or its failure."""
    try:
        result.set_result(await work)
    except Exception as wrong:
        result.set_exception(wrong)
        result.exception()  # nobody may ask again
    finally:
        result.cancel()
