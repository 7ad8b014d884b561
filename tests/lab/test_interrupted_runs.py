"""Runs that are killed or broken off: nothing is lost, and nothing stays behind."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from smallchange.cli.options import NOTHING_KEPT_WITHOUT_OUT, RESUMABLE
from smallchange.lab.backends import distribute
from smallchange.lab.experiment import run
from smallchange.lab.experiment_grid import read

from .small_experiments import GAME, command

LONG = f'n = 300_000\n[[grid]]\ngame = "{GAME}"\npolicies = "random"\n'


def heeding() -> None:
    """Let Ctrl-C end the run, also where the tests were started in the background, as a shell does it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def start_run(folder: Path, out: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Yield a run of two workers in a group of its own, as soon as some parts are there, and its terminal."""
    mine, theirs = pty.openpty()  # a terminal, where a bar moves with every part
    words = command(folder, "-o", str(out), "--workers", "2")
    running = subprocess.Popen(
        words, start_new_session=True, preexec_fn=heeding, stdout=subprocess.PIPE, stderr=theirs
    )
    os.close(theirs)
    while len(list(out.with_suffix(".parts").glob("*.parquet"))) < 3:
        os.read(mine, 4096)
    yield running, mine
    running.communicate()
    os.close(mine)


def test_a_run_killed_in_the_middle_goes_on_to_the_same_file(tmp_path: Path) -> None:
    """kill -9 of the whole group, workers and all, as soon as some parts are there."""
    (tmp_path / "small.toml").write_text(LONG)
    whole, broken = tmp_path / "whole.parquet", tmp_path / "broken.parquet"
    subprocess.run(command(tmp_path, "-o", str(whole), "--workers", "2"), check=True, capture_output=True)
    with start_run(tmp_path, broken) as (killed, _):
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
    kept = len(list(broken.with_suffix(".parts").glob("*.parquet")))
    assert not broken.exists()
    again = subprocess.run(
        command(tmp_path, "-o", str(broken), "--workers", "1"), check=True, capture_output=True, text=True
    )
    left = 300_000 - 10_000 * kept
    assert f"300,000 games in 1 cell, {left:,} of them played now" in again.stdout
    assert broken.read_bytes() == whole.read_bytes()
    assert pq.read_table(broken, columns=["number"])["number"].to_pylist() == list(range(300_000))


def test_workers_end_when_the_run_that_made_them_is_killed(tmp_path: Path) -> None:
    """Each holds the pipe to which the run would write until it is gone itself."""
    (tmp_path / "small.toml").write_text(LONG.replace("300_000", "300_000_000"))
    with start_run(tmp_path, tmp_path / "out.parquet") as (killed, _):
        killed.kill()
        try:
            killed.communicate(timeout=300)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(killed.pid, signal.SIGKILL)


@pytest.mark.parametrize(("end", "ending"), [(os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM)])
def test_a_run_that_is_broken_off_says_that_it_can_go_on(
    end: Callable[[int, int], None], ending: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "small.toml").write_text(LONG.replace("300_000", "300_000_000"))
    said = b""
    with start_run(tmp_path, tmp_path / "out.parquet") as (running, terminal), suppress(OSError):
        end(running.pid, ending)
        while True:  # until nobody holds the terminal
            said += os.read(terminal, 4096)
    assert b"The work done so far is kept: run the command again to continue." in said
    assert b"Warning" not in said
    assert running.returncode == 130


def deaf(_: int) -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_workers_do_not_hear_ctrl_c_from_their_first_moment_on() -> None:
    """Each would say with a traceback what it was importing."""
    assert all(distribute(deaf, range(4), workers=2))
    assert not deaf(0), "who made them does"


LADDER = ["ladder", GAME, "--bots", "random,greedy", "-n", "1000000"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (LADDER, NOTHING_KEPT_WITHOUT_OUT),
        ([*LADDER, "-o", "kept.parquet"], RESUMABLE),
    ],
)
def test_what_is_broken_off_says_whether_it_can_go_on(words: list[str], says: str, tmp_path: Path) -> None:
    mine, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "smallchange", *words],
        cwd=tmp_path, start_new_session=True, preexec_fn=heeding, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    said = b""
    with suppress(OSError):
        while said.count(b"games") + said.count(b"deals") < 3:  # a bar, which moves
            said += os.read(mine, 4096)
        os.killpg(running.pid, signal.SIGINT)
        while True:  # until nobody holds the terminal
            said += os.read(mine, 4096)
    os.close(mine)
    assert f"\n{says}\r\n".encode() in said
    assert running.wait() == 130


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_simulation_that_is_broken_off_says_so_beside_its_table(ending: signal.Signals) -> None:
    mine, theirs = pty.openpty()  # where a bar moves with every batch
    words = [sys.executable, "-m", "smallchange", "simulate", GAME, "-n", "1000000000", "--csv"]
    running = subprocess.Popen(words, preexec_fn=heeding, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    shown = b""
    while shown.count(b"games") < 3:
        shown += os.read(mine, 4096)
    running.send_signal(ending)
    table, _ = running.communicate(timeout=300)
    while b"games were played" not in shown:
        shown += os.read(mine, 4096)
    os.close(mine)
    assert b"broken off: " in shown
    assert table.startswith(b"outcome,games,share,low,high\n")
    assert running.returncode == 130


def test_drafts_of_dead_runs_are_removed(tmp_path: Path) -> None:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    parts = tmp_path / "a.parts"
    parts.mkdir()
    names = ("a.parts/x.parquet.{}.part", "a.parquet.{}.part", "a.times.json.{}.part", "b.parquet.{}.part")
    drafts = [[tmp_path / name.format(pid) for name in names] for pid in (done.pid, os.getppid())]
    for draft in chain(*drafts):
        draft.touch()
    run(read(f'n = 1\n[[grid]]\ngame = "{GAME}"\n'), tmp_path / "a.parquet", workers=1)
    assert [draft.exists() for draft in drafts[0]] == [False, False, False, True]
    assert all(draft.exists() for draft in drafts[1])


def test_files_of_others_that_are_named_alike_are_left(tmp_path: Path) -> None:
    (tmp_path / "a.parts").mkdir()
    others = [tmp_path / name for name in ("a.backup.part", "a.7.part", "a.parts/notes.part")]
    for other in others:
        other.touch()
    run(read(f'n = 1\n[[grid]]\ngame = "{GAME}"\n'), tmp_path / "a.parquet", workers=1)
    assert all(other.exists() for other in others)
