"""The rule of thumb of the Royal Game of Ur."""

from random import Random

import pytest

from smallchange.bots.engines import greedy
from smallchange.core.game import Position

from ..ai.heuristic import move_score
from .positions import position_of


def best(position: Position) -> str:
    """Return the move that the rule of thumb scores highest."""
    game = position.game
    scores = {
        token: move_score(game.board, position.s, game.actions[token], position.played(token).s)
        for token in position.legal()
    }
    return max(scores, key=scores.__getitem__)


@pytest.mark.parametrize(
    ("sun", "moon", "heads", "token"),
    [
        ("c1 a2", "c3", 2, "c1"),  # a rosette
        ("a2 d1", "c2", 2, "a2"),  # a capture
        ("d2 d1", "a2", 1, "d1"),  # out of reach
    ],
)
def test_it_takes_rosettes_and_coins_and_stays_where_it_is_safe(
    sun: str, moon: str, heads: int, token: str
) -> None:
    position = position_of(sun, moon, coins=3).played(f"heads:{heads}")
    assert best(position) == token
    assert greedy.choose(position, position.legal(), 0.0, Random(1)) == token
