"""The benches play what they are asked to, and say what was wrong with the words they were given."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"


def ran(line: str) -> subprocess.CompletedProcess[str]:
    script, *words = shlex.split(line)
    return subprocess.run(
        [sys.executable, str(BENCH / script), *words], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "duel.py dodgem sise=3 --one greedy --other greedy",
            "dodgem: unknown option 'sise'; the options are: ",
        ),
        ("strength.py dodgem sise=3 greedy", "dodgem: unknown option 'sise'; the options are: "),
        ("looks.py coin-age mop=forest --plans looks=1", "coin-age: unknown option 'mop'; the options are: "),
        ("strength.py dodgem size=x greedy", "dodgem: option 'size' must be "),
        ('strength.py dodgem "tree playout=5"', "'playout=5' is no plan: NAME=NUMBER .., the names being "),
        ("paired.py thrag gready", "'gready' is no player: "),
        ("paired.py dodgem greedy", "invalid choice: 'dodgem'"),
        ("strength.py thrag greedy", "invalid choice: 'thrag'"),
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
        ('paired.py thrag greedy "tree playouts=5" -n 10', "tree playouts=5: n 10, won "),
        ('strength.py dodgem size=3 "tree playouts=5" -n 4', "search against greedy: n 4, won "),
    ],
)
def test_players_are_measured_as_asked(line: str, said: str) -> None:
    run = ran(line)
    assert run.returncode == 0, run.stderr
    assert said in run.stdout
