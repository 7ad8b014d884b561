"""The programs of `examples/` run, and they and those of the first steps have complete types."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.first_steps import PAGES, programs

ROOT = Path(__file__).parents[2]
PYRIGHT = ROOT / "tools/js/node_modules/.bin/pyright"
PROGRAMS = {  # name: arguments, and a part of what it prints
    "bot_against_levels": (["2"], "random "),
    "board_search": (["64"], "on fresh deals"),
    "known_positions": ([], "positions: {'winner': "),
    "thousand_games": ([], "choices at most"),
    "two_bots": (["0.05"], "More than <cautious> against greedy, on the same deals"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_runs(name: str, tmp_path: Path) -> None:
    arguments, says = PROGRAMS[name]
    assert says in run(tmp_path, sys.executable, ROOT / "examples" / f"{name}.py", *arguments)


@pytest.mark.slow
def test_programs_of_users_have_complete_types(tmp_path: Path) -> None:
    texts = {
        f"{name}.py": (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8") for name in PROGRAMS
    }
    for page in PAGES:
        texts |= {f"{page.stem}_{name}": text for name, text in programs(page).items()}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    run(tmp_path, sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", *texts)
    if PYRIGHT.exists() or os.environ.get("CI"):
        (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
        run(tmp_path, PYRIGHT, "--pythonpath", sys.executable, *texts)


def run(folder: Path, *words: str | Path) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
