"""Nim for programs: its tokens and its result."""

from .model import HIGHEST, SEATS, Board, State


def token(b: Board, a: int) -> str | None:
    heap, taken = divmod(a, HIGHEST)
    return f"{'abc'[heap]}-{taken + 1}" if taken < b.start[heap] else None


def result(b: Board, s: State) -> dict[str, object]:
    return {"winner": SEATS[s.winner]}
