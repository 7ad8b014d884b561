"""Copies of arrays that change with every step, made in memory that nobody holds any more.

A fresh array of a megabyte is slower to get from the system than to fill. So the copies that a caller has
dropped are used again. One that is still referred to, or of which there is a view, is left alone.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

MAX_KEPT = 4  # copies of one array that are kept to be used again


def reference_count(buffers: list[Any], i: int) -> int:
    """Return the number of references to a buffer, those that this call makes included."""
    return sys.getrefcount(buffers[i])


UNUSED = reference_count([np.zeros(1)], 0)  # references to a buffer that only its list holds


class Copies:
    """Copies of one array.

    >>> array = np.arange(3)
    >>> copies = Copies(array)
    >>> first, second = copies.take(), copies.take()
    >>> first is second, first.tolist()
    (False, [0, 1, 2])
    """

    def __init__(self, array: Any) -> None:
        self._array = array
        self._kept: list[Any] = []

    def take(self) -> Any:
        """Return a copy of the array as it is now, which nothing changes."""
        for i in range(len(self._kept)):
            if reference_count(self._kept, i) == UNUSED:
                copy = self._kept[i]
                np.copyto(copy, self._array)
                return copy
        copy = self._array.copy()
        if len(self._kept) < MAX_KEPT:
            self._kept.append(copy)
        return copy
