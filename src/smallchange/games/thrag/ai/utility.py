"""The utility of One Man: Thrag!: to slay every beast, then as many as possible."""

from ..model import Board, State
from ..rules import SLAIN, beasts


def utility(b: Board, s: State, seat: int) -> int:
    """Return the utility of a state, from 0 to 1000; more than half is a win."""
    if s.reason == SLAIN:
        return 1000
    return 10 * (15 - beasts(s))
