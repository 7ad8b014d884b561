"""A site in simulated time keeps its laws; `bench/simulate_site.py` goes on with more seeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.simulated_site import Fault, draw_faults, simulate

FOUND = [(8, [Fault(18.22, "lock", 6, 0)])]  # what broke a law once, as `bench/simulate_site.py` prints it


@pytest.mark.parametrize("seed", [1, 7])
def test_a_simulated_site_keeps_its_laws(seed: int, tmp_path: Path) -> None:
    world = simulate(tmp_path, seed, 0.1, draw_faults(seed, 0.1))
    assert world.ended
    assert world.faults


@pytest.mark.parametrize(("seed", "faults"), FOUND)
def test_what_broke_a_law_once_breaks_none(seed: int, faults: list[Fault], tmp_path: Path) -> None:
    assert simulate(tmp_path, seed, 0.05, faults).ended
