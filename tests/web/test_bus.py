"""A bus tells at once, and no more than is needed; one that is away is said once, and not asked for ever."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from smallchange.game import Game, Position
from smallchange.web import bus as buses
from smallchange.web.bots import Bots
from smallchange.web.bus import Notice, Postgres, Redis, Remote
from smallchange.web.rooms import Rooms
from smallchange.web.store import Store
from smallchange.web.story import Story

from .outside import postgresql, until
from .serving import PATIENCE, Person, fresh, hear, say, serving
from .tables import PAIR, legal, seated


@pytest.mark.parametrize(("cut", "said"), [(1, []), (8, ["the bus is away"])])
def test_a_bus_that_is_away_is_said_once_and_a_line_that_is_cut_once_is_none(
    cut: int, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sends finds out late that the line was cut, when it is there again."""
    monkeypatch.setattr(buses, "RETRY", 0.001)
    with (
        capture_logs() as logs,
        ThreadPoolExecutor(1) as apart,
    ):  # the browser tests leave a loop running here
        apart.submit(asyncio.run, _called(cut)).result()
    assert [entry["event"] for entry in logs] == said


async def _called(cut: int) -> None:
    """A bus at a server that hangs up so often, until it has called once more."""
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
    bus = Redis(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    await bus.open(hear)
    await called.wait()
    await bus.close()
    server.close()
    calls[-1].close()


def test_a_bus_is_reached_by_whatever_url_reaches_the_database(database: str) -> None:
    unusual = database.replace("small@", "small:50%off@", 1)  # to libpq this is no URL
    with ThreadPoolExecutor(1) as apart:
        heard = apart.submit(asyncio.run, _told(Postgres(unusual), Postgres(database))).result()
    assert heard == Notice("table", 1)


async def _told(teller: Remote, listener: Remote) -> Notice:
    """What one hears of what the other says; it may not listen yet when that is said first."""
    found: asyncio.Queue[Notice] = asyncio.Queue()
    for bus in (teller, listener):
        await bus.open(found.put)
    try:
        async with asyncio.timeout(PATIENCE):
            while found.empty():
                await teller.publish(Notice("table", 1))
                await asyncio.sleep(0.05)
    finally:
        for bus in (teller, listener):
            await bus.close()
    return found.get_nowait()._replace(sender="")


def test_what_happens_on_one_server_is_told_to_the_other_at_once(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallchange.web.rooms.SWEEP", 3600.0)  # nobody looks whether there is something new
    with (
        serving(tmp_path, database=database, bus=database) as here,
        serving(tmp_path, database=database, bus=database) as there,
        Person(here) as ann,
        Person(there) as bo,
        bo.socket() as b,
    ):
        id = seated(ann, bo, name="Ann")
        say(b, **{"is": "watch", "match": id})
        hear(b, "shown")
        ann.deed(id, "act", 1, token=legal(here, id)[0])
        while hear(b, "shown")["ply"] < 2:
            pass
        with ann.socket() as a:
            say(a, **{"is": "watch", "match": id})
            while "Ann is here" not in str(hear(b, "shown")):
                pass
        while "Ann is away" not in str(hear(b, "shown")):
            pass
        ann.deed(id, "resign", 2)
        again = ann.post(f"/m/{id}/again").headers["location"]
        while again not in str(hear(b, "shown")):
            pass


def test_one_server_thinks_for_a_bot_and_who_is_there_costs_the_others_no_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, read = list[str](), list[str]()
    choose, news, heard = Bots.choose, Store.news, list[Notice]()
    hear_notice = Rooms._noticed

    async def counted(bots: Bots, name: str, position: Position) -> str:
        asked.append(str(position))
        return await choose(bots, name, position)

    async def looked(store: Store, story: Story) -> Any:
        read.append(story.head.id)
        return await news(store, story)

    async def noticed(rooms: Rooms, notice: Notice) -> None:
        await hear_notice(rooms, notice)
        heard.append(notice)

    monkeypatch.setattr(Bots, "choose", counted)
    monkeypatch.setattr(Store, "news", looked)
    monkeypatch.setattr(Rooms, "_noticed", noticed)
    with (
        postgresql() as database,  # which no other server is on
        serving(tmp_path, database=database) as here,
        serving(tmp_path, database=database) as there,
        Person(here) as ann,
        ann.socket() as line,
    ):
        id = ann.open(PAIR, **{f"seat.{Game(PAIR).seats[1]}": "bot:greedy"})
        there.room(id)
        say(line, **{"is": "watch", "match": id})
        for ply in (0, 2, 4):
            say(line, **{"is": "act", "match": id, "ply": ply, "move": fresh(), "token": legal(here, id)[0]})
            while hear(line, "shown")["ply"] < ply + 2:
                pass
        until(lambda: there.room(id).story.ply == 6)
        until(lambda: any(notice.here and notice.ply == 6 for notice in heard))
    assert len(asked) == len(set(asked)) == 3
    assert 6 <= len(read) <= 7, "who is there may be told between a step and its notice"
