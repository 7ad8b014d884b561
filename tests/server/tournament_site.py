"""Tournaments on one process with a director, at a time that moves only when a test moves it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from smallchange.server.accounts import rows as accounts
from smallchange.server.database.bus import MemoryBus
from smallchange.server.meeting.seeking import PairingWorker, Seeks
from smallchange.server.notifications.model import TOURNAMENT_KINDS
from smallchange.server.notifications.rows import export_notifications
from smallchange.server.ratings.service import RatingWorker
from smallchange.server.services import table_service
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.model.commands import PlayMove, Resign
from smallchange.server.table.model.history import History
from smallchange.server.table.storage.store import Store
from smallchange.server.tournaments.director import Director
from smallchange.server.tournaments.model import Tournament, TournamentOrder
from smallchange.server.tournaments.rows import has_come
from smallchange.server.tournaments.service import Tournaments
from smallchange.server.web.event_stream import Waiting
from smallchange.server.web.sessions import Account

from .serving import fresh
from .tables import PAIR

SHORT = {"size": 3}
LOOK_MS = 4_000  # between two looks that are no outage


class Site:
    """One process with a director, at a time that moves only when it is told to."""

    def __init__(self, store: Store, bots: BotWorkers | None) -> None:
        self.time = 1_790_000_000_000
        self.store = store
        self._bots = bots
        self.begin()

    def begin(self) -> None:
        """Begin the process: it knows only what is stored."""
        self.tables = table_service(self.store, MemoryBus(), self._bots, now=lambda: self.time)
        waiting = Waiting(set(), asyncio.Event())
        self.tables.live.on_notice = waiting.wake
        self.director = Director(self.tables, "one")
        self.clock = ClockWorker(self.tables, "one")
        self.rater = RatingWorker(self.tables, "one")
        self.pairer = PairingWorker(self.tables, "one")
        self.seeks = Seeks(self.tables, waiting)
        self.tournaments = Tournaments(self.tables, waiting)

    async def pass_ms(self, ms: int) -> None:
        """Let time pass while the roles of the clock and of the director are played."""
        end = self.time + ms
        while self.time < end:
            self.time = min(self.time + LOOK_MS, end)
            await self.clock.sweep()
            await self.director.sweep()

    async def account(self, number: int, role: str = "person") -> Account:
        made = Account(f"account-{number}", f"Name {number}", f"{number:064}", 0, role, "open", "{}")
        await self.store.write("", lambda c: accounts.create_account(c, made, []))
        return made

    async def open(self, kind: str, entries: int, **more: Any) -> tuple[str, list[Account]]:
        """Open a tournament that begins now, with some people."""
        people = [await self.account(i) for i in range(entries)]
        usual: dict[str, Any] = {"game": PAIR, "time": "1+2", "options": SHORT, "begins_in": 0}
        order = TournamentOrder(name="Cup", kind=kind, **(usual | more))
        id = await self.tournaments.open(people[0] if people else await self.account(99), order)
        for person in people:
            await self.tournaments.enter(person, id)
        return id, people

    async def find(self, id: str) -> Tournament:
        return await self.tournaments.find(id)

    async def news_of(self, person: Account) -> list[tuple[str, int, bool]]:
        """Return the kind and the round of what a person was told of tournaments, and whether it is unread."""
        found = await self.store.read(lambda c: export_notifications(c, person.holder))
        return sorted(
            (
                (one["kind"], one["ply"], one["read_at"] is None)
                for one in found
                if one["kind"] in TOURNAMENT_KINDS
            ),
            key=lambda one: (one[1], TOURNAMENT_KINDS.index(one[0])),
        )

    async def arrive(self, match: str, holders: Collection[str]) -> None:
        """Let those of these people who play a match come to its table."""
        live_table = await self.tables.live.table(match)
        for seat in [i for i, seat in enumerate(live_table.history.seats) if seat.holder in holders]:
            live_table.touch([seat])
            while not await self.store.read(partial(has_come, match=match, seat=seat)):
                await asyncio.sleep(0)

    async def resign_all(self, id: str) -> None:
        """Let the second seat of every match resign."""
        for match in [one.match for one in (await self.find(id)).pairings if one.points is None]:
            assert match
            history = (await self.tables.live.table(match)).history
            if history.ending is None:
                await self.tables.submit(history.seats[1].holder, Resign(match, history.ply, fresh()))


async def play_first(here: Site, history: History) -> None:
    """Let whoever is on turn make a move."""
    token = history.match.position.legal()[0]
    act = PlayMove(history.head.id, history.ply, fresh(), token)
    await here.tables.submit(history.seats[history.turn].holder, act)


@asynccontextmanager
async def site(folder: Path, with_bots: bool = False, url: str = "") -> AsyncIterator[Site]:
    store = Store(url or f"sqlite:///{folder / 'tables.db'}")
    await store.open()
    made = Site(store, BotWorkers() if with_bots else None)
    await made.tables.open()
    try:
        yield made
    finally:
        await made.director.stop()
        await made.tables.close()
        await store.close()
