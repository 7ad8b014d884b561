"""Coin Age's rule of thumb."""

from typing import Any

from ..ai.heuristic import side_score
from .positions import position_with


def test_the_rule_of_thumb_minds_the_small_coins_that_the_other_may_cover_its_points_with() -> None:
    position = position_with("b1:4h")
    board: Any = position.game.board
    worths = []
    for coins in ([0, 0, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0]):
        position.s.bank[4:] = coins
        worths.append(side_score(board, position.s, 0))
    assert worths[0] > worths[1] > worths[2]
