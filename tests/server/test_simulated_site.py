"""A site in simulated time keeps its laws; `bench/simulate_site.py` goes on with more seeds."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.support.simulated_site import Fault, draw_faults, simulate

HOURS = 0.1
# seeds that broke a law once, with the fewest faults of theirs that do, as the bench prints them
FOUND = [(5, [Fault(after_s=14.72189973483878, kind="slow", seconds=70, process=0)])]


@pytest.mark.parametrize(("seed", "faults"), [*((n, draw_faults(n, HOURS)) for n in (1, 2, 3)), *FOUND])
def test_a_simulated_site_keeps_its_laws(seed: int, faults: list[Fault], tmp_path: Path) -> None:
    world = simulate(tmp_path, seed, HOURS, faults)
    assert world.ended
    assert world.faults


def test_the_same_seed_gives_the_same_events(tmp_path: Path) -> None:
    logs = []
    for name in ("once", "again"):
        (folder := tmp_path / name).mkdir()
        world = simulate(folder, 4, 0.03, draw_faults(4, 0.03))
        logs.append(
            sqlite3.connect(world.file).execute("SELECT * FROM event ORDER BY match_id, ply").fetchall()
        )
    assert logs[0]
    assert logs[0] == logs[1]
