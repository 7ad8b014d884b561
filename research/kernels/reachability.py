"""Reachability: find every position that can come up in a game whose positions are numbered."""

from typing import TYPE_CHECKING, Any

from smallchange.core.state import OVER, bit
from smallchange.engine.compile.runtime_python import entry

if TYPE_CHECKING:
    from smallchange.engine.kernels.calls import legal, place, play, position, setup

DONE = 4  # bits of seen[i]: 1 and 2, it has come up with seat 0 or 1 to move; 4 and 8, its steps were taken


@entry
def start_number(boards: Any, states: Any) -> int:
    """Write the first state into states[0], which is all zeros; return its number."""
    setup(boards[0], states[0])
    return place(boards[0], states[0])


@entry
def find_successors(boards: Any, states: Any, out: Any, seen: Any, first: int, ends: Any, found: Any) -> int:
    """Take every step from positions first.. that have come up; return where to go on, len(seen) at the end.

    states[2]; out, MOST + 1 long; seen[positions]; the states in which a game ended are written to `ends`,
    found[0] of them, and found[1] grows by the positions that came up for the first time.
    """
    for i in range(first, len(seen)):
        if found[0] + 2 * len(out) > len(ends):
            return i
        for seat in range(2):
            if (seen[i] >> seat) & 1 != 0 and (seen[i] >> seat) & DONE == 0:
                seen[i] |= DONE << seat
                position(boards[0], states[0], i, seat)
                mark_successors(boards[0], states, out, seen, ends, found)
    return len(seen)


def mark_successors(b: Any, states: Any, out: Any, seen: Any, ends: Any, found: Any) -> None:
    """Take every step from states[0], and mark the positions that it leads to."""
    s = states[0]
    for k in range(legal(b, s, out)):
        states[1] = s
        t = states[1]
        play(b, t, out[k])
        if t.turn == OVER:
            ends[found[0]] = t
            found[0] += 1
        else:
            j = place(b, t)
            mark = bit(t.turn)
            if seen[j] & mark == 0:
                seen[j] |= mark
                found[1] += 1
