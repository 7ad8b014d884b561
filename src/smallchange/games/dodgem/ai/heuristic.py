"""A sensible player of Dodg'em: go forward, and stand in the way while doing it."""

from smallchange.core.state import count

from ..model import Board, State
from ..rules import ahead, to_go


def move_score(b: Board, s: State, a: int, t: State) -> int:
    """Return the score of action `a` in `s`, given `t`, the state after it; the highest is played."""
    side = s.turn
    return count(ahead(b, t, side)) - count(ahead(b, t, 1 - side)) - 20 * to_go(b, t, side)
