"""Thrag's rule of thumb."""

from typing import Any

from ..ai.heuristic import duel
from .positions import mask, night


def test_the_rule_of_thumb_knows_what_null_coins_are_worth() -> None:
    worths = []
    for null_coins in (0, 2):
        position = night(null_coins=null_coins)
        position.s.coins[0] = mask("n")
        board: Any = position.game.board
        worths.append(duel(board, position.s, 0, 2))
    assert worths[0] < worths[1]
