"""The rules of Nim. Action 7 * heap + n - 1 takes n coins."""

from smallchange.core.state import OVER

from .model import HEAPS, HIGHEST, Board, State

VERSION = 1
ACTIONS, MOST = 21, 21


def setup(b: Board, s: State) -> None:
    for i in range(HEAPS):
        s.heaps[i] = b.start[i]
    s.turn = 0


def legal(b: Board, s: State, out: list[int]) -> int:
    n = 0
    for heap in range(HEAPS):
        for taken in range(s.heaps[heap]):
            out[n] = HIGHEST * heap + taken
            n += 1
    return n


def odds(b: Board, s: State, out: list[int], weights: list[int]) -> int:
    return 0


def source(b: Board, s: State) -> int:
    return 0


def play(b: Board, s: State, a: int) -> None:
    s.heaps[a // HIGHEST] -= a % HIGHEST + 1
    if s.heaps[0] + s.heaps[1] + s.heaps[2] == 0:
        s.winner = s.turn ^ b.misere
        s.turn = OVER
    else:
        s.turn = 1 - s.turn


def score(b: Board, s: State, seat: int) -> int:
    return 1 if s.winner == seat else -1
