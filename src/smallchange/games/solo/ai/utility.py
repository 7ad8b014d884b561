"""The utility of Solo: few coins left, best of all no coin."""

from ..model import Board, State
from ..rules import coins_left


def utility(b: Board, s: State, seat: int) -> int:
    """Return the utility of a state, from 0 to 1000; more than half is a win."""
    coins = coins_left(s)
    return 1000 if coins == 0 else max(0, 500 - 25 * coins)
