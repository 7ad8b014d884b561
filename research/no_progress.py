"""The longest quiet play of a solved game: whether a limit of long play can spoil a win."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from smallchange.tablebase.compiled_solver import Kit
from smallchange.tablebase.table import NOBODY, PliesTable
from smallchange.tablebase.table_writer import read_values

CHUNK = 1 << 16  # positions that a thread looks at a time


class QuietKit(Kit):
    """A solver that measures quiet play too."""

    kernel_modules = (*Kit.kernel_modules, "research.kernels.no_progress")


def longest_quiet(table: PliesTable, threads: int = 1) -> int:
    """Return the most steps in a row within one layer while a win is played out as fast as possible.

    The winner leaves the layer where that wins as soon, and the loser stays as long as he likes. Under a rule
    that draws after more quiet steps than these, each win of the table is a win in as many steps, if no
    quiet step has been taken yet.
    """
    kit, values = QuietKit(table.game), read_values(table)
    distances = np.abs(values)
    runs = np.zeros(len(values), np.uint8)
    longest = 0
    with ThreadPoolExecutor(threads) as pool:
        for d in range(1, int(distances[values != NOBODY].max()) + 1):
            order = np.flatnonzero(distances == d)

            def look(first: int, order: Any = order) -> int:
                last = min(first + CHUNK, len(order))
                most: int = kit.code.measure_runs(
                    kit.boards, kit.states(), kit.out(), values, runs, order, first, last
                )
                return most

            longest = max(longest, 0, *pool.map(look, range(0, len(order), CHUNK)))
    if longest > 250:
        raise OverflowError("play can stay in one layer for more than 250 steps")
    return longest
