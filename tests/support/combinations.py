"""Choose few combinations that cover much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def covering(*dimensions: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return as many combinations as the longest dimension has values: each value of each is among them.

    Dimensions are shifted against one another, so that values do not always come in the same pairs.

    >>> covering("abcd", (1, 2), "xy")
    [('a', 1, 'x'), ('b', 2, 'y'), ('c', 2, 'x'), ('d', 1, 'y')]
    """
    longest = max(map(len, dimensions))
    return [
        tuple(values[(i + k * (i // len(values))) % len(values)] for k, values in enumerate(dimensions))
        for i in range(longest)
    ]
