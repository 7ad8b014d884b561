"""Predicted chances beside results: the intervals hold, and the page of the documentation shows what was measured."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import smallchange
from research import calibration_page
from research.calibrate.hints import play_game
from smallchange.lab.reliability import Forecast, bins, pool

ROOT = Path(__file__).parents[2]


def forecasts(lie: float, deals: int, luck: Random) -> list[Forecast]:
    """Return ten forecasts of each deal, which all end alike; each says `lie` more than the truth."""
    found = []
    for deal in range(deals):
        truth = luck.uniform(0.05, 0.85)
        points = float(luck.random() < truth)
        found += [Forecast(truth + lie, points, deal)] * 10
    return found


def test_an_honest_forecast_lies_within_most_intervals_though_positions_of_a_deal_end_alike() -> None:
    luck = Random(3)
    found = [one for _ in range(40) for one in bins(forecasts(0.0, 400, luck))]
    assert 0.92 < sum(one.holds for one in found) / len(found) < 0.98


def test_a_forecast_that_says_too_much_is_seen() -> None:
    found = bins(forecasts(0.12, 2000, Random(3)))
    assert sum(one.holds for one in found) <= 2


def test_what_was_never_won_has_an_interval_as_wide_as_its_deals_are_few() -> None:
    few = pool([Forecast(0.1, 0.0, deal) for deal in (1, 1, 1, 2, 3)])
    assert few.won.low == 0.0
    assert few.won.high == pytest.approx(0.56, abs=0.01)  # Wilson, 0 of 3


def test_the_page_shows_the_figures_that_are_kept() -> None:
    text, picture = calibration_page.page(json.loads(calibration_page.FIGURES.read_text(encoding="utf-8")))
    assert text == calibration_page.PAGE.read_text(encoding="utf-8")
    assert picture == calibration_page.PICTURE.read_text(encoding="utf-8")


def test_a_bot_that_expects_itself_is_measured_on_both_sides_of_a_game() -> None:
    found = play_game(smallchange.game("royal-ur", coins=3), 1, 0)
    assert {one.points for one in found} == {0.0, 1.0}


def test_a_bot_that_expects_the_rule_of_thumb_is_measured_on_its_side_alone() -> None:
    found = play_game(smallchange.game("coin-age", map="volcano"), 1, 0)
    assert len({one.points for one in found}) == 1
