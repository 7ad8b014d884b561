"""A site in simulated time keeps its laws; `bench/simulate_site.py` goes on with more seeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.simulated_site import draw_faults, simulate


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_simulated_site_keeps_its_laws(seed: int, tmp_path: Path) -> None:
    world = simulate(tmp_path, seed, 0.1, draw_faults(seed, 0.1))
    assert world.ended
    assert world.faults
