"""A bus tells at once, and no more than is needed; one that is away is said once, and not asked for ever."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from structlog.testing import capture_logs

from smallchange.core.game import Game, Position
from smallchange.server.database import bus as buses
from smallchange.server.database.bus import Notice, PostgresBus
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.live_tables import LiveTables
from smallchange.server.table.model.history import History
from smallchange.server.table.storage.store import Store

from .outside import postgresql, until
from .serving import TIMEOUT_S, Person, fresh, hear, say, serving
from .tables import PAIR, legal, table_for_two


@pytest.mark.parametrize(("cut", "said"), [(1, []), (8, ["the bus is away"])])
def test_a_bus_that_is_away_is_said_once_and_a_line_that_is_cut_once_is_none(
    cut: int, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sends finds out late that the line was cut, when it is there again."""
    monkeypatch.setattr(buses, "MIN_RETRY_S", 0.001)
    with (
        capture_logs() as logs,
        ThreadPoolExecutor(1) as apart,
    ):  # the browser tests leave a loop running here
        apart.submit(asyncio.run, _call_until_accepted(cut)).result()
    assert [entry["event"] for entry in logs] == said


async def _call_until_accepted(cut: int) -> None:
    """Run a bus at a server that hangs up this often, until it has called once more."""
    calls: list[asyncio.StreamWriter] = []
    called = asyncio.Event()

    def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        calls.append(writer)
        if len(calls) > cut:
            called.set()
        else:
            writer.close()

    async def hear(_: Notice) -> None:
        raise AssertionError

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    place = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    bus = PostgresBus(f"postgresql://{place}/none?sslmode=disable&gssencmode=disable")
    await bus.open(hear)
    await called.wait()
    await bus.close()
    server.close()
    for writer in calls:
        writer.close()
    await asyncio.gather(*(writer.wait_closed() for writer in calls), return_exceptions=True)


def test_a_bus_is_reached_by_whatever_url_reaches_the_database(database: str) -> None:
    unusual = database.replace("small@", "small:50%off@", 1)  # to libpq this is no URL
    with ThreadPoolExecutor(1) as apart:
        heard = apart.submit(asyncio.run, _first_notice(PostgresBus(unusual), PostgresBus(database))).result()
    assert heard == Notice("table", 1)


async def _first_notice(teller: PostgresBus, listener: PostgresBus) -> Notice:
    """Return the first notice that one bus gets of another, which sends until it is heard."""
    found: asyncio.Queue[Notice] = asyncio.Queue()
    for bus in (teller, listener):
        await bus.open(found.put)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            while found.empty():
                await teller.publish(Notice("table", 1))
                await asyncio.sleep(0.05)
    finally:
        for bus in (teller, listener):
            await bus.close()
    return found.get_nowait()._replace(sender="")


def test_a_bus_whose_server_stands_still_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buses, "SILENT_S", 0.2)

    async def run(place: str) -> None:
        bus = PostgresBus(place)
        await bus.open(_ignore)
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await _publish_until(bus, lambda: len(_lines(place)) == 2 and not bus.is_silent)
                stopped = _lines(place)
                for pid in stopped:
                    os.kill(pid, signal.SIGSTOP)
                await _publish_until(bus, lambda: bus.is_silent)
                for pid in stopped:
                    os.kill(pid, signal.SIGCONT)
                await _publish_until(bus, lambda: not bus.is_silent)
        finally:
            await bus.close()

    with postgresql() as place, ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, run(place)).result()


async def _ignore(_: Notice) -> None:
    """Hear a notice."""


async def _publish_until(bus: PostgresBus, is_so: Callable[[], bool]) -> None:
    while not is_so():
        await bus.publish(Notice("table", 1))
        await asyncio.sleep(0.01)


def _lines(place: str) -> list[int]:
    """Return the processes of PostgreSQL that serve the two sides of a bus."""
    query = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query LIKE 'SELECT pg_notify%'"
    with psycopg.connect(place) as connection:
        return [pid for (pid,) in connection.execute(query)]


def test_what_happens_on_one_server_is_told_to_the_other_at_once(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "smallchange.server.table.live.live_tables.SWEEP_PERIOD_S", 3600.0
    )  # nobody looks whether there is something new
    with (
        serving(tmp_path, database=database) as here,
        serving(tmp_path, database=database) as there,
        Person(here) as ann,
        Person(there) as bo,
        bo.socket() as b,
    ):
        id = table_for_two(ann, bo, name="Ann")
        say(b, **{"is": "watch", "match": id})
        hear(b, "changes")
        ann.command(id, "act", 1, token=legal(here, id)[0])
        while hear(b, "changes")["ply"] < 2:
            pass
        with ann.socket() as a:
            say(a, **{"is": "watch", "match": id})
            while "Ann is here" not in str(hear(b, "changes")):
                pass
        while "Ann is away" not in str(hear(b, "changes")):
            pass
        ann.command(id, "resign", 2)
        again = ann.post(f"/m/{id}/rematch").headers["location"]
        while again not in str(hear(b, "changes")):
            pass


def test_one_server_thinks_for_a_bot_and_who_is_there_costs_the_others_no_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, read = list[str](), list[str]()
    choose, news, heard = BotWorkers.choose, Store.load_news, list[Notice]()
    hear_notice = LiveTables._receive

    async def count_call(bots: BotWorkers, name: str, position: Position, luck: Random | None) -> str:
        asked.append(position.key())
        return await choose(bots, name, position, luck)

    async def look_up(store: Store, history: History) -> Any:
        read.append(history.head.id)
        return await news(store, history)

    async def notice(tables: LiveTables, notice: Notice) -> None:
        await hear_notice(tables, notice)
        heard.append(notice)

    monkeypatch.setattr(BotWorkers, "choose", count_call)
    monkeypatch.setattr(Store, "load_news", look_up)
    monkeypatch.setattr(LiveTables, "_receive", notice)
    with (
        postgresql() as database,  # which no other server is on
        serving(tmp_path, database=database) as here,
        serving(tmp_path, database=database) as there,
        Person(here) as ann,
        ann.socket() as line,
    ):
        id = ann.open(PAIR, **{f"seat.{Game(PAIR).seats[1]}": "bot:greedy"})
        there.live_table(id)
        say(line, **{"is": "watch", "match": id})
        for ply in (0, 2, 4):
            say(line, **{"is": "act", "match": id, "ply": ply, "move": fresh(), "token": legal(here, id)[0]})
            while hear(line, "changes")["ply"] < ply + 2:
                pass
        until(lambda: there.live_table(id).history.ply == 6)
        until(lambda: any(notice.here and notice.ply == 6 for notice in heard))
    assert len(asked) == len(set(asked)) == 3
    assert 6 <= len(read) <= 7, "who is there may be told between a step and its notice"
