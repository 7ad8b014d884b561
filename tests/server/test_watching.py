"""Watching: the list of running games, the featured one, and the number of spectators."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from smallchange.core.game import Game
from smallchange.server.table.live import live_table, live_tables
from smallchange.server.table.model import new_tables
from smallchange.server.table.model.commands import NewTable

from .outside import until
from .rated import Program, begin, play, play_and_resign
from .serving import TIMEOUT_S, Person, Served, hear, say, serving
from .tables import PAIR

NAMES = count()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live_tables, "SWEEP_PERIOD_S", 0.1)
        with serving(tmp_path_factory.mktemp("watching")) as served:
            yield served


@pytest.fixture
def players(served: Served) -> Iterator[list[Program]]:
    programs = [Program(served.url, f"Player {next(NAMES)}x") for _ in range(3)]
    yield programs
    for program in programs:
        for match in program.get("/mine")["matches"]:
            if not match["over"]:
                program.command(match["match"], "resign")
        program.close()


def tables_to_watch(served: Served) -> list[dict[str, Any]]:
    tables: list[dict[str, Any]] = httpx.get(f"{served.url}/api/watch", timeout=TIMEOUT_S).json()["tables"]
    return tables


def test_who_looks_finds_bots_who_play_in_the_arena_of_the_hour(tmp_path: Path) -> None:
    with serving(tmp_path, arena_pace=60) as served:  # so that their first match goes on
        for _ in range(2):
            assert httpx.get(f"{served.url}/watch", timeout=TIMEOUT_S).status_code == 200
        until(lambda: tables_to_watch(served))
        page = httpx.get(f"{served.url}/tournaments", timeout=TIMEOUT_S).text
        assert "<bdi>Arena of the hour</bdi>" in page
        until(lambda: 'class="live"><svg' in httpx.get(f"{served.url}/lists", timeout=TIMEOUT_S).text)


def test_rated_paired_and_open_games_are_listed_and_one_by_link_is_not(
    served: Served, players: list[Program]
) -> None:
    ann, bo, _ = players
    rated, by_link, open_to_all = (
        begin(ann, bo),
        begin(ann, bo, rated=False),
        begin(ann, bo, rated=False, open=True),
    )
    sent = ann.post(f"/accounts/{bo.name}/challenge", 201, game=PAIR, time="1d+3d", rated=False)
    challenged = bo.post(f"/challenges/{sent['id']}/answer", yes=True)["match"]
    tables = tables_to_watch(served)
    assert [table["match"] for table in tables][-1] == challenged  # live games first
    assert {table["match"] for table in tables} == {rated, open_to_all, challenged}
    page = httpx.get(f"{served.url}/watch", timeout=TIMEOUT_S).text
    assert f"/m/{rated}" in page
    assert ann.name in page
    assert by_link not in page
    ann.command(rated, "resign")
    assert rated not in {table["match"] for table in tables_to_watch(served)}


def test_the_game_of_the_highest_ratings_is_featured_and_shown(
    served: Served, players: list[Program]
) -> None:
    ann, bo, cy = players
    play_and_resign(begin(ann, bo), ann, bo)
    until(lambda: ann.ratings())
    low, high = begin(bo, cy), begin(ann, cy)
    assert [table["match"] for table in tables_to_watch(served)] == [high, low]
    assert tables_to_watch(served)[0]["players"][0]["points"] > 1500
    page = httpx.get(f"{served.url}/watch?lang=de", timeout=TIMEOUT_S).text
    assert page.index('class="game-picture"') < page.index(f"/m/{high}") < page.index(f"/m/{low}")


def test_spectators_are_counted_and_players_are_not(served: Served, players: list[Program]) -> None:
    ann, bo, _ = players
    match = begin(ann, bo)
    with ann.stream(f"/matches/{match}/stream"), Person(served) as eve, Person(served) as guy:
        with eve.socket() as first:
            say(first, **{"is": "watch", "match": match})
            assert hear(first, "spectators")["text"] == "1 person is watching."
            assert tables_to_watch(served)[0]["spectators"] == 1
            with guy.socket() as second:
                say(second, **{"is": "watch", "match": match})
                assert hear(second, "spectators")["number"] in (1, 2)
                assert hear(first, "spectators")["number"] == 2
            assert hear(first, "spectators")["number"] == 1
        until(lambda: served.live_table(match).spectators_here == 0)


def test_all_spectators_are_sent_the_same_frame(
    served: Served, players: list[Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_table, "SPECTATORS_AT_ONCE", 2)
    ann, bo, _ = players
    match = begin(ann, bo)
    with ExitStack() as open_ones:
        eve = open_ones.enter_context(Person(served))
        sockets = [open_ones.enter_context(eve.socket()) for _ in range(5)]
        for socket in sockets:
            say(socket, **{"is": "watch", "match": match})
            hear(socket, "changes")
        for _ in range(2):
            ply = served.live_table(match).history.ply
            play(match, ann, bo, moves=1)
            shown = [hear(socket, "changes") for socket in sockets]
            assert shown == [shown[0]] * len(sockets)
            assert shown[0]["ply"] > ply


def test_players_are_told_first_and_other_work_goes_between_spectators(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live_table, "SPECTATORS_AT_ONCE", 2)
    seats = dict(zip(Game(PAIR).seats, ("me", "open"), strict=True))
    history, _ = new_tables.new_table(NewTable(PAIR, seats=seats), "ann", new_tables.random_id, 0)

    async def names_in_turn() -> list[str]:
        told: list[str] = []
        table = live_table.LiveTable(history, lambda: 0)
        for name in ("first", "second", "third"):
            table.watch(partial(told.append, name), ())
        table.watch(partial(told.append, "player"), (0,))
        await _let_all_run()
        told.clear()
        asyncio.get_running_loop().call_soon(told.append, "other work")
        table.set_rematch("rematch")
        await _let_all_run()
        return told

    assert asyncio.run(names_in_turn()) == ["player", "first", "second", "other work", "third"]


def test_what_was_drawn_is_dropped_once_everybody_has_it(served: Served, players: list[Program]) -> None:
    ann, bo, _ = players
    match = begin(ann, bo)
    with Person(served) as eve, eve.socket() as socket:
        say(socket, **{"is": "watch", "match": match})
        hear(socket, "changes")
        ann.command(match, "resign")
        hear(socket, "changes")
        until(lambda: not served.live_table(match)._cache)


async def _let_all_run() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_nobody_playing_says_so(served: Served) -> None:
    assert "No games to watch right now" in httpx.get(f"{served.url}/watch", timeout=TIMEOUT_S).text
