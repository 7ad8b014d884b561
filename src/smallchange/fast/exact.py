"""What a position is worth when everybody plays perfectly, as a whole number: in the dialect of the rules.

Every line of play is followed to its end, each position once: what is known of it is kept under 126 bits of
digest. A worth is a whole multiple of 1 / D, where D is a number that all the odds on every line of play
divide: so nothing is rounded, and which of two steps is better is never a guess. Such a number is a row of
digits of 48 bits, the least first.

The state of the calculation lies in its arrays, so that it can stop, be given a larger table, and go on.
"""

from typing import TYPE_CHECKING, Any

from smallchange.state import CHANCE, OVER

from .drivers import possible
from .luck import ALL, FIRST, GOLDEN, SECOND, mixed
from .twins import entry, whole, word

if TYPE_CHECKING:
    from .calls import aim, alike, lost, play, score

WIN, SCORE, AIM = 0, 1, 2  # what is made as great as can be: wins (a draw is half), the score, the aim
HALVES, BELOW = 2, 1024  # what is counted: halves of a win; points above -1024
DIGIT = 48
FULLEST = (1 << DIGIT) - 1
KEYS = 2  # columns of a row of the table before the digits
# How the calculation stands: the level it is at, positions kept, and the first odds that did not divide D or
# what was left of it, 0 for none.
LEVEL, KEPT, COARSE, STANDS = 0, 1, 2, 3
DONE, FULL, DEEP = 0, 1, 2  # why it stopped


def keys_of(words: Any, key: Any) -> None:
    """Two numbers that tell a state from all others; neither is 0."""
    x = GOLDEN
    y = SECOND
    for i in range(len(words)):
        w = word(words[i])
        x = ((x ^ w) * FIRST) & ALL
        x ^= x >> word(32)
        y = (((y + w) & ALL) * GOLDEN) & ALL
        y ^= y >> word(29)
    key[0] = whole(mixed(x) >> word(1)) | 1
    key[1] = whole(mixed(y) >> word(1)) | 1


def kept_at(table: Any, key: Any) -> int:
    """The row of the table where this key is, or the empty row where it belongs."""
    row = (key[0] >> 1) & (len(table) - 1)
    while table[row, 0] != 0 and (table[row, 0] != key[0] or table[row, 1] != key[1]):
        row = (row + 1) & (len(table) - 1)
    return int(row)


def end_worth(b: Any, s: Any, goal: int) -> int:
    """What an ended game is worth to seat 0."""
    if goal == SCORE:
        return score(b, s, 0) + BELOW
    good = aim(b, s, 0)
    if goal == AIM:
        return good
    return 2 if good > 500 else 1 if good == 500 else 0


def add_in(turn: int, so_far: Any, worth: Any, weight: int, first: bool) -> None:
    """Take the worth of one more step into account: chance adds up, seat 0 likes more, seat 1 less."""
    if turn == CHANCE:
        for i in range(len(worth)):
            so_far[i] += weight * worth[i]
        return
    i = len(worth) - 1
    while i > 0 and so_far[i] == worth[i]:
        i -= 1
    if first or (so_far[i] < worth[i]) == (turn == 0):
        for j in range(len(worth)):
            so_far[j] = worth[j]


def divide(number: Any, by: int) -> bool:
    """Divide by the odds' total, digits first brought within their bounds; was it a multiple?"""
    n = len(number)
    for i in range(n - 1):
        number[i + 1] += number[i] >> DIGIT
        number[i] &= FULLEST
    rest = 0
    for k in range(n):
        i = n - 1 - k
        rest = (rest << DIGIT) + number[i]
        number[i] = rest // by
        rest = rest % by
    return rest == 0


def begin(
    s: Any, n: int, out_weights: Any, sizes: Any, places: Any, totals: Any, so_far: Any, d: int
) -> None:
    """Make ready to look at the n steps from the state at level d."""
    sizes[d] = n
    places[d] = 0
    totals[d] = 1
    if s.turn == CHANCE:
        totals[d] = 0
        for i in range(n):
            totals[d] += out_weights[i]
    for i in range(len(so_far)):
        so_far[i] = 0


def known(
    b: Any, s: Any, words: Any, key: Any, worth: Any, unit: Any, table: Any, goal: int, far: int
) -> bool:
    """Write what a state is worth if it has ended, is lost or in the table; else make it one of its kind."""
    if s.turn == OVER:
        times(worth, unit, end_worth(b, s, goal))
        return True
    alike(b, s)
    keys_of(words, key)
    row = kept_at(table, key)
    if table[row, 0] != 0:
        for i in range(len(worth)):
            worth[i] = table[row, KEYS + i]
        return True
    if goal == WIN and lost(b, s):
        times(worth, unit, 0)
        return True
    if goal == WIN and score(b, s, 0) >= far:
        times(worth, unit, HALVES)
        return True
    return False


def times(worth: Any, unit: Any, n: int) -> None:
    """worth = n units, digit by digit."""
    for i in range(len(worth)):
        worth[i] = unit[i] * n
    divide(worth, 1)


def keep(table: Any, key: Any, worth: Any, stands: Any) -> None:
    """Note in the table what a position is worth."""
    row = kept_at(table, key)
    table[row, 0] = key[0]
    table[row, 1] = key[1]
    for i in range(len(worth)):
        table[row, KEYS + i] = worth[i]
    stands[KEPT] += 1


def settled(turn: int, so_far: Any, sure: Any) -> bool:
    """Can no other step be better, as seat 0 has a sure win or seat 1 a sure loss for it?"""
    if turn == CHANCE:
        return False
    i = len(so_far) - 1
    while i >= 0 and so_far[i] == (sure[i] if turn == 0 else 0):
        i -= 1
    return i < 0


@entry
def solve_exactly(
    boards: Any, states: Any, words: Any, outs: Any, weights: Any, totals: Any, sizes: Any, places: Any,
    sums: Any, keys: Any, unit: Any, sure: Any, table: Any, stands: Any, goal: int, far: int, room: int,
) -> int:  # fmt: skip
    """Go on with the calculation for states[0] until it is DONE, its worth in sums[0]; or why it stopped.

    A level each: states[d], words[d, w] (their bytes), outs[d, MOST + 1], weights likewise, totals[d],
    sizes[d], places[d], sums[d, digits], keys[d, 2]. unit[digits]: D; sure[digits]: what no worth is above.
    table[rows, KEYS + digits], rows a power of two, of which `room` may be used. stands[STANDS]: LEVEL is
    -1 at first. Where wins are the goal, all that is not lost with a score of `far` counts as one.
    """
    b = boards[0]
    d = stands[LEVEL]
    if d < 0 and known(b, states[0], words[0], keys[0], sums[0], unit, table, goal, far):
        return DONE
    if d < 0:
        d = 0
        n = possible(b, states[0], outs[0], weights[0])
        begin(states[0], n, weights[0], sizes, places, totals, sums[0], 0)
    while d >= 0:
        if places[d] == sizes[d]:
            if not divide(sums[d], totals[d]) and stands[COARSE] == 0:
                stands[COARSE] = totals[d]
            keep(table, keys[d], sums[d], stands)
            d -= 1
        else:
            states[d + 1] = states[d]
            t = states[d + 1]
            play(b, t, outs[d, places[d]])
            if not known(b, t, words[d + 1], keys[d + 1], sums[d + 1], unit, table, goal, far):
                stands[LEVEL] = d
                if stands[KEPT] + d + 2 > room:
                    return FULL
                if d + 2 == len(states):
                    return DEEP
                d += 1
                n = possible(b, t, outs[d], weights[d])
                begin(t, n, weights[d], sizes, places, totals, sums[d], d)
                continue
        if d >= 0:
            i = places[d]
            add_in(states[d].turn, sums[d], sums[d + 1], weights[d, i], i == 0)
            places[d] = sizes[d] if settled(states[d].turn, sums[d], sure) else i + 1
    stands[LEVEL] = -1
    return DONE


@entry
def copy_kept(old: Any, new: Any) -> None:
    """Write every row of a table into a larger one, which is all zeros."""
    for i in range(len(old)):
        if old[i, 0] != 0:
            row = kept_at(new, old[i])
            for k in range(old.shape[1]):
                new[row, k] = old[i, k]
