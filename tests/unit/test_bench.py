"""The benches play what they are asked to, and say what was wrong with the words they were given."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BENCH = ROOT / "bench"


def ran(line: str) -> subprocess.CompletedProcess[str]:
    name, *words = shlex.split(line)
    script = [str(BENCH / name)] if name.endswith(".py") else ["-m", f"research.{name}"]
    return subprocess.run(
        [sys.executable, *script, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "duel dodgem sise=3 --one greedy --other greedy",
            "dodgem: unknown option 'sise'; the options are: ",
        ),
        ("strength dodgem size=x greedy", "dodgem: option 'size' must be "),
        ('strength dodgem "tree playout=5"', "'playout=5' is no plan: NAME=NUMBER .., the names being "),
        ("paired thrag gready", "'gready' is no player: "),
        ("paired dodgem greedy", "invalid choice: 'dodgem'"),
    ],
)
def test_a_wrong_word_ends_a_bench_with_what_was_wrong(line: str, said: str) -> None:
    run = ran(line)
    assert run.returncode != 0
    assert said in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('paired thrag greedy "tree simulations=5" -n 10', "tree simulations=5: n 10, won "),
        ('strength dodgem size=3 "tree simulations=5" -n 4', "search against greedy: n 4, won "),
        ("hints thrag -n 4", "exact: 0."),
        (
            "pairs royal-ur coins=1 --better greedy --worse random -n 4",
            "against level3: n 4, the same luck ",
        ),
        (
            "world.py --accounts 32 --days 1 --matches 3 --dailies 1",
            "whole match stored",
        ),
        ("populations.py dodgem -n 2 --bots random,greedy --players 20", "without luck: n 20 players, "),
    ],
)
def test_players_are_measured_as_asked(line: str, said: str) -> None:
    run = ran(line)
    assert run.returncode == 0, run.stderr
    assert said in run.stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hints dodgem", "invalid choice: 'dodgem'"),
        ("hints thrag -n 1", "-n is a whole number from 2 on"),
        ("solve.py bot 3", "dodgem-size=3.table: smallchange solve dodgem --size 3"),
        ("solve.py endgames", "dodgem.table: smallchange solve dodgem"),
    ],
)
def test_what_cannot_be_measured_is_one_clear_line(
    line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path))
    run = ran(line)
    assert run.returncode != 0
    assert said in run.stderr.splitlines()[-1]
    assert "Traceback" not in run.stderr


def test_without_open_spiel_its_bench_says_what_to_install() -> None:
    """Whatever is installed here."""
    lacking = "import runpy, sys; sys.modules['pyspiel'] = None; sys.path.insert(0, sys.argv[1]); "
    command = [sys.executable, "-c", lacking + "runpy.run_path(sys.argv[1] + '/mcts.py')", str(BENCH)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (1, "this needs pyspiel: pip install open_spiel\n")
