"""Watching: the list of running games, the featured one, and the number of spectators."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import httpx
import pytest

from smallchange.server.service import table_service

from .outside import until
from .rated import Program, begin, play_and_resign
from .serving import TIMEOUT_S, Person, Served, hear, say, serving
from .tables import PAIR

NAMES = count()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_service, "SWEEP_PERIOD_S", 0.1)
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
            assert hear(first, "watchers")["text"] == "1 person is watching."
            assert tables_to_watch(served)[0]["spectators"] == 1
            with guy.socket() as second:
                say(second, **{"is": "watch", "match": match})
                assert hear(second, "watchers")["number"] in (1, 2)
                assert hear(first, "watchers")["number"] == 2
            assert hear(first, "watchers")["number"] == 1
        until(lambda: served.live_table(match).spectators_here == 0)


def test_nobody_playing_says_so(served: Served) -> None:
    assert "Nobody plays" in httpx.get(f"{served.url}/watch", timeout=TIMEOUT_S).text
