"""The role of the clock: time-outs by a worker, its lease, and outages. Time is injected."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from smallchange.core.game import Game
from smallchange.server.database.bus import MemoryBus
from smallchange.server.database.role import LEASE_MS
from smallchange.server.services import table_service
from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.model.commands import Join, NewTable, PlayMove
from smallchange.server.table.model.events import How
from smallchange.server.table.model.history import History
from smallchange.server.table.storage.store import Store

from .outside import postgresql
from .tables import PAIR, greedy

ANN, BO = "a" * 64, "b" * 64
LOOK_MS = 4_000  # between two looks that are no outage
Test = Callable[[str], Coroutine[Any, Any, None]]


class Deaf(MemoryBus):
    """A bus on which every notice is lost."""

    local = False


class Site:
    """One process on a database, at a time that stands still."""

    def __init__(self, store: Store, name: str) -> None:
        self.time = 1_790_000_000_000
        self.tables = table_service(store, Deaf(), now=lambda: self.time)
        self.store = store
        self.worker = ClockWorker(self.tables, name)

    async def match(self, control: str = "5+3", turns: int = 2) -> str:
        """Return a match after so many turns."""
        first = Game(PAIR).seats[0]
        id = await self.tables.openings.create(ANN, NewTable(PAIR, seats={first: "me"}, time=control))
        await self.tables.join(BO, (await self.tables.live.table(id)).history.head.code, Join())
        for _ in range(turns):
            await self.move(id)
        return id

    async def move(self, id: str) -> None:
        history = (await self.tables.live.current(id, ANN)).history
        holder, token = (ANN, BO)[history.turn], greedy(history.match.position)
        await self.tables.submit(holder, PlayMove(id, history.ply, f"move-{history.ply:04}", token))

    async def pass_ms(self, ms: int, *others: Site) -> int:
        """Let time pass while this process and others are at work; return the number of matches that they ended."""
        ended, end = 0, self.time + ms
        while self.time < end:
            step = min(LOOK_MS, end - self.time)
            for side in (self, *others):
                side.time += step
                ended += await side.worker.sweep()
        return ended

    async def stored_history(self, id: str) -> History:
        history = await self.store.load(id)
        assert history is not None
        return history


@asynccontextmanager
async def site(url: str, name: str = "one") -> AsyncIterator[Site]:
    store = Store(url)
    await store.open()
    made = Site(store, name)
    await made.tables.open()
    try:
        yield made
    finally:
        await made.tables.close()
        await store.close()


def sqlite(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.db'}"


def test_a_server_that_starts_again_knows_every_deadline(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(sqlite(tmp_path)) as before:
            ids = [await before.match() for _ in range(3)]
            await before.worker.sweep()  # it is noted that the server is there
            at = before.time
        async with site(sqlite(tmp_path), "two") as after:
            after.time = at + 4_000
            assert not await after.worker.look()
            assert await after.pass_ms(297_000) == 3
            for id in ids:
                assert (await after.stored_history(id)).ending

    asyncio.run(run())


def test_nobody_loses_by_an_outage(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(sqlite(tmp_path)) as before:
            short, slow = await before.match(), await before.match("1d+3d")
            await before.worker.sweep()
            at = before.time
        async with site(sqlite(tmp_path), "two") as after:
            after.time = at + 50_000
            assert not await after.worker.look()
            clock = (await after.stored_history(short)).clock
            assert clock is not None
            assert clock.remaining(after.time)[0] == 300_000
            assert len((await after.stored_history(slow)).events) == 3, "it is put on when it changes"
            await after.worker.sweep()
            at = after.time
        async with site(sqlite(tmp_path), "three") as late:
            late.time = at + 5 * 86_400_000
            assert not await late.worker.look()
            assert await late.worker.sweep() == 0
            ended = (await late.stored_history(short)).ending
            assert ended is not None
            assert ended.how == How.ABORTED
            clock = (await late.stored_history(slow)).clock
            assert clock is not None
            assert clock.deadline == at + (5 + 4) * 86_400_000

    asyncio.run(run())


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    if request.param == "sqlite":
        yield sqlite(tmp_path_factory.mktemp("shared"))
    else:
        with postgresql() as url:
            yield url


def test_one_of_two_workers_holds_the_lease_and_the_other_takes_over(shared: str) -> None:
    async def run() -> None:
        async with site(shared) as one, site(shared, "two") as two:
            ids = [await one.match() for _ in range(3)]
            assert await one.pass_ms(301_000 - 1, two) == 0
            two.time += 1
            assert await two.worker.sweep() == 0, "the other has the lease"
            assert await two.pass_ms(50_000) == 0, "it stands still, and its players with it"
            assert await two.pass_ms(3 * LEASE_MS) == 3, "and it seems to have died"
            one.time = two.time
            assert await one.worker.sweep() == 0
            for id in ids:
                ending = (await one.stored_history(id)).ending
                assert ending
                assert ending.how == How.ABORTED

    asyncio.run(run())


def test_without_a_server_nobody_runs_out_of_time(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(sqlite(tmp_path)) as here:
            await here.match()
            await here.pass_ms(290_000)
            alone = ClockWorker(here.tables, "alone", serves=False)
            here.time += 11_000
            assert await alone.sweep() == 0
            assert await here.worker.sweep() == 0, "the time without a server is given back first"
            assert await here.pass_ms(12_000) == 1

    asyncio.run(run())
