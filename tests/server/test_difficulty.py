"""The difficulty of a variant as a player would say it, from games that anybody can replay."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from research.calibrate import WIN_RATES_FILE
from smallchange.core.game import Game, games
from smallchange.lab.result_tables import rate, variant
from smallchange.lab.statistics import Rate
from smallchange.server.insight.reviews import MAX_RUNNING
from smallchange.server.table.live.bot_workers import MAX_HINTS
from smallchange.server.table.view.measured_odds import BEGINNERS, WinRates, odds_words
from smallchange.server.web.errors import Refused
from smallchange.server.web.limits import KeyedRateLimit
from tests.support.commands import output

from .serving import Person, Served


def sentences(ann: Person, game: str, **fields: str) -> list[str]:
    """Return the sentence on beginners, then that on strong players."""
    page = ann.web.get(f"/games/{game}/difficulty", params=fields)
    assert page.status_code == 200, page.text
    found = page.text.partition('id="difficulty"')[2].partition("</div>")[0]
    return re.findall("<p>(.*?)</p>", unescape(found))


def rates_of(served: Served, game: str, **options: Any) -> WinRates:
    found: WinRates = served.call(served.services.insight.difficulty.measure(Game(game, options)))
    return found


@pytest.mark.parametrize(
    ("game", "options"), [("solo", {"topology": "torus"}), ("solo", {}), ("dodgem", {"size": 4})]
)
def test_the_figures_are_those_of_the_command_beside_them(
    served: Served, game: str, options: dict[str, Any]
) -> None:
    found = rates_of(served, game, **options)
    name, *words = shlex.split(found.command)
    assert name == "smallchange"
    run = json.loads(output(*words, "--json"))
    rates = [Rate(**rate) for rate in run["win_rate"].values()]
    assert [rate.p for rate in found.rates.values()] == [rate.p for rate in rates]
    assert found.n == run["n"]


def test_a_page_says_how_hard_it_is_as_a_player_would(ann: Person) -> None:
    assert sentences(ann, "solo", topology="sphere")[1] == "A strong player wins nearly always."
    assert sentences(ann, "dodgem", start="crosswise")[1] == "Between strong players, Red wins most games."
    assert len(sentences(ann, "solo", topology="torus", free_moves="2")) == 1
    for word in ("smallchange", "interval", "<code>"):
        assert word not in ann.web.get("/games/solo/difficulty").text.partition("<main")[2]


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((0.0002,), "A beginner almost never wins."),
        ((0.0041,), "A beginner wins about 1 game in 200."),
        ((0.071,), "A beginner wins about 1 game in 14."),
        ((0.34,), "A beginner wins about 3 games in 10."),
        ((0.52,), "A beginner wins about half of the games."),
        ((0.97,), "A beginner wins nearly always."),
        ((0.01, 0.0), "Beginners nearly always draw."),
        ((0.52, 0.48), "Even between beginners."),
        ((0.4, 0.6), "Between beginners, Green has the edge."),
        ((0.8, 0.1), "Between beginners, Red wins most games."),
        ((1.0, 0.0), "Between beginners, Red always wins."),
    ],
)
def test_how_often_players_win_is_said_without_digits_that_mean_nothing(
    shares: tuple[float, ...], said: str
) -> None:
    game = Game("solo" if len(shares) == 1 else "dodgem")
    rates = {seat: Rate(p, p, p) for seat, p in zip(game.seats, shares, strict=True)}
    assert odds_words(game, WinRates(100, rates, ""), BEGINNERS).en == said


@pytest.mark.parametrize("id", games())
def test_what_is_told_of_the_best_bot_is_what_the_documentation_says(id: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "odds.md").read_text(encoding="utf-8")
    measured = json.loads((Game(id).folder / WIN_RATES_FILE).read_text(encoding="utf-8"))
    assert f"`{measured['command']}`" in page
    assert measured["variants"]
    section = page.partition(f"<!-- {id} -->")[2].partition("###")[0]
    for row in measured["variants"]:
        name = f"| {variant(row['options'])} | level5 | {row['n']} |"
        (cells,) = [line.split(" | ") for line in section.splitlines() if line.startswith(name)]
        shares = cells[3:6:2] if len(row["wins"]) > 1 else cells[3:4]
        assert [rate(Rate.of(n, row["n"])) for n in row["wins"]] == shares


def test_an_option_that_cannot_be_is_named(ann: Person) -> None:
    page = ann.web.get("/games/solo/difficulty", params={"free_moves": "13"})
    assert page.status_code == 400
    assert "must be a whole number from 0 to 12, not 13" in unescape(page.text)
    assert ann.web.get("/games/nothing/difficulty").status_code == 404


def test_games_are_played_for_an_address_so_often_and_what_is_known_is_told_always(
    served: Served, ann: Person
) -> None:
    usual, served.services.limits.difficulties = (
        served.services.limits.difficulties,
        KeyedRateLimit(1, 3600.0),
    )
    try:
        first = sentences(ann, "solo", free_moves="1")
        refused = ann.web.get("/games/solo/difficulty", params={"free_moves": "2"})
        assert refused.status_code == 429
        assert sentences(ann, "solo", free_moves="1") == first
        assert (
            rates_of(served, "solo").command == "smallchange simulate solo -n 100000 --policy greedy --seed 1"
        )
    finally:
        served.services.limits.difficulties = usual


def test_where_too_much_is_thought_about_it_says_so_and_can_be_asked_again(
    served: Served, ann: Person
) -> None:
    desk = served.services.insight.difficulty._bots._hints
    desk.open += MAX_HINTS
    try:
        refused = ann.web.get("/games/solo/difficulty", params={"free_moves": "3"})
    finally:
        desk.open -= MAX_HINTS
    assert refused.status_code == 503
    assert "Ask again" in refused.text
    assert sentences(ann, "solo", free_moves="3")


def test_a_variant_that_many_ask_for_at_once_is_played_once(served: Served) -> None:
    game = Game("solo", {"free_moves": 5})

    async def ask() -> list[WinRates]:
        return await asyncio.gather(
            *(served.services.insight.difficulty.measure(game) for _ in range(MAX_HINTS + 1))
        )

    first, *others = served.call(ask())
    assert all(one is first for one in others)


def test_a_page_that_is_asked_too_early_says_that_the_games_are_being_played(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = {"topology": "torus", "free_moves": "1"}
    with monkeypatch.context() as impatient:
        impatient.setattr("smallchange.server.insight.reviews.WAIT_S", 0.0)
        early = ann.web.get("/games/solo/difficulty", params=fields)
    assert early.status_code == 202
    assert "Simple bots are playing it" in early.text
    assert '<meta http-equiv="refresh"' in early.text
    assert sentences(ann, "solo", **fields)


def test_however_many_variants_are_asked_for_at_once_there_is_room_for_hints(served: Served) -> None:
    games = [Game("solo", {"free_moves": n, "stack_free_moves": True}) for n in (0, *range(6, 13))]

    async def ask() -> list[WinRates | BaseException]:
        asked = (served.services.insight.difficulty.measure(game) for game in games)
        return await asyncio.gather(*asked, return_exceptions=True)

    found = served.call(ask())
    assert [isinstance(one, WinRates) for one in found] == [True] * MAX_RUNNING + [False] * (
        len(games) - MAX_RUNNING
    )
    assert {one.code for one in found if isinstance(one, Refused)} == {"bots-busy"}
    assert MAX_RUNNING < MAX_HINTS
