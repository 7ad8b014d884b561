"""A sensible player of Coin Age: lead if it ended now, with small coins on top, and mind when it ends."""

from smallchange.core.state import OVER, count

from ..model import Board, State
from ..rules import occupied_spaces, owned_spaces, points, score

WON = 10_000
POINT = 4  # against 1 for each kind of coin with which the other may take a point away


def move_score(b: Board, s: State, a: int, t: State) -> int:
    """Return the score of action `a` in `s`, given `t`, the state after it; the highest is played."""
    side = s.turn
    if t.turn == OVER:
        return WON * score(b, t, side) + points(b, t, side) - points(b, t, 1 - side)
    return side_score(b, t, side) - side_score(b, t, 1 - side)


def side_score(b: Board, t: State, side: int) -> int:
    """Return the points of a side if the game ended now, less the points that the other side may cover."""
    return POINT * points(b, t, side) - exposed_points(b, t, side)


def exposed_points(b: Board, t: State, side: int) -> int:
    """Return the points on the map, each counted once for every smaller rank in the other side's bank."""
    doubled = owned_spaces(b, t, side)
    kinds = 0
    total = 0
    for rank in range(4):
        seen = t.coins[4 * side + rank] & ~occupied_spaces(t, rank)
        total += kinds * (rank + 1) * (count(seen) + count(seen & doubled))
        if t.bank[4 * (1 - side) + rank] > 0:
            kinds += 1
    return total
