"""The rules of Pig. The actions 0 to 5 are the faces of the die: null, ace, 2, 3, 4, 5."""

from smallchange.core.state import CHANCE, OVER

from .model import MAX_THROWS, Board, State

VERSION = 1
ROLL, HOLD = 6, 7
ACTIONS, MOST = 8, 6
FACES = 6


def setup(b: Board, s: State) -> None:
    s.face = -1
    s.winner = -1
    s.turn = 0


def legal(b: Board, s: State, out: list[int]) -> int:
    out[0] = ROLL
    if s.pot == 0:
        return 1
    out[1] = HOLD
    return 2


def odds(b: Board, s: State, out: list[int], weights: list[int]) -> int:
    for face in range(FACES):
        out[face] = face
        weights[face] = 1
    return FACES


def source(b: Board, s: State) -> int:
    return 0


def play(b: Board, s: State, a: int) -> None:
    if a == ROLL:
        s.turn = CHANCE
    elif a == HOLD:
        s.points[s.mover] += s.pot
        pass_die(b, s)
    else:
        show(b, s, a)


def show(b: Board, s: State, face: int) -> None:
    """Let the die show a face."""
    s.face = face
    s.throws += 1
    if face == 0:
        s.pot = 0
        pass_die(b, s)
    else:
        s.pot += face
        s.turn = s.mover
        if s.points[s.mover] + s.pot >= b.goal:
            s.points[s.mover] += s.pot
            s.winner = s.mover
            s.turn = OVER
    if s.turn != OVER and s.throws == MAX_THROWS:
        s.turn = OVER


def pass_die(b: Board, s: State) -> None:
    """Pass the die to the other side."""
    s.pot = 0
    s.mover = 1 - s.mover
    s.turn = s.mover


def score(b: Board, s: State, seat: int) -> int:
    if s.winner < 0:
        return 0
    return 1 if s.winner == seat else -1
