"""A sensible player of Dodg'em: go forward, and stand in the way while doing it."""

from smallchange.state import bit, count, lowest

from .board import RIGHT, UP, Board, State
from .rules import free, leaving


def promise(b: Board, s: State, a: int, t: State) -> int:
    """How good action `a` looks in `s`, given `t`, the state after it; the highest is played."""
    side = s.turn
    return room(b, t, side) - room(b, t, 1 - side) - 20 * steps_left(b, t, side)


def room(b: Board, t: State, side: int) -> int:
    """How many coins can go forward."""
    return count(free(b, t, side, b.forward[side]) | leaving(b, t, side))


def steps_left(b: Board, t: State, side: int) -> int:
    """Forward moves that this side still needs."""
    n = 0
    rest = t.coins[side]
    while rest != 0:
        square = lowest(rest)
        rest ^= bit(square)
        if b.forward[side] == RIGHT:
            n += b.width - square // b.width
        elif b.forward[side] == UP:
            n += b.width - square % b.width
        else:
            n += square // b.width + 1
    return n
