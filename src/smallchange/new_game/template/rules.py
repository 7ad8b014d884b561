"""The rules of My Game. An action is a number of coins, less one."""

from smallchange.core.state import OVER

from .model import Board, State

VERSION = 1
ACTIONS, MOST = 3, 3


def setup(b: Board, s: State) -> None:
    s.left = b.coins
    s.turn = 0


def legal(b: Board, s: State, out: list[int]) -> int:
    n = min(MOST, s.left)
    for a in range(n):
        out[a] = a
    return n


def odds(b: Board, s: State, out: list[int], weights: list[int]) -> int:
    return 0


def source(b: Board, s: State) -> int:
    return 0


def play(b: Board, s: State, a: int) -> None:
    s.left -= a + 1
    if s.left == 0:
        s.winner = s.turn
        s.turn = OVER
    else:
        s.turn = 1 - s.turn


def score(b: Board, s: State, seat: int) -> int:
    return 1 if s.winner == seat else -1
