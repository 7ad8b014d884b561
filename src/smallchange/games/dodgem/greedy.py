"""A sensible player of Dodg'em: go forward, and stand in the way while doing it."""

from smallchange.state import count

from .board import Board, State
from .rules import ahead, to_go


def promise(b: Board, s: State, a: int, t: State) -> int:
    """How good action `a` looks in `s`, given `t`, the state after it; the highest is played."""
    side = s.turn
    return count(ahead(b, t, side)) - count(ahead(b, t, 1 - side)) - 20 * to_go(b, t, side)
