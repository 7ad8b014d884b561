"""What good play of One Man: Thrag! aims at: to slay every beast; and short of that, many."""

from .board import Board, State
from .rules import SLAIN, beasts


def aim(b: Board, s: State, seat: int) -> int:
    """What a state is worth, from 0 to 1000; more than half is a win."""
    if s.reason == SLAIN:
        return 1000
    return 10 * (15 - beasts(s))
