"""The Royal Game of Ur for programs: its tokens and its result."""

from .model import SEATS, Board, State
from .rules import ALL_HOME, MOVE, THROWN_OUT, place, score

REASONS = {ALL_HOME: "home", THROWN_OUT: "throws"}
ENTER = "enter"
UR = (
    *("d1", "c1", "b1", "a1"),
    *("d3", "c3", "b3", "a3"),
    *("a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"),
    *("h1", "g1"),
    *("h3", "g3"),
)  # by place, from 1
ASEB = (*UR[:16], "i2", "j2", "k2", "l2")
SQUARES = (UR, UR, ASEB)  # by path


def squares(b: Board) -> tuple[str, ...]:
    """Return the names of the squares of a board by place, from 1."""
    return SQUARES[b.path]


def square(b: Board, side: int, step: int) -> str:
    """Return the name of a square by its step on a side's way, from 1.

    >>> from .model import build
    >>> b = build({"coins": 7, "safe": False, "path": "masters", "dice": "three", "capture_again": False})
    >>> square(b, 0, 1), square(b, 1, 1), square(b, 0, 12), square(b, 1, 16)
    ('d1', 'd3', 'g3', 'g3')
    """
    return squares(b)[place(b, side, step) - 1]


def token(b: Board, a: int) -> str | None:
    """Return the token of an action: the squares a throw is worth, or where the coin lies that moves.

    Three coins without heads are worth four squares, so they are `heads:4`.

    >>> from .model import build
    >>> b = build({"coins": 7, "safe": True, "path": "aseb", "dice": "four", "capture_again": False})
    >>> token(b, 3), token(b, MOVE), token(b, MOVE + 4), token(b, MOVE + 20)
    ('heads:3', 'enter', 'a1', 'l2')
    """
    if a < MOVE:
        return f"heads:{a}" if a >= b.dice else None
    return squares(b)[a - MOVE - 1] if a > MOVE else ENTER


def result(b: Board, s: State) -> dict[str, object]:
    return {
        "winner": ("draw", *SEATS)[score(b, s, 0)],  # -1: moon
        "reason": REASONS[s.reason],
        "home": dict(zip(SEATS, s.home, strict=True)),
        "throws": s.throws,
    }
