"""Verification of a tablebase: check its values against the rules, one position at a time.

It shares nothing with the solver. If every value follows from those of the positions one step on, all
are right: wins and losses by their distance, one step after another; and from a draw each player can stay
among the draws, so that neither ever loses.
"""

from typing import TYPE_CHECKING, Any

from smallchange.core.state import OVER
from smallchange.engine.compile.runtime_python import entry

if TYPE_CHECKING:
    from .calls import legal, place, play, position, score

NONE = 32767  # nobody can be to move
DRAWN, LOST = -40000, -80000  # any win is better than a draw, any draw than a loss


@entry
def first_fault(
    boards: Any, states: Any, out: Any, values: Any, first: int, last: int, seat: int, tally: Any
) -> int:
    """Return the first of the positions first.. with `seat` to move whose value or number is wrong, or -1.

    states[2]; tally[0] counts wins, tally[1] draws, tally[2] losses, tally[3] positions that are none;
    tally[4] is the greatest distance.
    """
    b = boards[0]
    for i in range(first, last):
        position(b, states[0], i, seat)
        v = values[i]
        if place(b, states[0]) != i or backed_up_value(b, states, out, values) != v:
            return i
        kind = 3 if v == NONE else 0 if v > 0 else 1 if v == 0 else 2
        tally[kind] += 1
        if v != NONE:
            tally[4] = max(tally[4], abs(v))
    return -1


def backed_up_value(b: Any, states: Any, out: Any, values: Any) -> int:
    """Return the value of the position states[0] by the values of those one step on."""
    s = states[0]
    n = legal(b, s, out)
    if n == 0:
        return NONE
    best = LOST
    for i in range(n):
        states[1] = s
        t = states[1]
        play(b, t, out[i])
        if t.turn == OVER:
            lead = score(b, t, s.turn) - score(b, t, 1 - s.turn)
            best = max(best, preference(1 if lead < 0 else -1 if lead > 0 else 0, 1))
        else:
            v = values[place(b, t)]
            best = max(best, preference(v, abs(v) + 1))
    if best == DRAWN:
        return 0
    return -best if best > DRAWN else LOST - best


def preference(v: int, d: int) -> int:
    """Return how good it is to give the other a position of value v: sooner wins and later losses are better."""
    if v == 0:
        return DRAWN
    return -d if v < 0 else LOST + d
