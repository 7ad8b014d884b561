"""A table proved: every entry against those of the positions one step on, for each player to move.

The compiled check shares nothing with the solver; a sample is checked again by the plain rules.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import NamedTuple

import numpy as np

from smallchange.errors import BadTable

from .kit import Kit
from .layers import Said
from .pack import read_values
from .table import Table, Value, goodness

CHUNK = 1 << 18  # positions that a thread checks at a time


class Proved(NamedTuple):
    """What a table holds, for one player to move; the other has the same."""

    won: int
    drawn: int
    lost: int
    none: int  # numbers that are no position, as their player would have no step
    farthest: int  # the longest win or loss, in steps


def verify(table: Table, threads: int = 1, sample: int = 1000, said: Said = lambda *_: None) -> Proved:
    """Check every entry of a table, and `sample` of them by the plain rules; BadTable names a wrong one."""
    kit, values = Kit(table.game), read_values(table)

    def check(job: tuple[int, int]) -> tuple[int, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        seat, first = job
        tally = np.zeros(5, np.int64)
        last = min(first + CHUNK, len(values))
        fault = kit.code._first_fault(kit.boards, kit.states(), kit.out(), values, first, last, seat, tally)
        return fault, tally

    total = np.zeros(5, np.int64)
    jobs = [(seat, first) for seat in range(2) for first in range(0, len(values), CHUNK)]
    with ThreadPoolExecutor(threads) as pool:
        for done, ((seat, _), (fault, tally)) in enumerate(zip(jobs, pool.map(check, jobs), strict=True)):
            said(done, len(jobs))
            if fault >= 0:
                raise BadTable(f"the value of {table.position(fault, seat)} is wrong")
            if seat == 0:
                total = np.append(total[:4] + tally[:4], max(total[4], tally[4]))
    said(len(jobs), len(jobs))
    _sampled(table, sample)
    return Proved(*map(int, total))


def _sampled(table: Table, sample: int) -> None:
    """Compare some look-ups with the best of the steps, all in plain Python."""
    luck = Random(table.header["digest"])
    for _ in range(sample):
        position = table.position(luck.randrange(table.positions), luck.randrange(2))
        worth: list[Value] = [value for _, value in table.steps(position)]
        if worth and max(worth, key=goodness) != table.value(position):
            raise BadTable(f"the value of {position} is wrong")
