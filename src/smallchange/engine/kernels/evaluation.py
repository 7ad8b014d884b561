"""The default static evaluation, for a game without an `ai/evaluation.py`: every position is worth 0."""

from typing import Any


def evaluate(b: Any, s: Any, seat: int) -> int:
    """Return the evaluation of a position for a seat, at most 400,000; the other seat's is its opposite."""
    return 0


def plies_to_draw(b: Any, s: Any) -> int:
    """Return how many plies there are at least before a rule may end long play as a draw."""
    return 0


def clear_history(b: Any, s: Any) -> None:
    """Clear what such a rule counts, and whatever else tells only how the match came here."""
