"""A player of Nim who leaves heaps whose sum without carries is 0."""

from ..model import Board, State


def move_score(b: Board, s: State, a: int, t: State) -> int:
    return 1 if t.heaps[0] ^ t.heaps[1] ^ t.heaps[2] == 0 else 0
