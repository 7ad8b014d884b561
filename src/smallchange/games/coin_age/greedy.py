"""A sensible player of Coin Age: lead if it ended now, with small coins on top, and mind when it ends."""

from smallchange.state import OVER, count

from .board import Board, State
from .rules import occupied, owned, points, score

WON = 10_000
POINT = 4  # against 1 for each kind of coin with which the other may take a point away


def promise(b: Board, s: State, a: int, t: State) -> int:
    """How good action `a` looks in `s`, given `t`, the state after it; the highest is played."""
    side = s.turn
    if t.turn == OVER:
        return WON * score(b, t, side) + points(b, t, side) - points(b, t, 1 - side)
    return worth(b, t, side) - worth(b, t, 1 - side)


def worth(b: Board, t: State, side: int) -> int:
    """The points of a side if it ended now, less for those that the other may cover."""
    return POINT * points(b, t, side) - exposed(b, t, side)


def exposed(b: Board, t: State, side: int) -> int:
    """The points on the map, each counted once for every smaller kind of coin in the other's bank."""
    doubled = owned(b, t, side)
    kinds = 0
    total = 0
    for rank in range(4):
        seen = t.coins[4 * side + rank] & ~occupied(t, rank)
        total += kinds * (rank + 1) * (count(seen) + count(seen & doubled))
        if t.bank[4 * (1 - side) + rank] > 0:
            kinds += 1
    return total
