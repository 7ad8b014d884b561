"""Every line of README's blocks works in an environment made by those before it: with their extras and nothing else."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from smallchange.extras import install_command
from tests.support.without_extras import environment, installed_with

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)
LINES = [line for language, block in BLOCKS if not language for line in block.splitlines()]
SMALL = {"100000": "500", "docs/odds/thrag.toml": "thrag.toml"}  # the same commands with fewer games
ALONE = (
    "python3 -m venv .venv",
    ".venv/bin/smallchange serve",
    ". .venv/bin/activate",
    "scripts/test",
)  # tried elsewhere
FEW = {"ladder": ["-n", "2"], "compare": ["-n", "200"]}


@pytest.mark.slow
def test_every_line_works_after_those_before_it(tmp_path: Path) -> None:
    assert (ROOT / "docs/odds/thrag.toml").exists()
    (tmp_path / "thrag.toml").write_text(
        'n = 4\npolicies = ["greedy"]\n[[grid]]\ngame = "thrag"\n', encoding="utf-8"
    )
    variables, ran = dict[str, str](), []
    for part in (part.strip() for line in LINES for part in line.split("&&")):
        words = [SMALL.get(word, word) for word in shlex.split(part)]
        if words[1:2] == ["install"]:
            extras = re.findall(r"\[(.*)\]", words[-1])[0].split(",")
            variables = environment(tmp_path, *extras) | {"SMALLCHANGE_DATA": str(tmp_path / "data")}
        elif Path(words[0]).name == "smallchange" and words[1] != "serve":
            command = [sys.executable, "-m", "smallchange", *words[1:], *FEW.get(words[1], [])]
            done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)
            assert (done.returncode, "Traceback" in done.stderr) == (0, False), (part, done.stderr)
            ran.append(words[1])
        else:
            assert part in ALONE
    assert len(ran) >= 8


def test_the_table_of_extras_names_those_there_are() -> None:
    named = re.findall(r"^\| `(\w+)` \| (\d+) \|", README, re.M)
    assert named
    for extra, _ in named:
        assert len(installed_with(extra)) > len(installed_with()), extra


def test_what_is_missing_is_installed_by_a_line_that_works(tmp_path: Path) -> None:
    """From where this program was installed, by the Python that runs it."""
    assert install_command("lab") == f"{shlex.quote(sys.executable)} -m pip install --editable '{ROOT}[lab]'"
    done = subprocess.run(
        [sys.executable, "-m", "smallchange", "report", "nothing.parquet"],
        env=environment(tmp_path, "play"), capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, f"Error: this needs matplotlib: {install_command('lab')}\n")
