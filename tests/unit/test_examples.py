"""The programs of `examples/` run, and have complete types."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYRIGHT = ROOT / "tools/js/node_modules/.bin/pyright"
PROGRAMS = {  # name: arguments, and a part of what it prints
    "bot_against_levels": (["2"], "random "),
    "board_search": (["64"], "on fresh deals"),
    "thousand_games": ([], "choices at most"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_runs_and_has_complete_types(name: str, tmp_path: Path) -> None:
    arguments, says = PROGRAMS[name]
    program = ROOT / "examples" / f"{name}.py"

    def run(*words: str | Path) -> str:
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert says in run(sys.executable, program, *arguments)
    run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", program)
    if PYRIGHT.exists() or os.environ.get("CI"):
        (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
        (tmp_path / program.name).write_text(program.read_text(encoding="utf-8"))
        run(PYRIGHT, "--pythonpath", sys.executable, program.name)
