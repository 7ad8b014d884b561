"""Bounds of the values of a layer of positions, in games with chance: guessed by sweeps, then proved in one pass.

A value is a whole number of units of 2^-47 from 0, a sure loss, to ONE, a sure win; a draw is HALF. Each slot has a
lower and an upper bound. The first three slots are the ends; then come the layers, one slot a position.

A stream says in whole numbers what follows from each position of a row: how many groups; for each group a head of its
weight, its length and who chooses, then a code for each step to choose among, 2 * slot, one more where the value there
is to the other seat. A position at a chance step has a group for each outcome, at a player's step a single one.

Why proved bounds are right, however they were found. Let F be what follows from bounds or values by one step. Bounds
are proved where F(low) > low and F(high) < high at each position, except that 0 and ONE need no proof; a bound outside
of these is none. Let x = F(x) be
any values that follow from themselves, outside of the bounds somewhere, by t at most; say above, by just t, at a
position. Wider bounds by t give values wider by t at most, so F(x) <= F(high) + t < high + t = x there, which cannot
be; and in the same way none is below. This asks nothing of how long a game lasts. The mean over the outcomes of chance
is rounded down for the lower and up for the upper bound, in exact whole numbers: weights are 32,768 in all at most, so
no sum is beyond 2^63.
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
def sweep(stream: Any, values: Any, first: int, count: int, margin: int) -> int:
    """Guess new bounds of `count` slots from `first` on, or check the present ones.

    With a `margin`, guess them from the bounds one step later: the middle follows from the middles, and both bounds
    stand off by the margin more than those. Return the sum of the moves of all middles; where it is 0, the guesses
    can be proved. With margin 0 change nothing, and return the number of slots with an unproved bound.
    """
    at: Any = 0
    found: Any = 0
    for i in range(first, first + count):
        groups = whole(stream[at])
        at += 1
        low = whole(0)
        middle = whole(0)
        high = whole(0)
        total = whole(0)
        for _ in range(groups):
            head = whole(stream[at])
            weight = head >> WEIGHT_SHIFT
            least = head & 1
            best_low = whole(ONE if least == 1 else 0)
            best_high = best_low
            best = 2 * best_low
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
                    best = min(best, lower + upper)
                    best_high = min(best_high, upper)
                else:
                    best_low = max(best_low, lower)
                    best = max(best, lower + upper)
                    best_high = max(best_high, upper)
            at = behind
            low += weight * best_low
            middle += weight * (best >> 1)
            high += weight * best_high
            total += weight
        low = low // total
        high = (high + total - 1) // total
        if margin == 0:
            below = whole(values[i, 0])
            above = whole(values[i, 1])
            if below < 0 or above > ONE or (below > 0 and low <= below) or (above < ONE and high >= above):
                found += 1
        else:
            middle = middle // total
            beside = max(high - middle, middle - low) + margin
            found += abs(middle - ((values[i, 0] + values[i, 1]) >> 1))
            values[i, 0] = max(middle - beside, 0)
            values[i, 1] = min(middle + beside, ONE)
    return found
