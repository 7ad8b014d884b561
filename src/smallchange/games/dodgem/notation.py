"""Dodg'em for programs: its tokens and its result."""

from smallchange.render.piece_names import place

from .model import SEATS, Board, State, steps
from .rules import BLOCKED, HOME, OFF, PASS, QUIET, direction, origin

REASONS = {HOME: "home", QUIET: "quiet", BLOCKED: "blocked"}


def square(b: Board, i: int) -> str:
    """Return the name of a square.

    >>> from .model import build
    >>> b = build({"size": 6, "start": "facing", "blocked": "pass", "quiet_limit": 40})
    >>> square(b, 0), square(b, 35)
    ('a1', 'f6')
    """
    return place(i // b.width, i % b.width)


def goal(width: int, a: int) -> int:
    """Return the square to which an action that is not PASS leads; that of the coin, for one off the board."""
    way = direction(a)
    return origin(a) + (0 if way == OFF else steps(width)[way])


def token(b: Board, a: int) -> str | None:
    """Return the token of an action, or None if this board has no such action.

    >>> from .model import build
    >>> b = build({"size": 6, "start": "facing", "blocked": "pass", "quiet_limit": 40})
    >>> token(b, 2), token(b, 3), token(b, 34 * 5 + OFF), token(b, PASS)
    ('a1-a2', 'a1-b1', 'f5-off', 'pass')
    """
    if a == PASS:
        return "pass"
    start, way = origin(a), direction(a)
    if start >= b.width**2:
        return None
    if way == OFF:
        exits = b.edge[b.forward[0]] | b.edge[b.forward[1]]
        return f"{square(b, start)}-off" if exits >> start & 1 else None
    if b.edge[way] >> start & 1:
        return None
    return f"{square(b, start)}-{square(b, start + b.step[way])}"


def result(b: Board, s: State) -> dict[str, object]:
    winner = "draw" if s.winner == -1 else SEATS[s.winner]
    return {"winner": winner, "reason": REASONS[s.reason], "plies": s.plies}
