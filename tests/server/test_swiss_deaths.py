"""The sizes of Swiss that must hold, with a director that dies; `bench/swiss.py` dies at every statement."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from .swiss_deaths import play_swiss


@pytest.mark.parametrize(("entries", "rounds"), [(64, 9), (33, 6)])
def test_nobody_is_paired_twice_and_every_pairing_has_one_match_though_the_director_dies(
    tmp_path: Path, entries: int, rounds: int
) -> None:
    found = asyncio.run(play_swiss(tmp_path, entries, rounds, growth=4))
    assert found.deaths >= 3 * rounds
