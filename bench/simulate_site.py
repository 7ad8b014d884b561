"""A site in simulated time, seed after seed: people and faults, and the laws of clocks and commands.

    python bench/simulate_site.py --hours 100 [--seed 1]

It ends with the first law that is broken, and names the seed and those of its faults that it takes.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import structlog

from tests.support.simulated_site import Fault, World, draw_faults, shrink, simulate

HOURS_A_SEED = 0.1


def breaks(seed: int, faults: Sequence[Fault]) -> World | Exception:
    """Return the world of a seed with these faults, or what was broken in it."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return simulate(Path(folder), seed, HOURS_A_SEED, faults)
        except Exception as broken:
            return broken


def main() -> None:
    """Simulate, and print what was simulated."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--hours", type=float, default=10.0)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    began, seed, faults, matches = time.perf_counter(), given.seed, 0, 0
    while (seed - given.seed) * HOURS_A_SEED < given.hours:
        drawn = draw_faults(seed, HOURS_A_SEED)
        world = breaks(seed, drawn)
        if isinstance(world, Exception):
            print(f"seed {seed}, after {time.perf_counter() - began:.0f} s: {world!r}", flush=True)
            print(f"({seed}, {shrink(lambda less: isinstance(breaks(seed, less), Exception), drawn)})")  # noqa: B023
            raise SystemExit(1)
        faults, matches, seed = faults + len(world.faults), matches + world.ended, seed + 1
    took = time.perf_counter() - began
    hours = (seed - given.seed) * HOURS_A_SEED
    print(f"{hours:.1f} hours, {matches} matches and {faults} faults in {took:.0f} s: no law broken")


if __name__ == "__main__":
    main()
