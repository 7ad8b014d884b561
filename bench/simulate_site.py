"""A site in simulated time, seed after seed: people and faults, and the laws of clocks and commands.

    python bench/simulate_site.py --hours 100 [--seed 1]

It ends with the first law that is broken, and names the seed; the same seed breaks it again.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
from pathlib import Path

import structlog

from tests.support.simulated_site import simulate

HOURS_A_SEED = 0.1


def main() -> None:
    """Simulate, and print what was simulated."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--hours", type=float, default=10.0)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    began, seed, faults, matches = time.perf_counter(), given.seed, 0, 0
    while (seed - given.seed) * HOURS_A_SEED < given.hours:
        with tempfile.TemporaryDirectory() as folder:
            try:
                world = simulate(Path(folder), seed, HOURS_A_SEED)
            except AssertionError as broken:
                print(f"seed {seed}, after {time.perf_counter() - began:.0f} s: {broken}")
                raise SystemExit(1) from broken
        faults, matches, seed = faults + len(world.faults), matches + world.ended, seed + 1
    took = time.perf_counter() - began
    hours = (seed - given.seed) * HOURS_A_SEED
    print(f"{hours:.1f} hours, {matches} matches and {faults} faults in {took:.0f} s: no law broken")


if __name__ == "__main__":
    main()
