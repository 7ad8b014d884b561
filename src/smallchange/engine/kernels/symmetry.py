"""The default symmetry, for a game without an `ai/symmetry.py`: only equal positions are worth the same."""

from typing import Any


def canonicalize(b: Any, s: Any) -> None:
    """Replace a state by the canonical one of all that are worth the same."""


def is_lost(b: Any, s: Any) -> bool:
    """Return whether seat 0 can certainly not win any more; False where that is not known."""
    return False
