"""A site in simulated time, seed after seed: people and faults, and the laws of clocks and commands.

    python bench/simulate_site.py --hours 100 [--seed 1]
    python bench/simulate_site.py --mistakes

It ends with the first law that is broken, and names the seed and those of its faults that it takes. `--mistakes` puts
one mistake after another into a copy of the package, and says when each is found.
"""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import structlog

sys.path.insert(0, str(Path(__file__).parents[1]))

import smallchange
from tests.support.simulated_site import Fault, World, draw_faults, shrink, simulate

HOURS_A_SEED = 0.1
PACKAGE = Path(smallchange.__file__).parent
# what is wrong, the file below server/, the right text and the wrong one
MISTAKES = (
    (
        "a command takes its table without passing over the outage",
        "table/live/table_service.py",
        "async with self.changing(live_table, arrived):",
        "async with live_table.lock:",
    ),
    (
        "any event makes a waiting move stale",
        "table/model/command_events.py",
        "return command.ply <= history.ply and _is_quiet(history.events[command.ply :], command)",
        "return command.ply == history.ply",
    ),
    (
        "a commit whose answer is lost counts as done",
        "table/storage/store.py",
        "self.uncertain.add(key)\n            raise Refused(ErrorCode.OUTCOME_UNKNOWN) from None\n"
        "        except self._failed",
        "return True\n        except self._failed",
    ),
    (
        "the same command sent again is done again",
        "table/model/command_events.py",
        "ply = history.command_plies.get(command.command_id)\n    if",
        "ply = None\n    if",
    ),
    (
        "what waits for a slow database is charged",
        "table/live/table_service.py",
        "return [live_table.slow_commit, (silent, now if now - silent >= SLOW_COMMIT_MS else silent)]",
        "return []",
    ),
    (
        "an offer of the other loses what an outage cost before it",
        "table/model/clock.py",
        "used = max(0, self.used_at(moment.at) - moment.refund_ms)",
        "used = max(self.used_ms, self.used_at(moment.at) - moment.refund_ms)",
    ),
    (
        "a full disk is well as long as it can be read",
        "table/storage/store.py",
        "if not self.writer.is_healthy:",
        "if False:",
    ),
    (
        "the machine's clock is taken as it is set",
        "table/live/table_service.py",
        "self._now += passed + (behind if behind >= self.JUMP_NS else max(-most, min(behind, most)))",
        "self._now = wall",
    ),
    (
        "a file that was replaced is written on",
        "database/opening.py",
        "if opened and opened[0] != _inode(path):",
        "if False:",
    ),
    (
        "of events stored together who came second takes the others along",
        "database/group_commit.py",
        "elif len(part) > 1:",
        "elif len(part) > 1 and not isinstance(wrong, EventExists):",
    ),
)


def breaks(seed: int, faults: Sequence[Fault]) -> World | Exception:
    """Return the world of a seed with these faults, or what was broken in it."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return simulate(Path(folder), seed, HOURS_A_SEED, faults)
        except Exception as broken:
            return broken


def find_mistakes(hours: float) -> None:
    """Put each mistake into a copy of the package, and print what was found after how long."""
    for name, path, right, wrong in MISTAKES:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, PACKAGE.name)
            subprocess.run(["cp", "-rs", PACKAGE, copy], check=True)
            file = copy / "server" / path
            text = file.read_text(encoding="utf-8")
            assert text.count(right) == 1, name
            file.unlink()
            file.write_text(text.replace(right, wrong), encoding="utf-8")
            command = [sys.executable, __file__, "--hours", str(hours), "--first"]
            done = subprocess.run(
                command, env=os.environ | {"PYTHONPATH": folder}, capture_output=True, text=True, check=False
            )
        print(f"{name}: {done.stdout.strip() or done.stderr[-200:]}", flush=True)


def main() -> None:
    """Simulate, and print what was simulated."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("--hours", type=float, default=10.0)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--mistakes", action="store_true")
    asked.add_argument("--first", action="store_true", help="do not look for the faults that it takes")
    given = asked.parse_args()
    if given.mistakes:
        find_mistakes(min(given.hours, 1))
        return
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.disable()
    began, seed, faults, matches = time.process_time(), given.seed, 0, 0
    while (seed - given.seed) * HOURS_A_SEED < given.hours:
        drawn = draw_faults(seed, HOURS_A_SEED)
        world = breaks(seed, drawn)
        if isinstance(world, Exception):
            print(f"seed {seed}, after {time.process_time() - began:.0f} s: {str(world)[:200]}", flush=True)
            if not given.first:
                print(f"({seed}, {shrink(lambda less: isinstance(breaks(seed, less), Exception), drawn)})")  # noqa: B023
            raise SystemExit(1)
        faults, matches, seed = faults + len(world.faults), matches + world.ended, seed + 1
    took = time.process_time() - began
    hours = (seed - given.seed) * HOURS_A_SEED
    print(
        f"{hours:.1f} hours, {matches} matches and {faults} faults in {took:.0f} s of processor time: no law broken"
    )


if __name__ == "__main__":
    main()
