"""Coin Collectors' rule of thumb."""

from typing import Any

from ..ai.heuristic import outlook
from .positions import position_with


def test_the_rule_of_thumb_leaves_no_coin_behind_that_no_chain_joins_to_a_pawn() -> None:
    stranded, whole = (
        position_with("b2=C3:5 e5=S2:5", "a2 b1 a1 c2", "nn3n"),
        position_with("b2=C3:5", "a2 b1 a1 c2", "nn3n"),
    )
    board: Any = whole.game.board
    assert outlook(board, stranded.s) < outlook(board, whole.s)
