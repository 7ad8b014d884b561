"""No-progress runs: how long play can stay in one layer of a solved game.

A rule that draws after long play without progress spoils no win if its limit is longer than the longest run.
"""

from typing import TYPE_CHECKING, Any

from smallchange.core.state import OVER
from smallchange.engine.compile.runtime_python import entry

if TYPE_CHECKING:
    from smallchange.engine.kernels.calls import layer, legal, place, play, position


@entry
def measure_runs(
    boards: Any, states: Any, out: Any, values: Any, runs: Any, order: Any, first: int, last: int
) -> int:  # fmt: skip
    """Write into `runs` how many steps play can stay in the layer from positions order[first:last].

    Return the greatest number.

    The winner wins as soon as possible, and leaves the layer where that is as soon; the loser stays as he
    likes. states[2]; all of `runs` with smaller distances are written already.
    """
    most = 0
    for k in range(first, last):
        position(boards[0], states[0], order[k], 0)
        run = longest_stay(boards[0], states, out, values, runs, values[order[k]])
        runs[order[k]] = run
        most = max(most, run)
    return most


def longest_stay(b: Any, states: Any, out: Any, values: Any, runs: Any, v: int) -> int:
    """Return the number of steps for the position states[0] of value v, which is not a draw."""
    s = states[0]
    here = layer(b, s)
    run = 0
    for i in range(legal(b, s, out)):
        states[1] = s
        t = states[1]
        play(b, t, out[i])
        if t.turn == OVER:
            if v == 1:
                return 0
        else:
            j = place(b, t)
            if v < 0 or (v > 1 and values[j] == 1 - v):
                if layer(b, t) == here:
                    run = max(run, runs[j] + 1)
                elif v > 0:
                    return 0
    return run
