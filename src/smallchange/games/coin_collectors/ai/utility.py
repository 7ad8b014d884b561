"""The utility of Coin Collectors: a win first, then coins."""

from ..model import Board, State
from ..rules import score


def utility(b: Board, s: State, seat: int) -> int:
    """Return the utility of a state, from 0 to 1000; more than half is a win."""
    coins = score(b, s, seat)
    return 1000 if coins == 24 else 20 * coins
