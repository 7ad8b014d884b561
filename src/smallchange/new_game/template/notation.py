"""My Game for programs: its tokens and its result."""

from .model import SEATS, Board, State


def token(b: Board, a: int) -> str | None:
    """Return the token of an action.

    >>> from .model import build
    >>> token(build({"coins": 15}), 2)
    'take3'
    """
    return f"take{a + 1}"


def result(b: Board, s: State) -> dict[str, object]:
    return {"winner": SEATS[s.winner]}
