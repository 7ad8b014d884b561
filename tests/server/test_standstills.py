"""The database, a process, the bus or time itself stands still: nobody loses a game by it.

The rows of the table in `docs/serve.md` are tried here one by one. Time is injected, except for a real process.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from smallchange.core.game import Game
from smallchange.server.daily.days import daily_games
from smallchange.server.daily.service import DailyDeals
from smallchange.server.database import schema
from smallchange.server.database.bus import Notice
from smallchange.server.table.live.table_service import SteadyClock
from smallchange.server.table.model.clock import DAY_MS, MINUTE_MS
from smallchange.server.table.model.commands import Join, NewTable, PlayMove
from smallchange.server.table.model.events import RETURN_MS, How
from smallchange.server.table.model.history import History
from smallchange.server.table.storage import clock_rows as deadlines
from smallchange.server.table.storage import store as store_module
from smallchange.server.tournaments.kinds import kind_of
from smallchange.server.tournaments.kinds.arena import ends_at
from smallchange.server.tournaments.kinds.kind import BEGIN_AFTER_MS
from smallchange.server.tournaments.model import Phase, Tournament
from smallchange.server.web.errors import ErrorCode, Refused
from tests.server.locked_database import frozen

from .outside import postgresql
from .serving import fresh
from .tables import PAIR, greedy
from .tournament_site import Site, site

ANN, BO = "a" * 64, "b" * 64
DEAL = daily_games()[0]
SERVE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.+?) \| (\d+) s \| (\S+) \| (\d+:\d\d) \| (.+?) \|$", SERVE, re.MULTILINE)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgresql() as found:
        yield found


async def begin(here: Site, control: str) -> str:
    """Return a match in which each has moved once."""
    first = Game(PAIR).seats[0]
    id = await here.tables.openings.create(ANN, NewTable(PAIR, seats={first: "me"}, time=control))
    await here.tables.join(BO, (await here.tables.live.table(id)).history.head.code, Join())
    for _ in range(2):
        await move(here, id)
    return id


def forget(connection: Connection) -> None:
    """Forget the row before: it has another time."""
    for table in (schema.lease, schema.server, schema.outage, schema.deadlines):
        connection.execute(table.delete())


async def move(here: Site, id: str) -> None:
    history = (await here.tables.live.current(id, ANN)).history
    token = greedy(history.match.position)
    await here.tables.submit((ANN, BO)[history.turn], PlayMove(id, history.ply, fresh(), token))


async def history_of(here: Site, id: str) -> History:
    history = await here.store.load(id)
    assert history is not None
    return history


async def let_run_down(here: Site, id: str, left_ms: int) -> None:
    """Let time pass, looked at all the while, until so much is left."""
    (due,) = [row for row in await here.store.read(deadlines.due_tables) if row.match == id]
    here.time = here.tables.live.looked_at = due.at - left_ms - (await lag_ms(here, id))
    assert await here.clock.sweep() == 0


async def lag_ms(here: Site, id: str) -> int:
    """Return the second by which the stored deadline of a live match is later."""
    history = await history_of(here, id)
    assert history.head.control is not None
    return 1000 if history.head.control.live else 0


def left_ms(history: History, now: int) -> int:
    assert history.clock is not None
    assert history.clock.running is not None
    return history.clock.remaining(now)[history.clock.running]


@pytest.mark.parametrize(("stopped", "seconds", "control", "before", "after"), ROWS)
def test_what_a_clock_says_after_an_outage(
    stopped: str,
    seconds: str,
    control: str,
    before: str,
    after: str,
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each row of the table: the sweeps fail while the database stands still, and come late while the process does."""
    stops = stopped == "PostgreSQL"
    minutes, rest = map(int, before.split(":"))

    async def run() -> None:
        async with site(tmp_path, url=url if stops else "") as here:
            await here.store.write("", forget)
            id = await begin(here, control)
            await let_run_down(here, id, 1000 * (60 * minutes + rest))
            with frozen(url) if stops else nullcontext():
                here.time += 1000 * int(seconds)
                if stops:
                    monkeypatch.setattr(store_module, "ANSWER_TIMEOUT_S", 0.3)
                    with pytest.raises(Refused):
                        await here.clock.sweep()
                    monkeypatch.undo()
            assert await here.clock.sweep() == 0
            history = await history_of(here, id)
            if history.ending:
                assert (history.ending.how, after) == (How.ABORTED, "no result")
            else:
                left = left_ms(history, here.time) // 1000
                assert f"{left // 60}:{left % 60:02}" == after
            live_table = await here.tables.live.table(id)
            assert live_table.history.clock == history.clock
            assert (await here.store.read(deadlines.due_tables) != []) == (history.ending is None)

    asyncio.run(run())


@pytest.mark.parametrize("commit_ms", [3_000, 5_000])
def test_on_a_slow_database_clocks_run_only_while_people_think(tmp_path: Path, commit_ms: int) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, thought_ms = await begin(here, "3+0"), [0, 0]
            await here.clock.sweep()

            def commit(_: Any) -> None:
                here.time += commit_ms

            event.listen(here.store._engine, "commit", commit)
            for n in range(20):
                began = here.time
                here.time += 1_000
                if n % 3 == 0:
                    assert await here.clock.sweep() == 0
                thought_ms[n % 2] += here.time - began
                await move(here, id)
            history = await history_of(here, id)
            assert history.ending is None
            assert history.clock is not None
            for bank_ms, spent_ms in zip(history.clock.banks_ms, thought_ms, strict=True):
                assert bank_ms >= 180_000 - spent_ms

    asyncio.run(run())


def test_the_clock_of_the_machine_may_be_set_while_a_process_may_not_be_frozen_unnoticed() -> None:
    wall, steady = [10**18], [0]
    now = SteadyClock(lambda: wall[0], lambda: steady[0])

    def passes(wall_s: float, steady_s: float) -> float:
        before = now()
        wall[0] += int(wall_s * 10**9)
        steady[0] += int(steady_s * 10**9)
        return (now() - before) / 1000

    assert passes(1, 1) == 1
    assert passes(61, 1) == pytest.approx(1, abs=0.011), "a minute ahead"
    assert passes(-59, 1) == pytest.approx(1, abs=0.011), "and back"
    assert passes(76, 76) == 76, "frozen"
    assert passes(10_090, 10_000) == pytest.approx(10_090, rel=0.001), "it follows in the end"
    assert passes(8 * 3600, 1) == 8 * 3600, "the machine slept, and no clock of its system"
    assert passes(-3599, 1) == pytest.approx(1, abs=0.011), "it never goes back"


def test_an_arena_pairs_as_long_as_it_was_to(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, _ = await here.open("arena", 3, minutes=5)
            await here.pass_ms(60_000 - 20_000)
            ended = ends_at((await here.find(id)).head)
            here.time = here.tables.live.looked_at = ended - 10_000
            here.time += 30_000
            assert await here.director.sweep() == 0, "nothing ends before the outage is passed over"
            await here.clock.sweep()
            await here.director.sweep()
            found = await here.find(id)
            assert found.phase == Phase.RUNNING
            assert ends_at(found.head) == ended + 30_000

    asyncio.run(run())


def test_a_round_opens_only_when_people_have_had_time_to_come_back(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, _ = await here.open("round-robin", 4)
            await here.clock.sweep()
            await here.director.sweep()
            await here.resign_all(id)
            here.time += 30_000
            await here.clock.sweep()
            await here.director.sweep()
            assert (await here.find(id)).round == 1
            await here.pass_ms(RETURN_MS)
            assert (await here.find(id)).round == 2
            other, _ = await here.open("round-robin", 0, begins_in=1)
            begins = (await here.find(other)).head.begins_at
            await here.pass_ms(MINUTE_MS - 5_000)
            here.time += 80_000
            await here.clock.sweep()
            assert (await here.find(other)).head.begins_at == here.time + BEGIN_AFTER_MS > begins

    asyncio.run(run())


def test_a_deal_that_was_to_close_in_an_outage_can_be_finished(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, people = await here.open("duel", 2, game=DEAL, options={}, minutes=15)
            while await here.director.sweep():
                pass
            match = await here.tournaments.open_deal(people[0], id)
            closes = closing_ms(await here.find(id))
            here.time = here.tables.live.looked_at = closes - 10_000
            await here.clock.sweep()
            here.time += 40_000
            await play_on(here, match, people[0].holder)
            history = (await here.tables.live.table(match)).history
            assert (history.sealed, history.head.closes_at) == (True, closes + 40_000)
            assert (await here.store.load(match)).head.closes_at == closes + 40_000  # type: ignore[union-attr]
            assert (await here.find(id)).games[0].score is not None

    asyncio.run(run())


async def play_before_midnight(here: Site) -> tuple[DailyDeals, int, str]:
    """Open a deal of the day one minute before it closes; return the deals, the day and the match."""
    here.time = (here.time // DAY_MS + 1) * DAY_MS - 60_000
    await here.clock.sweep()
    deals = DailyDeals(here.store, here.tables)
    return deals, deals.today, await deals.play(ANN, "Ann", DEAL)


def test_a_day_that_was_to_close_in_an_outage_stays_open_for_who_plays(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            deals, day, match = await play_before_midnight(here)
            await here.pass_ms(50_000)
            here.time += 40_000
            for _ in range(2):
                with pytest.raises(Refused) as refused:
                    await deals.standings(day, ANN)
                assert refused.value.code == ErrorCode.SEALED
                await here.clock.sweep()
            await play_on(here, match, ANN)
            await here.pass_ms(40_000)
            (standings,) = await deals.standings(day, ANN)
            assert standings.entries == 1

    asyncio.run(run())


def closing_ms(found: Tournament) -> int:
    """Return when the deal of a duel closes."""
    at = kind_of(found).closes_at(found.head)
    assert at is not None
    return at


async def play_on(here: Site, match: str, holder: str) -> None:
    """Play a game for one to its end."""
    history = (await here.tables.live.table(match)).history
    while not history.ending:
        token = history.match.position.legal()[0]
        await here.tables.submit(holder, PlayMove(match, history.ply, fresh(), token))


def test_while_the_bus_is_silent_nobody_counts_as_gone(tmp_path: Path) -> None:
    async def keep() -> None:
        async with site(tmp_path) as here:
            id = await begin(here, "5+3")
            table = await here.tables.live.table(id)
            table.note_presence(Notice(id, 0, (1,), "elsewhere"))
            here.time += 70_000
            table.keep_presence()
            assert 1 in table.present
            assert set(table.away_since.values()) == {here.time}

    asyncio.run(keep())
