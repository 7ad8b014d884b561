"""Luck taken off: the very games of the bulk, their mean kept, most of their spread gone."""

from __future__ import annotations

import numpy as np
import pytest

import smallchange
from research import adjusted_play
from research.adjusted_play import AdjustedPlay
from smallchange import engine
from smallchange.engine.search.learned_values import Lookahead

PLAN = Lookahead(rollouts=2, heuristic_replies=1, candidates=3)


@pytest.fixture(scope="module")
def coin_age() -> AdjustedPlay:
    return AdjustedPlay(smallchange.game("coin-age"))


@pytest.fixture(scope="module")
def small() -> smallchange.Game:
    return smallchange.game("coin-age", map="a b\n c d", quiet_limit=3)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_games_are_those_of_the_bulk(seat: int, coin_age: AdjustedPlay) -> None:
    policy: list[int | Lookahead] = [engine.GREEDY, engine.GREEDY]
    policy[seat] = PLAN
    games, moves = coin_age.play_matches(policy, 5, 3, 12)
    results, _, thought = coin_age.play_adjusted(seat, PLAN, 5, 3, 12)
    assert list(results) == [(score + 1) / 2 for score in games.scores[:, seat]]
    assert thought == moves


def test_the_mean_stays_and_the_spread_goes(small: smallchange.Game) -> None:
    results, calm, _ = AdjustedPlay(small).play_adjusted(0, Lookahead(heuristic_replies=1), 1, 0, 400)
    luck = results - calm  # nothing, on the mean
    assert abs(luck.mean()) < 3 * luck.std() / np.sqrt(len(luck))
    assert calm.std() < results.std() / 2


def test_compiled_and_interpreted_luck_is_the_same(small: smallchange.Game) -> None:
    results, calm, _ = AdjustedPlay(small).play_adjusted(1, Lookahead(heuristic_replies=1), 7, 0, 1)
    again, slowly, _ = AdjustedPlay(small, compiled=False).play_adjusted(
        1, Lookahead(heuristic_replies=1), 7, 0, 1
    )
    assert list(again) == list(results)
    assert list(slowly) == pytest.approx(list(calm))


def test_luck_that_there_is_no_room_for_stays_in(
    small: smallchange.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        adjusted_play, "MAX_OUTCOMES", 8
    )  # as long as a bank has four kinds of coins, there are 16
    results, calm, _ = AdjustedPlay(small).play_adjusted(0, Lookahead(heuristic_replies=1), 1, 0, 50)
    monkeypatch.setattr(adjusted_play, "MAX_OUTCOMES", 1)
    with_all, without, _ = AdjustedPlay(small).play_adjusted(0, Lookahead(heuristic_replies=1), 1, 0, 50)
    assert list(with_all) == list(without) == list(results)
    assert (results - calm).std() > 0
    assert abs((results - calm).mean()) < 0.2
