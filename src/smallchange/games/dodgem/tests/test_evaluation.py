"""The evaluation of a position of Dodg'em."""

from typing import Any

import pytest

import smallchange

from ..ai.evaluation import evaluate
from ..rules import to_go
from .positions import position_of


@pytest.mark.parametrize("start", ["facing", "crosswise"])
def test_every_forward_step_is_worth_something_and_leaves_one_less_to_do(start: str) -> None:
    position = smallchange.game("dodgem", start=start).start()
    for _ in range(2):
        board: Any = position.game.board
        seat = position.s.turn
        left = to_go(board, position.s, seat)
        assert left == 5 * 6
        forward = 0
        for token in position.legal():
            after = position.played(token)
            ahead = after.s.quiet == 0
            forward += ahead
            after.s.turn = seat
            assert to_go(board, after.s, seat) == left - ahead
            for side, sign in ((seat, 1), (1 - seat, -1)):
                position.s.turn = after.s.turn = side
                gain = evaluate(board, after.s, side) - evaluate(board, position.s, side)
                assert (sign * gain > 0) == ahead
            position.s.turn = seat
        assert forward == 5
        position.play(position.legal()[0])


def test_where_the_sides_cross_it_costs_to_be_held_up_and_more_to_be_stuck() -> None:
    """In all three everybody has as far to go: red from a3, green from rows 2, 3 and 4."""
    clear = position_of("..... ....g r...g ....g .....", start="crosswise")
    held = position_of("..... ....g rg... ....g .....", start="crosswise")
    stuck = position_of("..... g.... rg... g.... .....", start="crosswise")
    board: Any = clear.game.board
    found = [evaluate(board, position.s, 0) for position in (clear, held, stuck)]
    assert found[0] > found[1] > found[2]
