"""Ratings by Glicko-2: held against another implementation, and against true strengths."""

from __future__ import annotations

import random
from itertools import combinations
from math import exp
from statistics import fmean

import pytest
from glicko2 import Player
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from smallchange.core.glicko2 import (
    PERIOD_MS,
    SCALE,
    Rating,
    Result,
    after_time,
    expected_score,
    rate,
    rate_match,
)
from smallchange.server.ratings.reviewed import DealResult, deal_points, rating_against_deals

ratings = st.builds(Rating, st.floats(800, 2600), st.floats(30, 350), st.floats(0.04, 0.08))
results = st.lists(st.builds(Result, ratings, st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=8)


@given(ratings, results)
def test_a_period_is_rated_as_the_package_glicko2_rates_it(rating: Rating, played: list[Result]) -> None:
    # Its volatility has the rating in place of the deviation, so the volatility is held against the paper alone.
    other = Player(*rating)
    ours = rate(rating, played)
    other.update_player(
        [r.opponent.points for r in played], [r.opponent.deviation for r in played], [r.score for r in played]
    )
    assert ours.points == pytest.approx(other.rating, abs=1.5)
    assert ours.deviation == pytest.approx(max(30, other.rd), abs=1.5)


@given(ratings, ratings, st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1e12))
def test_a_match_moves_the_two_ratings_apart_or_together_as_its_result_says(
    first: Rating, second: Rating, score: float, elapsed: float
) -> None:
    a, b = rate_match(first, second, score, (elapsed, elapsed))
    mirrored = rate_match(second, first, 1 - score, (elapsed, elapsed))
    assert (b, a) == mirrored
    if score == 1:
        assert a.points >= first.points
        assert b.points <= second.points
    assert 30 <= a.deviation <= 350


@given(ratings, st.floats(0, 1e12))
def test_time_without_matches_only_adds_doubt(rating: Rating, elapsed: float) -> None:
    later = after_time(rating, elapsed)
    assert later.points == rating.points
    assert rating.deviation <= later.deviation <= 350


def test_two_players_expect_one_point_together() -> None:
    first, second = Rating(1620, 80), Rating(1490, 200)
    assert expected_score(first, second) + expected_score(second, first) == pytest.approx(1)


def test_ratings_recover_true_strengths_without_luck() -> None:
    draw = random.Random(7)
    strengths = [draw.gauss(1500, 200) for _ in range(24)]
    now = [Rating() for _ in strengths]
    for _ in range(3):  # each meets each three times: 69 matches a player
        pairs = list(combinations(range(len(strengths)), 2))
        draw.shuffle(pairs)
        for i, j in pairs:
            chance = 1 / (1 + exp(-(strengths[i] - strengths[j]) / SCALE))
            won = float(draw.random() < chance)
            now[i], now[j] = rate_match(now[i], now[j], won, (PERIOD_MS / 50, PERIOD_MS / 50))
    assert spearmanr(strengths, [r.points for r in now]).statistic >= 0.9


@pytest.mark.parametrize("strength", [1500, 1900, 2200])
def test_a_rating_against_deals_recovers_a_strength_within_its_interval(strength: int) -> None:
    luck = random.Random(strength)
    rated = []
    for _ in range(20):
        odds = [luck.uniform(0.05, 0.95) for _ in range(100)]
        chances = [1 / (1 + 10 ** ((deal_points(one) - strength) / 400)) for one in odds]
        results = [DealResult(one, luck.random() < chance) for one, chance in zip(odds, chances, strict=True)]
        rated.append(rating_against_deals(results))
    inside = sum(abs(one.points - strength) <= 2 * one.deviation for one in rated)
    assert inside >= 16
    assert abs(fmean(one.points for one in rated) - strength) < 50
