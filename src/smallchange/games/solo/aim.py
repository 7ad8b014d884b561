"""What good play of Solo aims at: few coins left, best of all none."""

from .board import Board, State
from .rules import left


def aim(b: Board, s: State, seat: int) -> int:
    """What a state is worth, from 0 to 1000; more than half is a win."""
    coins = left(s)
    return 1000 if coins == 0 else max(0, 500 - 25 * coins)
