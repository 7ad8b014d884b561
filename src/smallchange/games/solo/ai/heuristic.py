"""A sensible player of Solo: stand where most of the coins to come lead on, and keep the rest connected."""

from smallchange.core.state import OVER, bit, count, lowest

from ..model import Board, State
from ..rules import COIN, ENTER, FREE, entries, kind

SURE = 60  # what a coin is worth that leads on whatever it shows
WAY = 6  # .. and a number that leads on from a coin left for later


def move_score(b: Board, s: State, a: int, t: State) -> int:
    """Return the score of action `a` in `s`, given `t`, the state after it; the highest is played."""
    if t.turn == OVER:
        return -1
    if t.step == COIN:
        return flip_score(b, t, t.at)
    if t.step == ENTER:
        best = 0
        squares = entries(b, t)
        while squares != 0:
            best = max(best, flip_score(b, t, lowest(squares)))
            squares &= squares - 1
        return best
    if s.step == FREE:
        return ways(b, t.coins[0])
    return 0  # a random die is the last resort


def flip_score(b: Board, t: State, square: int) -> int:
    """Rate the flip of the top coin of a square."""
    rest = t.coins[0] if t.coins[1] & bit(square) != 0 else t.coins[0] & ~bit(square)
    unseen = 63 & ~t.seen[kind(t, square)]
    good = 0
    for value in range(1, 6):
        if unseen & bit(value) != 0 and b.reach[20 * (value - 1) + square] & rest != 0:
            good += 1
    return SURE * good // max(1, count(unseen)) + WAY * ways(b, rest)


def ways(b: Board, coins: int) -> int:
    """Count the numbers that lead on, over all squares with coins."""
    n = 0
    squares = coins
    while squares != 0:
        square = lowest(squares)
        squares &= squares - 1
        for k in range(5):
            if b.reach[20 * k + square] & coins & ~bit(square) != 0:
                n += 1
    return n
