"""What the generated code stands on where it runs interpreted; `primitives.py` is the same, compiled."""

from typing import Any, TypeVar

import numpy as np

from smallchange.state import bit, count, lowest

__all__ = ["at", "bit", "count", "decorators", "entry", "lowest", "whole", "word"]

F = TypeVar("F")

word = int


def at(i: int) -> int:
    """An index, which must not be negative: compiled code does not count from the end.

    >>> at(2)
    2
    """
    if i < 0:
        raise IndexError(f"the index {i} is negative")
    return i


whole = np.int64  # as strict as compiled numbers are silent: too large is an error


def decorators(checked: bool) -> tuple[Any, Any, Any]:
    """Nothing is decorated, and every index is checked anyway."""

    def plain(function: Any) -> Any:
        return function

    return plain, plain, plain


def entry(function: F) -> F:
    """Marks, in the drivers, what is called from outside."""
    return function
