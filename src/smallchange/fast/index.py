"""The number of a position in tables of solved ones, for a game whose positions are not numbered."""

from typing import Any


def place(b: Any, s: Any) -> int:
    return -1
