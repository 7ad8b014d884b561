"""A sensible player of My Game: leave a multiple of four."""

from ..model import Board, State


def move_score(b: Board, s: State, a: int, t: State) -> int:
    """Return the score of action `a` in `s`, given `t`, the state after it; the highest is played."""
    return 1 if t.left % 4 == 0 else 0
