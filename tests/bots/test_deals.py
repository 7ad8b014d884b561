"""Deals by difficulty: easy, medium and hard ones, found by the best bot's odds at their start."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random

import pytest

from research.calibrate import WIN_RATES_FILE
from research.calibrate.deals import SHARE, measure_bands
from smallchange.bots.deals import (
    DIFFICULTIES,
    Bands,
    bands,
    deal_odds,
    find_deal,
    measured_bands,
    opening,
    stored_bands,
)
from smallchange.core.game import Game, games
from smallchange.core.match import Match
from smallchange.lab.statistics import Rate
from tests.support.commands import run

FOR_ONE = [id for id in games() if len(Game(id).seats) == 1]
QUICK = Game("thrag")
DOUBT = 0.05  # between odds at the start and games won, beyond the interval of the games


@pytest.mark.parametrize("id", games())
def test_games_for_one_have_bands_and_no_others(id: str) -> None:
    found = bands(Game(id))
    assert (found is not None) == (id in FOR_ONE)
    if found:
        assert 0 < found.low < found.high < 1
        assert list(found.mean) == list(DIFFICULTIES)
        assert all(easier > harder for easier, harder in pairwise(found.mean.values()))
        assert all(found.holds(found.mean[name], name) for name in DIFFICULTIES)


@pytest.mark.parametrize("id", FOR_ONE)
def test_presets_have_bands_that_say_what_the_best_bot_wins_and_tell_deals_apart(id: str) -> None:
    game = Game(id)
    wins = {
        Game(id, row["options"]): row
        for row in json.loads((game.folder / WIN_RATES_FILE).read_text())["variants"]
    }
    measured = [Game(id, row["options"]) for row in stored_bands(game)]
    assert len(measured) > 1
    for variant in measured:
        found = measured_bands(variant)
        assert len({round(100 * odds) for odds in found.mean.values()}) == len(DIFFICULTIES), variant
        mean = SHARE * (found.mean["easy"] + found.mean["hard"]) + (1 - 2 * SHARE) * found.mean["medium"]
        rate = Rate.of(wins[variant]["wins"][0], wins[variant]["n"])
        assert rate.low - DOUBT < mean < rate.high + DOUBT, variant


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_a_deal_is_found_by_its_difficulty_and_holds_it_on_a_fresh_seed(difficulty: str) -> None:
    deal = find_deal(QUICK, difficulty, Random(7))
    assert find_deal(QUICK, difficulty, Random(7)) == deal, "the same luck finds the same deal"
    assert measured_bands(QUICK).holds(deal_odds(QUICK, deal, Random(4)), difficulty)


def test_the_difficulty_is_that_of_the_first_choice_and_the_luck_after_it_stays_as_dealt() -> None:
    deal = find_deal(QUICK, "medium", Random(5))
    match = Match(QUICK, deal)
    match.settle()
    assert opening(QUICK, deal) == match.position
    assert len(match.position.legal()) > 1
    assert deal_odds(QUICK, deal) == deal_odds(QUICK, deal)


def test_every_odds_lie_in_one_band() -> None:
    found = Bands(0.3, 0.5, {}, 100, "")
    for odds in (0.0, 0.299, 0.301, 0.499, 0.501, 1.0):
        assert [found.holds(odds, name) for name in DIFFICULTIES].count(True) == 1


def test_what_has_no_difficulty_is_refused_with_what_is_accepted() -> None:
    with pytest.raises(
        ValueError, match="unknown difficulty 'awful'; the difficulties are: easy, medium, hard"
    ):
        find_deal(QUICK, "awful")
    for game in (Game("dodgem"), Game("solo", {"topology": "sphere"})):
        with pytest.raises(ValueError, match="have no measured difficulty"):
            find_deal(game, "easy")


def test_bands_are_measured_on_enough_deals_of_a_game_for_one() -> None:
    with pytest.raises(ValueError, match="bands are measured on 3 deals or more, not 2"):
        measure_bands(QUICK, 2, 1)
    with pytest.raises(ValueError, match="dodgem is a game for two"):
        measure_bands(Game("dodgem"), 100, 1)


def test_the_prompt_refuses_a_deal_and_a_difficulty_together() -> None:
    for game, words, why in (
        ("thrag", ["--deal", "00" * 16], "give one of them"),
        ("dodgem", [], "no measured difficulty"),
    ):
        refused = run("play", game, *words, "--difficulty", "easy")
        assert refused.returncode == 2
        assert why in refused.stderr
