"""The commands of the package, run as a shell would: in this process where nothing needs another."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

import smallchange
from smallchange.cli import main
from smallchange.core import record

SMALLCHANGE = [sys.executable, "-m", "smallchange"]
RECORDS = Path(__file__).parents[1] / "oracle" / "conformance"


def run(*arguments: str, input: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in this process: it starts at once. Tests that need a process of their own start one."""
    done = CliRunner().invoke(main, arguments, input=input, prog_name="smallchange")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


def output(*arguments: str) -> str:
    """Return what a command prints that succeeds."""
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_with_input(lines: str, *arguments: str, status: int = 0, cwd: Path | None = None) -> str:
    """Return what a command prints when these lines are typed into a pipe, both streams together."""
    with contextlib.chdir(cwd or Path()):
        done = CliRunner().invoke(main, arguments, input=lines, prog_name="smallchange")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == status, done.output
    return done.output


def saved_matches(data: Path) -> list[smallchange.Match]:
    """Return the matches that are saved in a data folder."""
    files = sorted((data / "games").glob("*.txt"))
    return [record.read(file.read_text(encoding="utf-8")) for file in files]
