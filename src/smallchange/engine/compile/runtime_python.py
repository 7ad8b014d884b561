"""The functions that generated code uses where Python runs it; `runtime_numba.py` has the same, compiled."""

from typing import Any, TypeVar

import numpy as np

from smallchange.core.state import bit, count, lowest

__all__ = ["at", "bit", "count", "decorators", "entry", "lowest", "whole", "word"]

F = TypeVar("F")

word = int


def at(i: int) -> int:
    """Return an index. IndexError if it is negative: compiled code does not count from the end.

    >>> at(2)
    2
    """
    if i < 0:
        raise IndexError(f"the index {i} is negative")
    return i


whole = np.int64  # as strict as compiled numbers are silent: too large is an error


def decorators(checked: bool) -> tuple[Any, Any]:
    """Return decorators that change nothing; every index is checked anyway."""

    def plain(function: Any) -> Any:
        return function

    return plain, plain


def entry(function: F) -> F:
    """Mark an entry point: a function of a kernel that is called from outside."""
    return function
