"""A site in simulated time keeps its laws; `bench/simulate_site.py` goes on with more seeds."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.support.simulated_site import draw_faults, simulate


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_simulated_site_keeps_its_laws(seed: int, tmp_path: Path) -> None:
    world = simulate(tmp_path, seed, 0.1, draw_faults(seed, 0.1))
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
