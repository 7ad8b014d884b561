"""Interval iteration: both bounds of the values of a layer of positions, in games with chance.

A value is a whole number of units of 2^-47 from 0, a sure loss, to ONE, a sure win; a draw is HALF. Each slot has a
lower and an upper bound. The first three slots are the ends; then come the layers, one slot a position.

A stream says in whole numbers what follows from each position of a row: how many groups; for each group a head of its
weight, its length and who chooses, then a code for each step to choose among, 2 * slot, one more where the value there
is to the other seat. A position at a chance step has a group for each outcome, at a player's step a single one.

Why the bounds are right, whatever is rounded and in whatever order positions are visited: let F(v) be the values that
follow from values v by one step. F is monotone. The lower bounds begin at 0 and the upper ones at 1, so the values
lie between. If the bounds of all positions enclose the values, so does F of them; the mean over the outcomes of chance
is rounded down for the lower and up for the upper bound, in exact whole numbers, so each new pair encloses the value
too. A lower bound never shrinks and an upper one never grows, so a thread that reads an older one reads a wider pair.
Weights are 32,768 in all at most: no sum is beyond 2^62.
"""

from typing import Any

from smallchange.engine.compile.runtime_python import entry, whole

UNIT_BITS = 47
ONE = 1 << UNIT_BITS
HALF = ONE >> 1
ENDS = 3  # slots: a loss, a draw, a win
WEIGHT_SHIFT = 13  # of a head: the length in 12 bits over the chooser in one
MOST_CHOICES = 4095
STRAY = -1  # a step leads to a position of which no value is kept


@entry
def narrow(stream: Any, values: Any, first: int, count: int, proving: int) -> int:
    """Narrow the bounds of `count` slots from `first` on once; return the widest gap that is left.

    When `proving`, change nothing, and return how many slots have a bound that those one step later do not give.
    """
    at: Any = 0
    widest: Any = 0
    for i in range(first, first + count):
        groups = whole(stream[at])
        at += 1
        low = whole(0)
        high = whole(0)
        total = whole(0)
        for _ in range(groups):
            head = whole(stream[at])
            weight = head >> WEIGHT_SHIFT
            least = head & 1
            best_low = whole(ONE if least == 1 else 0)
            best_high = best_low
            behind = at + 1 + (head >> 1 & MOST_CHOICES)
            for k in range(at + 1, behind):
                code = whole(stream[k])
                slot = code >> 1
                if code & 1 == 1:
                    lower = ONE - values[slot, 1]
                    upper = ONE - values[slot, 0]
                else:
                    lower = values[slot, 0]
                    upper = values[slot, 1]
                if least == 1:
                    best_low = min(best_low, lower)
                    best_high = min(best_high, upper)
                else:
                    best_low = max(best_low, lower)
                    best_high = max(best_high, upper)
            at = behind
            low += weight * best_low
            high += weight * best_high
            total += weight
        low = low // total
        high = (high + total - 1) // total
        if proving == 1:
            if low < values[i, 0] or high > values[i, 1]:
                widest += 1
        else:
            if low > values[i, 0]:
                values[i, 0] = low
            if high < values[i, 1]:
                values[i, 1] = high
            if values[i, 1] - values[i, 0] > widest:
                widest = values[i, 1] - values[i, 0]
    return widest
