"""The Royal Game of Ur for programs: its tokens and its result."""

from .model import SEATS, Board, State
from .rules import ALL_HOME, MOVE, THROWN_OUT, place, score

REASONS = {ALL_HOME: "home", THROWN_OUT: "throws"}
ENTER = "enter"
SQUARES = (
    *("d1", "c1", "b1", "a1"),
    *("d3", "c3", "b3", "a3"),
    *("a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"),
    *("h1", "g1"),
    *("h3", "g3"),
)  # by place, from 1


def square(side: int, step: int) -> str:
    """Return the name of a square by its step on a side's way, 1 to 14.

    >>> square(0, 1), square(1, 1), square(0, 8), square(1, 8), square(1, 14)
    ('d1', 'd3', 'd2', 'd2', 'g3')
    """
    return SQUARES[place(side, step) - 1]


def token(b: Board, a: int) -> str | None:
    """Return the token of an action: how many heads fell, or where the coin lies that moves.

    >>> from .model import build
    >>> b = build({"coins": 7, "safe": True})
    >>> token(b, 3), token(b, MOVE), token(b, MOVE + 4), token(b, MOVE + 20)
    ('heads:3', 'enter', 'a1', 'g3')
    """
    if a < MOVE:
        return f"heads:{a}"
    return SQUARES[a - MOVE - 1] if a > MOVE else ENTER


def result(b: Board, s: State) -> dict[str, object]:
    return {
        "winner": ("draw", *SEATS)[score(b, s, 0)],  # -1: moon
        "reason": REASONS[s.reason],
        "home": dict(zip(SEATS, s.home, strict=True)),
        "throws": s.throws,
    }
