"""Pig for programs: its tokens and its result."""

from .model import SEATS, Board, State
from .rules import ROLL

FACES = ("null", "ace", "2", "3", "4", "5")


def token(b: Board, a: int) -> str | None:
    """Return the token of an action.

    >>> from .model import build
    >>> [token(build({"goal": 50}), a) for a in (0, 5, 6, 7)]
    ['die:null', 'die:5', 'roll', 'hold']
    """
    if a < ROLL:
        return f"die:{FACES[a]}"
    return "roll" if a == ROLL else "hold"


def result(b: Board, s: State) -> dict[str, object]:
    winner = "draw" if s.winner < 0 else SEATS[s.winner]
    return {"winner": winner, "points": dict(zip(SEATS, s.points, strict=True))}
