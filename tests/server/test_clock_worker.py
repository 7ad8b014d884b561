"""The role of the clock: time-outs by a worker, its lease, and outages. Time is injected."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from smallchange.server.database.role import LEASE_MS
from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.model.commands import Offer
from smallchange.server.table.model.events import How
from smallchange.server.table.storage.clock_rows import attendance

from .clock_site import BO, Site, site, sqlite
from .outside import postgresql


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


def test_an_offer_of_the_other_loses_nothing_of_what_stood_still_before_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(sqlite(tmp_path)) as one:
            id, two = await one.match(), Site(one.store, "two")
            ply = (await two.tables.live.as_stored(id)).history.ply
            await one.pass_ms(4_000, two)
            two.time += 45_000
            await one.pass_ms(20_000)
            await one.tables.submit(BO, Offer(id, ply, "offer-0001", "draw"))
            await one.pass_ms(25_000)
            await two.move(id)
            clock = (await one.stored_history(id)).clock
            assert clock is not None
            assert clock.banks_ms[0] == 300_000 - 4_000 + 3_000

    asyncio.run(run())


def test_a_server_that_has_stopped_is_not_missing_though_a_look_was_under_way(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(sqlite(tmp_path)) as one:
            await one.match()
            await one.pass_ms(2_000)
            one.time += 1_000
            look = asyncio.ensure_future(one.worker.look())
            await asyncio.sleep(0)
            await one.worker.stop()
            await look
            assert (
                await one.store.read(lambda c: attendance(c, "two", one.time + 10_000))
            ).missing_since is None

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
