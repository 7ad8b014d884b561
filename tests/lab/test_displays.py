"""Results in a notebook: tables with their intervals, escaped."""

from __future__ import annotations

import re

import smallchange
from smallchange import Match
from smallchange.bots.review import Choice, Review
from smallchange.lab.ladder import Ladder
from smallchange.lab.result_tables import Sheet
from smallchange.lab.results import Results
from smallchange.lab.simulate import Simulation
from smallchange.lab.statistics import Rate, Spread

GAME = smallchange.game("thrag")


def cells(html: str) -> list[str]:
    return re.findall(r"<td>(.*?)</td>", html)


def test_a_simulation_shows_each_share_with_its_interval() -> None:
    rate, spread = {"player": Rate.of(1, 4)}, {"player": Spread.of({0: 3, 1: 1})}
    numbers = (4, 7, 1, 0.1, 40.0, 400.0, 10.0, 12)
    done = Simulation("thrag", 1, {}, "greedy", *numbers, {"lost": 3, "won": 1}, rate, spread, "")
    html = done._repr_html_()
    assert cells(html)[:4] == ["ended", "lost", "3", "75.00%"]
    assert f"{rate['player'].low:.2%}" in cells(html)
    assert "Seed 7." in html


def test_a_ladder_shows_its_tables_and_escapes_what_they_say() -> None:
    sheet = Sheet("Ratings", "<b>", ["player"], [["<me>"]])
    html = Ladder(GAME, [], Results({}, [], {}), [], [sheet, sheet])._repr_html_()
    assert html.count("<table>") == 2
    assert cells(html) == ["&lt;me&gt;"] * 2
    assert "<b>" not in html


def test_a_review_shows_what_gave_odds_away_and_whose_account_it_is() -> None:
    match = Match(smallchange.game("dodgem"), seats={"red": "<Ann>"})
    match.play("a2-b2")
    found = [Choice(0, "red", "a2-b2", 0.4, "a1-b1", 0.9)]
    html = Review(match, found)._repr_html_()
    assert cells(html) == ["1", "Red", "a2-b2", "40%", "a1-b1", "90%", "50"]
    assert "Start 90, choices −50, the other’s choices +0, second look +0 = at the end 40" in html
    assert not cells(Review(match, [found[0]._replace(chance=0.9)])._repr_html_())


def test_a_match_shows_a_picture_that_moves_and_its_players_escaped() -> None:
    match = Match(smallchange.game("dodgem"), seats={"red": "<Ann>"})
    match.play("a2-b2")
    html = match._repr_html_()
    assert 'src="data:image/svg+xml;base64,' in html
    assert "&lt;Ann&gt;" in html
    assert "<Ann>" not in html
