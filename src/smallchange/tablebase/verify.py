"""A table proved: every entry against those of the positions one step on, for each player to move.

The compiled check shares nothing with the solver; a sample is checked again by the plain rules.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import NamedTuple

import numpy as np

from smallchange.core.errors import BadTable

from .compiled_solver import Kit
from .solve import Progress
from .table import PliesTable, Table, Value, goodness
from .table_writer import is_canonical, read_values

CHUNK = 1 << 18  # positions that a thread checks at a time


class VerifiedCounts(NamedTuple):
    """The verified contents of a table, for one player to move; the other has the same."""

    won: int
    drawn: int
    lost: int
    none: int  # numbers that are no position, as their player would have no step
    farthest: int  # the longest win or loss, in steps


def verify(
    table: PliesTable, threads: int = 1, sample: int = 1000, progress: Progress = lambda *_: None
) -> VerifiedCounts:
    """Check every entry of a table, and `sample` of them by the plain rules; BadTable names a wrong one.

    Nor may the table have a byte that its values do not need.
    """
    kit, values = Kit(table.game), read_values(table)

    def check(job: tuple[int, int]) -> tuple[int, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        seat, first = job
        tally = np.zeros(5, np.int64)
        last = min(first + CHUNK, len(values))
        fault = kit.code.first_fault(kit.boards, kit.states(), kit.out(), values, first, last, seat, tally)
        return fault, tally

    total = np.zeros(5, np.int64)
    jobs = [(seat, first) for seat in range(2) for first in range(0, len(values), CHUNK)]
    with ThreadPoolExecutor(threads) as pool:
        for done, ((seat, _), (fault, tally)) in enumerate(zip(jobs, pool.map(check, jobs), strict=True)):
            progress(done, len(jobs))
            if fault >= 0:
                raise BadTable(f"the value of {table.position(fault, seat).key()} is wrong")
            if seat == 0:
                total = np.append(total[:4] + tally[:4], max(total[4], tally[4]))
    progress(len(jobs), len(jobs))
    if not is_canonical(table, values):
        raise BadTable("the file has more or other bytes than these values need")
    check_sample(table, sample)
    return VerifiedCounts(*map(int, total))


def check_sample(table: Table, sample: int, progress: Progress = lambda *_: None) -> dict[str, int]:
    """Compare some look-ups with the best of the steps, by the plain rules; count how many have each value.

    BadTable names a position whose value is wrong.
    """
    luck = Random(table.header["digest"])
    counts = {"win": 0, "draw": 0, "loss": 0}
    for done in range(sample):
        position = table.random_position(luck)
        values: list[Value] = [value for _, value in table.steps(position)]
        if values:
            value, best = table.value(position), max(values, key=goodness)
            if best != value and (best.outcome, None) != value:  # a large table has no plies
                raise BadTable(f"the value of {position.key()} is wrong")
            counts[value.outcome] += 1
        if done % 1000 == 0:
            progress(done, sample)
    progress(sample, sample)
    return counts
