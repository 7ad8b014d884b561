"""Solving a game for two without chance, layer by layer, in the dialect of the rules.

The game numbers its positions and its layers (`place`, `position`, `layer`, `progress` of its `index.py`):
no step leads to a higher layer, so with all lower layers solved one layer is solved on its own. Moves come
from the rules alone; who can move into a position is found by turning the moves out of all positions round.

A value is 0 for a draw, d > 0 where the player to move wins with the d-th step from here, d < 0 where he
loses with the -d-th, and NOBODY where nobody can be to move because there is no step.
"""

from typing import TYPE_CHECKING, Any

from smallchange.state import OVER

from .twins import entry

if TYPE_CHECKING:
    from .calls import layer, legal, place, play, position, progress, score

NOBODY = 32767

# The rows of `work`, which has a column for each position of the layer, and one more:
WIN, LOSS, LEFT, HERE, ONWARD, INTO = 0, 1, 2, 3, 4, 5
ROWS = 6
# WIN     the soonest win known so far, 0 for none
# LOSS    the latest loss by a step out of the layer
# LEFT    steps not yet known to lose; a step to a draw below remains
# HERE    the value found
# ONWARD  where the position's steps within the layer begin in `steps`; INTO: those into it, in `back`


@entry
def sort_places(
    boards: Any, states: Any, slots: Any, tally: Any, heights: Any, first: int, last: int
) -> None:
    """Write the layer of positions first.. into `slots`, count them in `tally`, and each layer's progress."""
    b = boards[0]
    s = states[0]
    for i in range(first, last):
        position(b, s, i, 0)
        n = layer(b, s)
        slots[i] = n
        tally[n] += 1
        heights[n] = progress(b, s)


@entry
def line_up(slots: Any, order: Any, nexts: Any, first: int, last: int) -> None:
    """Put positions first.. in `order` by layer: layer n from nexts[n] on. `slots` becomes where they are."""
    for i in range(first, last):
        n = slots[i]
        slots[i] = nexts[n]
        order[nexts[n]] = i
        nexts[n] += 1


@entry
def solve_layer(
    boards: Any, states: Any, out: Any, order: Any, slots: Any, values: Any, first: int, last: int,
    work: Any, steps: Any, back: Any, heads: Any, links: Any,
) -> int:  # fmt: skip
    """Solve the positions order[first:last], which are a layer, into `values`; the farthest end of them.

    states[2]; out, MOST + 1 long; work[ROWS, last - first + 1]; steps and back with room for all steps of the
    layer; heads, all 0, longer than any win; links[2, 3 * (last - first) + 1], links[0, 0] being 0.
    """
    n = last - first
    b = boards[0]
    edges = 0
    for k in range(n):
        work[ONWARD, k] = edges
        edges = look(b, states, out, order, slots, values, first, last, work, steps, k, edges)
    work[ONWARD, n] = edges
    turn_round(work, steps, back, n)
    farthest = settle(work, back, heads, links, n)
    for k in range(n):
        values[order[first + k]] = work[HERE, k]
    return farthest


def look(
    b: Any, states: Any, out: Any, order: Any, slots: Any, values: Any, first: int, last: int,
    work: Any, steps: Any, k: int, edges: int,
) -> int:  # fmt: skip
    """Take every step from position k of the layer, note what it leads to; how many stay in layers so far."""
    s = states[0]
    t = states[1]
    position(b, s, order[first + k], 0)
    n = legal(b, s, out)
    for row in (WIN, LOSS, LEFT, HERE):
        work[row, k] = 0
    if n == 0:
        work[HERE, k] = NOBODY
        work[LEFT, k] = 1
    for i in range(n):
        states[1] = s
        play(b, t, out[i])
        v = 0
        if t.turn == OVER:
            lead = score(b, t, 0) - score(b, t, 1)
            ended(work, k, 1 if lead > 0 else -1 if lead < 0 else 0)
        else:
            j = place(b, t)
            at = slots[j]
            if first <= at < last:
                steps[edges] = at - first
                edges += 1
                work[LEFT, k] += 1
            else:
                v = values[j]
                ended(work, k, 1 - v if v < 0 else -1 - v if v > 0 else 0)
    return edges


def ended(work: Any, k: int, v: int) -> None:
    """One step of position k out of the layer is worth v."""
    if v > 0:
        work[WIN, k] = v if work[WIN, k] == 0 else min(v, work[WIN, k])
    elif v < 0:
        work[LOSS, k] = max(-v, work[LOSS, k])
    else:
        work[LEFT, k] += 1


def turn_round(work: Any, steps: Any, back: Any, n: int) -> None:
    """From the steps out of every position, those into every position."""
    for k in range(n + 1):
        work[INTO, k] = 0
    for e in range(work[ONWARD, n]):
        work[INTO, steps[e]] += 1
    for k in range(1, n + 1):
        work[INTO, k] += work[INTO, k - 1]
    for k in range(n):
        for e in range(work[ONWARD, k], work[ONWARD, k + 1]):
            work[INTO, steps[e]] -= 1
            back[work[INTO, steps[e]]] = k


def settle(work: Any, back: Any, heads: Any, links: Any, n: int) -> int:
    """Find all wins and losses of the layer, those that end soonest first; the distance of the last.

    heads[d] begins a list of the positions that may be won or lost with the d-th step; heads[0] is the
    greatest such d.
    """
    used = 0
    for k in range(n):
        if work[WIN, k] > 0:
            used = due(heads, links, used, k, work[WIN, k])
        elif work[LEFT, k] == 0:
            used = due(heads, links, used, k, work[LOSS, k])
    farthest = 0
    d = 1
    while d <= heads[0]:
        e = heads[d]
        while e != 0:
            k = links[0, e]
            if work[HERE, k] == 0:
                work[HERE, k] = d if work[WIN, k] == d else -d
                farthest = d
                used = tell(work, back, heads, links, used, k, d)
            e = links[1, e]
        heads[d] = 0
        d += 1
    heads[0] = 0
    return farthest


def tell(work: Any, back: Any, heads: Any, links: Any, used: int, k: int, d: int) -> int:
    """Position k is won or lost: tell those that can move there."""
    won = work[HERE, k] > 0
    for e in range(work[INTO, k], work[INTO, k + 1]):
        q = back[e]
        if not won:
            if work[WIN, q] == 0 or work[WIN, q] > d + 1:
                work[WIN, q] = d + 1
                used = due(heads, links, used, q, d + 1)
        else:
            work[LEFT, q] -= 1
            if work[LEFT, q] == 0 and work[WIN, q] == 0:
                used = due(heads, links, used, q, max(work[LOSS, q], d + 1))
    return used


def due(heads: Any, links: Any, used: int, k: int, d: int) -> int:
    """Position k may end at distance d. A list has three places for each position: it needs no more.

    What is too far for `heads` is left out, and links[0, 0] says so.
    """
    if d >= len(heads):
        links[0, 0] = 1
        return used
    used += 1
    links[0, used] = k
    links[1, used] = heads[d]
    heads[d] = used
    heads[0] = max(heads[0], d)
    return used
