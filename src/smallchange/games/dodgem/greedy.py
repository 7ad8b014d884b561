"""A sensible player of Dodg'em: go forward, and stand in the way while doing it."""

from .board import Board, State
from .rules import free, leaving


def promise(b: Board, s: State, a: int, t: State) -> int:
    """How good action `a` looks in `s`, given `t`, the state after it; the highest is played."""
    side = s.turn
    return room(b, t, side) - room(b, t, 1 - side) - 20 * steps_left(b, t, side)


def room(b: Board, t: State, side: int) -> int:
    """How many coins can go forward."""
    ways = free(b, t, side, b.forward[side]) | leaving(b, t, side)
    n = 0
    for square in range(b.width * b.width):
        n += (ways >> square) & 1
    return n


def steps_left(b: Board, t: State, side: int) -> int:
    """Forward moves that this side still needs."""
    n = 0
    for square in range(b.width * b.width):
        if (t.coins[side] >> square) & 1 != 0:
            column = square // b.width
            row = square % b.width
            if b.forward[side] == 3:
                n += b.width - column
            elif b.forward[side] == 2:
                n += b.width - row
            else:
                n += column + 1
    return n
