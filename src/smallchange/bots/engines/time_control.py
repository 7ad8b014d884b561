"""Time control: how many simulations to run before the clock is looked at again."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

CLOCK_INTERVAL_S = 0.02  # between two looks at the clock
TICK_S = 1e-4  # of clocks in browsers, which may stand still between two looks


def batches_until(end: float, limit: int, first: int) -> Callable[[int], int]:
    """Return a function from the number of simulations done to the number to add, 0 to stop.

    The search ends at the time `end` (of perf_counter; infinity for no clock), or after `limit` simulations.
    The first batch has `first`. Simulations may slow down as the tree grows, so a batch is sized by the
    slower of two speeds: that of all simulations so far, and that of the last batch.
    """
    start = last_time = perf_counter()
    last_done = 0

    def next_batch(done: int) -> int:
        nonlocal last_time, last_done
        now = perf_counter()
        if done == 0 or now >= end:
            return min(limit, first) if now < end else 0
        speed = min(done / max(now - start, TICK_S), (done - last_done) / max(now - last_time, TICK_S))
        last_time, last_done = now, done
        return max(0, min(limit - done, 1 + int(speed * min(CLOCK_INTERVAL_S, (end - now) / 2))))

    return next_batch
