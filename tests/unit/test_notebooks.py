"""Every notebook of the documentation runs, and prints what it is kept with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(file.stem for file in (ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_prints_what_it_is_kept_with(name: str) -> None:
    pytest.importorskip("nbclient")
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "notebooks.py", "--check", name],
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stdout + done.stderr
