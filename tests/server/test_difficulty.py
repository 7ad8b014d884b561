"""The difficulty of a variant on the page of its options, from games that anybody can replay."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from html import unescape
from pathlib import Path

import pytest

from smallchange.bots.levels import load_bots, percent
from smallchange.core.game import Game, games
from smallchange.lab.calibrate import WIN_RATES_FILE
from smallchange.lab.result_tables import rate, variant
from smallchange.lab.statistics import Rate
from smallchange.server.insight.difficulty import MAX_RUNNING
from smallchange.server.table.live.bot_workers import MAX_HINTS
from smallchange.server.table.view.measured_odds import WinRates
from smallchange.server.web.errors import Refused
from smallchange.server.web.limits import KeyedRateLimit
from tests.support.commands import output

from .serving import Person, Served
from .tables import page_text

SAID = re.compile(r"([^>]*?) <code>(.*?)</code>")


def sentences(ann: Person, game: str, **fields: str) -> list[tuple[str, str]]:
    """Return sentence and command for simple players, then for the best bot."""
    page = ann.web.get(f"/games/{game}/difficulty", params=fields)
    assert page.status_code == 200, page.text
    return SAID.findall(page_text(page.text).replace("\u00a0", " "))


def simple_players_sentence(ann: Person, game: str, **fields: str) -> tuple[str, str]:
    """Return the sentence on simple players, and the command."""
    return sentences(ann, game, **fields)[0]


@pytest.mark.parametrize(
    ("game", "fields"), [("solo", {"topology": "torus"}), ("solo", {}), ("dodgem", {"size": "4"})]
)
def test_the_figures_are_those_of_the_command_beside_them(
    ann: Person, game: str, fields: dict[str, str]
) -> None:
    sentence, command = simple_players_sentence(ann, game, **fields)
    name, *words = shlex.split(command)
    assert name == "smallchange"
    run = json.loads(output(*words, "--json"))
    rates = [Rate(**rate) for rate in ([run["win_rate"]] if game == "solo" else run["win_rate"].values())]
    assert f"{percent(rates[0].p, fine=1)}% of {run['n']:,} games" in sentence
    assert percent(rates[-1].p, fine=1) in sentence
    if sum(rate.p for rate in rates) == 1:
        assert sum(float(percent(rate.p, fine=1)) for rate in rates) == 100
    ends = re.search(r"interval (\S+)% to (\S+)%\)", sentence)
    assert ends
    assert [float(end) / 100 for end in ends.groups()] == pytest.approx(
        [rates[0].low, rates[0].high], abs=0.0005
    )
    assert simple_players_sentence(ann, game, **fields) == (sentence, command)


def test_a_command_breaks_at_no_hyphen(ann: Person) -> None:
    page = ann.web.get("/games/solo/difficulty", params={"topology": "torus"}).text
    assert '<span class="named">--topology</span> torus' in page


def test_the_best_bot_is_told_of_where_it_was_measured(ann: Person) -> None:
    _, (torus, command) = sentences(ann, "solo", topology="torus")
    assert torus == "The best bot won 98.50% of 200 games (95% interval 95.68% to 99.49%)."
    assert command == "smallchange experiment docs/odds/solo.toml"
    _, (base, command) = sentences(ann, "solo")
    figures = load_bots(Game("solo"))["level5"].measured
    assert figures
    assert f"{percent(figures.share, fine=1)}% of {figures.n:,} games" in base
    assert command == figures.command
    _, (pair, _) = sentences(ann, "dodgem", start="crosswise")
    assert "Between two of the best bots, Red won 84.0% of 100 games" in pair
    assert "Green 16.0%" in pair
    assert len(sentences(ann, "solo", topology="torus", free_moves="2")) == 1


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
        first = simple_players_sentence(ann, "solo", free_moves="1")
        refused = ann.web.get("/games/solo/difficulty", params={"free_moves": "2"})
        assert refused.status_code == 429
        assert simple_players_sentence(ann, "solo", free_moves="1") == first
        assert (
            simple_players_sentence(ann, "solo")[1]
            == "smallchange simulate solo -n 100000 --policy greedy --seed 1"
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
    assert "free-moves 3" in simple_players_sentence(ann, "solo", free_moves="3")[1]


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
        impatient.setattr("smallchange.server.insight.difficulty.WAIT_S", 0.0)
        early = ann.web.get("/games/solo/difficulty", params=fields)
    assert early.status_code == 202
    assert "Simple players are playing it" in early.text
    assert '<meta http-equiv="refresh"' in early.text
    assert simple_players_sentence(ann, "solo", **fields)


def test_however_many_variants_are_asked_for_at_once_there_is_room_for_hints(served: Served) -> None:
    games = [Game("solo", {"free_moves": n, "stack_free_moves": True}) for n in (0, *range(6, 13))]

    async def ask() -> list[WinRates | BaseException]:
        asked = (served.services.insight.difficulty.measure(game) for game in games)
        return await asyncio.gather(*asked, return_exceptions=True)

    found = served.call(ask())
    assert [isinstance(one, WinRates) for one in found] == [True] * MAX_RUNNING + [False] * (
        len(games) - MAX_RUNNING
    )
    assert {one.code for one in found if isinstance(one, Refused)} == {"thinking"}
    assert MAX_RUNNING < MAX_HINTS
