"""The first steps of newcomers, as the documentation has them, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYRIGHT = ROOT / "tools/js/node_modules/.bin/pyright"
PAGES = sorted((ROOT / "docs" / "first-steps").glob("*.md"))
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_first_steps_lead_where_they_say(page: Path, tmp_path: Path) -> None:
    commands, programs = [], []
    text = page.read_text(encoding="utf-8")
    for kind, block in BLOCK.findall(text):
        if kind == "sh":
            commands.append(block)
            continue
        name = block.split("\n", 1)[0].removeprefix("# ")
        (tmp_path / name).write_text(block, encoding="utf-8")
        programs.append(name)
    folders = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": folders, "SMALLCHANGE_LANG": "en"}
    script = "\n".join(commands)
    done = subprocess.run(
        ["bash", "-eu", "-c", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for figure in re.findall(r"(\d+\.\d+) %", BLOCK.sub("", text)):
        assert figure in done.stdout
    for line in commands:
        for made in re.findall(r"-o (\S+)", line):
            assert (tmp_path / made).stat().st_size > 0
    if programs:
        mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
        pyright = [str(PYRIGHT), "--pythonpath", sys.executable]
        for checker in (mypy, pyright) if PYRIGHT.exists() or os.environ.get("CI") else (mypy,):
            checked = subprocess.run(
                [*checker, *programs],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                timeout=300,
            )
            assert checked.returncode == 0, checked.stdout
