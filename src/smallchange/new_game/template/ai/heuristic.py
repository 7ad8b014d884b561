"""A sensible player of Pig: keep 15 points, or enough to win."""

from ..model import Board, State
from ..rules import HOLD

ENOUGH = 15  # points: a throw loses a sixth of them, and brings 2.5


def move_score(b: Board, s: State, a: int, t: State) -> int:
    """Return the score of action `a` in `s`, given `t`, the state after it; the highest is played."""
    holds = s.pot >= ENOUGH
    return 1 if (a == HOLD) == holds else 0
