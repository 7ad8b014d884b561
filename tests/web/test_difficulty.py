"""How hard a variant is: said on the page of its options, from games that anybody can play again."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from html import unescape

import pytest

from smallchange.game import Game
from smallchange.lab.measure import Rate
from smallchange.mind.levels import percent
from smallchange.web.bots import HINTS
from smallchange.web.difficulty import Played
from smallchange.web.guard import Purses

from ..test_cli import output
from .serving import Person, Served

SAID = re.compile(r'<p id="difficulty"[^>]*>(.*?) <code>(.*?)</code></p>')


def said(ann: Person, game: str, **fields: str) -> tuple[str, str]:
    """The sentence, and the command."""
    page = ann.web.get(f"/games/{game}/difficulty", params=fields)
    assert page.status_code == 200, page.text
    found = SAID.search(unescape(page.text))
    assert found
    return found[1].replace("\u00a0", " "), found[2]


@pytest.mark.parametrize(
    ("game", "fields"), [("solo", {"topology": "torus"}), ("solo", {}), ("dodgem", {"size": "4"})]
)
def test_the_figures_are_those_of_the_command_beside_them(
    ann: Person, game: str, fields: dict[str, str]
) -> None:
    sentence, command = said(ann, game, **fields)
    name, *words = shlex.split(command)
    assert name == "smallchange"
    run = json.loads(output(*words, "--json"))
    rates = [Rate(**rate) for rate in ([run["win_rate"]] if game == "solo" else run["win_rate"].values())]
    assert f"{percent(rates[0].p, fine=1)} % of {run['n']:,} games" in sentence
    assert percent(rates[-1].p, fine=1) in sentence
    if sum(rate.p for rate in rates) == 1:
        assert sum(float(percent(rate.p, fine=1)) for rate in rates) == 100
    ends = re.search(r"interval (\S+) to (\S+)\)", sentence)
    assert ends
    assert [float(end) / 100 for end in ends.groups()] == pytest.approx(
        [rates[0].low, rates[0].high], abs=0.0005
    )
    assert said(ann, game, **fields) == (sentence, command)


def test_an_option_that_cannot_be_is_named(ann: Person) -> None:
    page = ann.web.get("/games/solo/difficulty", params={"free_moves": "13"})
    assert page.status_code == 400
    assert "must be a whole number from 0 to 12, not 13" in unescape(page.text)
    assert ann.web.get("/games/nothing/difficulty").status_code == 404


def test_games_are_played_for_an_address_so_often_and_what_is_known_is_told_always(
    served: Served, ann: Person
) -> None:
    usual, served.hub.variants = served.hub.variants, Purses(1, 3600.0)
    try:
        first = said(ann, "solo", free_moves="1")
        refused = ann.web.get("/games/solo/difficulty", params={"free_moves": "2"})
        assert refused.status_code == 429
        assert said(ann, "solo", free_moves="1") == first
        assert said(ann, "solo")[1] == "smallchange simulate solo -n 100000 --policy greedy --seed 1"
    finally:
        served.hub.variants = usual


def test_where_too_much_is_thought_about_it_says_so_and_can_be_asked_again(
    served: Served, ann: Person
) -> None:
    desk = served.hub.difficulty._bots._hints
    desk.open += HINTS
    try:
        refused = ann.web.get("/games/solo/difficulty", params={"free_moves": "3"})
    finally:
        desk.open -= HINTS
    assert refused.status_code == 503
    assert "Ask again" in refused.text
    assert "free-moves 3" in said(ann, "solo", free_moves="3")[1]


def test_a_variant_that_many_ask_for_at_once_is_played_once(served: Served) -> None:
    game = Game("solo", {"free_moves": 5})

    async def ask() -> list[Played]:
        return await asyncio.gather(*(served.hub.difficulty.of(game) for _ in range(HINTS + 1)))

    first, *others = served.call(ask())
    assert all(one is first for one in others)
