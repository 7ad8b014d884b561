"""The play rating: what a level gives away is measured, and a player's mean lies between those of two levels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.calibrate.given_away import measure_given_away
from smallchange.bots.levels import LEVELS, load_bots
from smallchange.bots.mean_cost import MeanCost, SeatCost
from smallchange.bots.play_rating import MIN_MATCHES, level_of, measured_levels, play_rating
from smallchange.core.game import Game, games

FOR_TWO = [id for id in games() if len(Game(id).seats) == 2]
STEPS = [0.08, 0.04, 0.02, 0.01, 0.0]
one_cost = st.builds(lambda mean, n: SeatCost(mean * n, n), st.floats(0, 1), st.integers(1, 60))
costs = st.lists(one_cost, min_size=2, max_size=30)


@pytest.mark.parametrize("id", FOR_TWO)
def test_what_each_level_gives_away_was_measured_by_these_rules_and_falls_with_the_level(id: str) -> None:
    game, bots = Game(id), load_bots(Game(id))
    for name in LEVELS:
        found = bots[name].given
        assert found is not None, f"measure it: python -m research calibrate {id} given {name}"
        assert found.rules == game.version, f"measure again: python -m research calibrate {id} given {name}"
        assert 0 <= found.low <= found.mean <= found.high < 1
    steps = measured_levels(bots, game.version)
    assert steps == sorted(steps, reverse=True)
    assert len(set(steps)) == len(LEVELS)
    assert measured_levels(bots, game.version + 1) == []


@given(costs)
def test_the_mean_weighs_every_choice_alike_and_lies_in_its_interval(found: list[SeatCost]) -> None:
    mean = MeanCost.of(found)
    assert mean is not None
    assert mean.mean == pytest.approx(sum(c.given for c in found) / sum(c.choices for c in found))
    assert mean.low - 1e-9 <= mean.mean <= mean.high + 1e-9
    again = MeanCost.of(found * 4)
    assert again is not None
    assert again.high - again.low <= mean.high - mean.low + 1e-9


@given(st.floats(0, 0.2), st.floats(0, 0.2))
def test_who_gives_away_more_has_no_higher_level(one: float, other: float) -> None:
    more, less = max(one, other), min(one, other)
    assert 1 <= level_of(more, STEPS) <= level_of(less, STEPS) <= 5


@pytest.mark.parametrize("id", FOR_TWO)
def test_a_player_who_gives_away_as_much_as_a_level_is_rated_as_it(id: str) -> None:
    bots, version = load_bots(Game(id)), Game(id).version
    for number, mean in enumerate(measured_levels(bots, version), 1):
        rating = play_rating(MeanCost(MIN_MATCHES, 400, mean, mean, mean), bots, version)
        assert rating is not None
        assert rating.level == pytest.approx(number)
        assert rating.low == rating.high == rating.level


def test_there_is_no_play_rating_from_few_matches_and_no_level_where_none_was_measured() -> None:
    bots, version = load_bots(Game(FOR_TWO[0])), Game(FOR_TWO[0]).version
    assert play_rating(MeanCost(MIN_MATCHES - 1, 400, 0.02, 0.01, 0.03), bots, version) is None
    unmeasured = play_rating(MeanCost(MIN_MATCHES, 400, 0.02, 0.01, 0.03), bots, version + 1)
    assert unmeasured is not None
    assert unmeasured.level is None


def test_no_choice_has_no_mean() -> None:
    assert MeanCost.of([]) is None
    assert MeanCost.of([SeatCost(0.0, 0)]) is None


def test_the_stored_command_measures_the_same_again() -> None:
    game = Game("royal-ur")
    first, again = (measure_given_away(game, "level2", 1, 3) for _ in range(2))
    assert first == again
    assert first.command == "python -m research calibrate royal-ur given level2 -n 1 --seed 3"
    assert first.choices > 0
