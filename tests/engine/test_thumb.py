"""Rules of thumb against luck alone; in games for two a ladder compares them (tests/lab/test_ladder.py)."""

import pytest

import smallchange
from smallchange.lab.simulate import simulate

ALONE = [id for id in smallchange.games() if len(smallchange.game(id).seats) == 1]


@pytest.mark.parametrize("id", ALONE)
def test_the_rule_of_thumb_scores_more_than_luck_alone_does_three_times_of_four(id: str) -> None:
    game = smallchange.game(id)
    [luck], [thumb] = (simulate(game, 500, policy, seed=1).score.values() for policy in ("random", "greedy"))
    assert thumb.quantiles["25%"] >= luck.quantiles["75%"]
