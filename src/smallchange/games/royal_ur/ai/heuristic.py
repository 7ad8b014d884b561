"""A sensible player of the Royal Game of Ur: go far, throw again, send coins back, and stay out of reach."""

from smallchange.core.state import CHANCE, OVER, lowest

from ..model import Board, State
from ..rules import capturable, steps_made, throws_onto

WON = 100_000
AGAIN = 60  # for another throw, against 16 for each step of a coin


def move_score(b: Board, s: State, a: int, t: State) -> int:
    """Return the score of action `a` in `s`, given `t`, the state after it; the highest is played."""
    side = s.mover
    if t.turn == OVER:
        return WON
    again = t.turn == CHANCE and t.mover == side
    lead = 16 * (steps_made(b, t, side) - steps_made(b, t, 1 - side))
    return lead - risk(b, t, side) + (AGAIN if again else 0)


def risk(b: Board, s: State, side: int) -> int:
    """Return the steps that the other's next throw may take from a side, times its chances in 16."""
    steps = 0
    rest = capturable(b, s, side)
    while rest != 0:
        step = lowest(rest)
        rest &= rest - 1
        steps += step * throws_onto(b, s, 1 - side, b.across[step])
    return steps
