"""Which positions are worth the same, for a game that does not say so in a `same.py`: only equal ones."""

from typing import Any


def alike(b: Any, s: Any) -> None:
    """Make of a state the one that stands for all that are worth as much as it."""


def lost(b: Any, s: Any) -> bool:
    """Can seat 0 not win any more, whatever is played and thrown? False where that is not known."""
    return False
