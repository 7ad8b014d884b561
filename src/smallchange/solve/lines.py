"""All positions of a game put in the order in which they are solved."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from .kit import Kit

CHUNKS = 64  # sorted one by one, each with a tally of its own


@dataclass(frozen=True)
class Lines:
    """The order of solving: level by level, layer by layer.

    A level is all layers of equal progress, which cannot reach one another. `order[slots[i]] == i`.
    """

    order: Any  # int32[positions]: their numbers
    slots: Any  # int32[positions]: where each is in `order`
    levels: list[list[tuple[int, int]]]  # the layers, each by its first and last + 1 in `order`

    def bounds(self, level: int) -> tuple[int, int]:
        """The first of a level, and the last + 1, in `order`."""
        layers = self.levels[level]
        return layers[0][0], layers[-1][1]


def lined_up(kit: Kit, positions: int, pool: Executor) -> Lines:
    """The first `positions` positions of the game in order."""
    slots, order = np.empty(positions, np.int32), np.empty(positions, np.int32)
    size = positions // CHUNKS + 1
    chunks = [(first, min(first + size, positions)) for first in range(0, positions, size)]
    layers = kit.index.layers(kit.game.board)
    heights = np.full(layers, -1, np.int32)

    def sort(chunk: tuple[int, int]) -> Any:
        tally = np.zeros(layers, np.int32)
        kit.code._sort_places(kit.boards, kit.states(), slots, tally, heights, *chunk)
        return tally

    tallies = np.array(list(pool.map(sort, chunks)))
    sizes = tallies.sum(axis=0)
    by_level = [int(n) for n in np.lexsort((np.arange(layers), heights)) if sizes[n]]
    starts = np.zeros(layers, np.int64)
    starts[by_level] = np.cumsum(sizes[by_level]) - sizes[by_level]
    nexts = starts + np.cumsum(tallies, axis=0) - tallies

    def fill(chunk: tuple[int, int], mine: Any) -> None:
        kit.code._line_up(slots, order, mine, *chunk)

    list(pool.map(fill, chunks, nexts))
    levels: dict[int, list[tuple[int, int]]] = {}
    for n in by_level:
        levels.setdefault(int(heights[n]), []).append((int(starts[n]), int(starts[n] + sizes[n])))
    return Lines(order, slots, list(levels.values()))
