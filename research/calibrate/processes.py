"""Work on the jobs of a measurement in worker processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")
CHUNKS_PER_WORKER = 8


def in_processes(work: Callable[[A], B], jobs: Sequence[A], workers: int) -> Iterator[B]:
    """Yield the results of all jobs in their order. With one worker, work in this process."""
    if workers == 1:
        yield from map(work, jobs)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(work, jobs, chunksize=max(1, len(jobs) // (CHUNKS_PER_WORKER * workers)))
