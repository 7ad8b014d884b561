"""Let games by correspondence run out of time while the worker of the clock is killed, in virtual time.

    python bench/deadlines.py [-n 10000] [--kills 50]

Each game has a day a turn and three days in hand. A worker in a process of its own is told what time it is and
sweeps. It is killed by kill -9 at random moments of a sweep; another comes within 45 s. Now and then somebody moves.
Each game must end once, by its clock, not before its deadline, and at most 60 s after it.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from pathlib import Path

import structlog

sys.path.insert(0, str(Path(__file__).parents[1]))

from virtual_time import keep_deadlines

MOST_LATE_MS = 60_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("-n", type=int, default=10_000, metavar="GAMES")
    parser.add_argument("--kills", type=int, default=50)
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        late_ms, moves = keep_deadlines(Path(folder) / "tables.db", asked.n, asked.kills)
    print(
        f"{len(late_ms):,} games, {asked.kills} kills, {moves:,} moves tried meanwhile: each ended once, none early; "
        f"after the deadline median {late_ms[len(late_ms) // 2] / 1000:.1f} s, most {late_ms[-1] / 1000:.1f} s "
        f"({time.perf_counter() - begun:.0f} s)"
    )
    assert late_ms[-1] <= MOST_LATE_MS, "late"


if __name__ == "__main__":
    main()
