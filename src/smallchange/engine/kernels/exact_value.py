"""The exact value of a position under perfect play, chance included, as a whole number.

Every line of play is followed to its end, each position once (depth-first search with a table of the positions
done, told apart by 126 bits of hash keys). A value is a whole multiple of 1 / D, where D is a number that all
the odds on every line of play divide: so nothing is rounded, and which of two steps is better is never a guess.
Such a number is a row of digits of 48 bits, the least first.

The state of the calculation lies in its arrays, so that it can stop, be given a larger table, and go on.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import CHANCE, OVER
from smallchange.engine.compile.runtime_python import entry, whole, word

from .playouts import write_actions
from .random_streams import ALL, FIRST, GOLDEN, SECOND, mix

if TYPE_CHECKING:
    from .calls import canonicalize, is_lost, play, score, utility

WIN, SCORE, UTILITY = 0, 1, 2  # what is maximized: wins (a draw is half), the score, the utility
WIN_HALVES, SCORE_OFFSET = 2, 1024  # what is counted: halves of a win; points above -1024
DIGIT_BITS = 48
MAX_DIGIT = (1 << DIGIT_BITS) - 1
KEY_COLUMNS = 2  # columns of a row of the table before the digits
# Counters: the level the calculation is at, -1 before it begins; positions stored; the first odds that did not
# divide D or what was left of it, 0 for none.
LEVEL, STORED, COARSE_ODDS, COUNTERS = 0, 1, 2, 3
DONE, FULL, DEEP = 0, 1, 2  # why it stopped


class ExactSearch(NamedTuple):
    """The stack of the calculation, a row for each of n levels, and its table."""

    states: Any  # [n]
    words: Any  # [n, ..] of unsigned integers: a view of their bytes
    actions: Any  # [n, MOST + 1] of int64
    weights: Any  # [n, MOST + 1] of int64
    totals: Any  # [n] of int64: the sum of the weights, 1 at a player's step
    counts: Any  # [n] of int64: how many actions there are
    nexts: Any  # [n] of int64: the next to try
    sums: Any  # [n, digits] of int64: the value so far
    keys: Any  # [n, KEY_COLUMNS] of int64
    unit: Any  # [digits] of int64: D
    bound: Any  # [digits] of int64: no value is above it
    table: Any  # [a power of 2, KEY_COLUMNS + digits] of int64
    counters: Any  # [COUNTERS] of int64


def write_keys(words: Any, key: Any) -> None:
    """Write two numbers that tell a state from all others; neither is 0."""
    x = GOLDEN
    y = SECOND
    for i in range(len(words)):
        w = word(words[i])
        x = ((x ^ w) * FIRST) & ALL
        x ^= x >> word(32)
        y = (((y + w) & ALL) * GOLDEN) & ALL
        y ^= y >> word(29)
    key[0] = whole(mix(x) >> word(1)) | 1
    key[1] = whole(mix(y) >> word(1)) | 1


def find_row(table: Any, key: Any) -> int:
    """Return the row of the table where this key is, or the empty row where it belongs."""
    row = (key[0] >> 1) & (len(table) - 1)
    while table[row, 0] != 0 and (table[row, 0] != key[0] or table[row, 1] != key[1]):
        row = (row + 1) & (len(table) - 1)
    return int(row)


def end_value(b: Any, s: Any, goal: int) -> int:
    """Return the value of an ended game to seat 0."""
    if goal == SCORE:
        return score(b, s, 0) + SCORE_OFFSET
    good = utility(b, s, 0)
    if goal == UTILITY:
        return good
    return 2 if good > 500 else 1 if good == 500 else 0


def update_value(turn: int, sums: Any, value: Any, weight: int, first: bool) -> None:
    """Take the value of one more step into account: chance adds up, seat 0 maximizes, seat 1 minimizes."""
    if turn == CHANCE:
        for i in range(len(value)):
            sums[i] += weight * value[i]
        return
    i = len(value) - 1
    while i > 0 and sums[i] == value[i]:
        i -= 1
    if first or (sums[i] < value[i]) == (turn == 0):
        for j in range(len(value)):
            sums[j] = value[j]


def divide(number: Any, by: int) -> bool:
    """Divide by the total of the odds, after carrying; return whether nothing was left over."""
    n = len(number)
    for i in range(n - 1):
        number[i + 1] += number[i] >> DIGIT_BITS
        number[i] &= MAX_DIGIT
    rest = 0
    for k in range(n):
        i = n - 1 - k
        rest = (rest << DIGIT_BITS) + number[i]
        number[i] = rest // by
        rest = rest % by
    return rest == 0


def begin_level(b: Any, search: Any, d: int) -> None:
    """Make ready to try the steps from the state at level d."""
    s = search.states[d]
    n = write_actions(b, s, search.actions[d], search.weights[d])
    search.counts[d] = n
    search.nexts[d] = 0
    search.totals[d] = 1
    if s.turn == CHANCE:
        search.totals[d] = 0
        for i in range(n):
            search.totals[d] += search.weights[d, i]
    for i in range(len(search.sums[d])):
        search.sums[d, i] = 0


def is_known(b: Any, search: Any, d: int, goal: int, far: int) -> bool:
    """Return whether the state at level d has ended, is lost or in the table; if so its value is written.

    Else the state is replaced by its canonical one, and its keys are written.
    """
    s = search.states[d]
    key = search.keys[d]
    value = search.sums[d]
    unit = search.unit
    table = search.table
    if s.turn == OVER:
        multiply(value, unit, end_value(b, s, goal))
        return True
    canonicalize(b, s)
    write_keys(search.words[d], key)
    row = find_row(table, key)
    if table[row, 0] != 0:
        for i in range(len(value)):
            value[i] = table[row, KEY_COLUMNS + i]
        return True
    if goal == WIN and is_lost(b, s):
        multiply(value, unit, 0)
        return True
    if goal == WIN and score(b, s, 0) >= far:
        multiply(value, unit, WIN_HALVES)
        return True
    return False


def multiply(value: Any, unit: Any, n: int) -> None:
    """Write n units, digit by digit."""
    for i in range(len(value)):
        value[i] = unit[i] * n
    divide(value, 1)


def store(search: Any, d: int) -> None:
    """Store the value of the position at level d in the table."""
    table = search.table
    key = search.keys[d]
    row = find_row(table, key)
    table[row, 0] = key[0]
    table[row, 1] = key[1]
    for i in range(len(search.sums[d])):
        table[row, KEY_COLUMNS + i] = search.sums[d, i]
    search.counters[STORED] += 1


def is_settled(turn: int, sums: Any, bound: Any) -> bool:
    """Return whether no other step can be better, as the player has the greatest or the least value already."""
    if turn == CHANCE:
        return False
    i = len(sums) - 1
    while i >= 0 and sums[i] == (bound[i] if turn == 0 else 0):
        i -= 1
    return i < 0


@entry
def solve_exactly(boards: Any, search: Any, goal: int, far: int, capacity: int) -> int:
    """Go on with the calculation for states[0]; return DONE, its value in sums[0], or why it stopped.

    `capacity` rows of the table may be used. Where wins are the goal, a score of `far` that is not lost counts
    as a win.
    """
    b = boards[0]
    states = search.states
    counts = search.counts
    nexts = search.nexts
    counters = search.counters
    d = counters[LEVEL]
    if d < 0 and is_known(b, search, 0, goal, far):
        return DONE
    if d < 0:
        d = 0
        begin_level(b, search, 0)
    while d >= 0:
        if nexts[d] == counts[d]:
            if not divide(search.sums[d], search.totals[d]) and counters[COARSE_ODDS] == 0:
                counters[COARSE_ODDS] = search.totals[d]
            store(search, d)
            d -= 1
        else:
            states[d + 1] = states[d]
            play(b, states[d + 1], search.actions[d, nexts[d]])
            if not is_known(b, search, d + 1, goal, far):
                counters[LEVEL] = d
                if counters[STORED] + d + 2 > capacity:
                    return FULL
                if d + 2 == len(states):
                    return DEEP
                d += 1
                begin_level(b, search, d)
                continue
        if d >= 0:
            i = nexts[d]
            turn = states[d].turn
            update_value(turn, search.sums[d], search.sums[d + 1], search.weights[d, i], i == 0)
            nexts[d] = counts[d] if is_settled(turn, search.sums[d], search.bound) else i + 1
    counters[LEVEL] = -1
    return DONE


@entry
def copy_table(old: Any, new: Any) -> None:
    """Write every row of a table into a larger one, which is all zeros."""
    for i in range(len(old)):
        if old[i, 0] != 0:
            row = find_row(new, old[i])
            for k in range(old.shape[1]):
                new[row, k] = old[i, k]
