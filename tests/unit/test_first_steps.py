"""The first steps of newcomers, as the documentation has them, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.first_steps import BLOCK, PAGES, programs


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_first_steps_lead_where_they_say(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    commands = [block for kind, block in BLOCK.findall(text) if kind == "sh"]
    for name, program in programs(page).items():
        (tmp_path / name).write_text(program, encoding="utf-8")
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
