"""The command that reviews a record: what it says to a person and to a program, and what it refuses."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import smallchange
from smallchange import Match, bots
from smallchange.bots import review
from smallchange.cli import main
from smallchange.core import record
from smallchange.extras import install_command
from tests.support.commands import RECORDS, SMALLCHANGE, output, run
from tests.support.matches import greedy_match

FEW = 4  # choices of a running game
QUICK = ("--simulations", "20")
ENGINES = {bots.best_bot(smallchange.game(id)).engine: id for id in smallchange.games()}


def review_output(*words: str) -> str:
    """Return what the command prints; in this process, where code is compiled once."""
    done = CliRunner().invoke(main, ["review", *words, *QUICK])
    assert done.exit_code == 0, done.output
    return done.stdout


def running(id: str) -> Match:
    """Return a match after its first few choices."""
    match = greedy_match(id, 1)
    return match.until(list(review.choices(match))[FEW][0])


def save_record(match: Match, folder: Path) -> str:
    file = folder / "game.txt"
    file.write_text(record.write(match), encoding="utf-8")
    return str(file)


def test_a_finished_game_is_told_from_its_first_choice_to_its_result(tmp_path: Path) -> None:
    match = greedy_match("thrag", 1)
    file = save_record(match, tmp_path)
    told = json.loads(review_output(file, "--json"))
    (account,) = told["accounts"]
    total = account["promised"] - account["given"] + account["rest"]
    assert total == pytest.approx(account["result"], abs=0.001)
    assert [choice["step"] for choice in told["choices"]] == [at + 1 for at, _ in review.choices(match)]
    lines = review_output(file, "--lang", "en").splitlines()
    assert re.fullmatch(r"Your accuracy: \d+%\. Luck .*\.", lines[0])
    *terms, came = [int(n) for n in re.findall(r"[+-]?\d+", lines[1].replace("\N{MINUS SIGN}", "-"))]
    assert sum(terms) == came == 100 * account["result"]
    rows = [line.split() for line in lines if line.lstrip()[:1].isdigit()]
    costly = [choice for choice in told["choices"] if choice["cost"]]
    assert [(int(row[0]), row[1]) for row in rows] == [(one["move"], one["token"]) for one in costly]
    every = review_output(file, "--all", "--lang", "ja").splitlines()
    assert every[0].startswith("あなたの正確さは")
    assert sum(line.lstrip()[:1].isdigit() for line in every[1:]) == len(told["choices"])


@pytest.mark.parametrize("id", smallchange.games())
def test_a_running_game_is_reviewed_and_has_no_result(id: str, tmp_path: Path) -> None:
    match = running(id)
    file = save_record(match, tmp_path)
    told = json.loads(review_output(file, "--json"))
    assert len(told["choices"]) == FEW
    for account in told["accounts"]:
        assert (account["result"], account["rest"]) == (None, None)
    said = review_output(file, "--lang", "en")
    assert " ".join(said.split()).count("= at the end") == len(told["accounts"])
    assert ("Heads: accuracy" in said) is (id == "coin-age")


@pytest.mark.parametrize("id", ENGINES.values(), ids=ENGINES)
def test_a_review_says_the_same_in_another_process(id: str, tmp_path: Path) -> None:
    file = save_record(running(id), tmp_path)
    done = subprocess.run(
        [*SMALLCHANGE, "review", file, "--json", *QUICK],
        env=os.environ | {"PYTHONHASHSEED": "1"},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stdout == review_output(file, "--json")


def test_a_record_without_a_choice_says_so(tmp_path: Path) -> None:
    file = save_record(Match(smallchange.game("solo"), bytes(16)), tmp_path)
    assert output("review", file, "--lang", "en") == "Nobody has chosen anything.\n"


def test_a_record_that_cannot_be_read_or_is_against_the_rules_is_one_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    line = (RECORDS / "dodgem.jsonl").read_text().splitlines()[0]
    bad.write_text(line.replace('"take":"a5-b5"', '"take":"a5-c5"', 1))
    for file, says in ((bad, "'a5-c5' is no move of dodgem"), (tmp_path / "none", "cannot read")):
        done = run("review", str(file))
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert says in done.stderr


def test_what_has_to_be_installed_is_one_line(tmp_path: Path) -> None:
    without = "import sys; sys.modules['numba'] = None; from smallchange.cli import main; main()"
    file = save_record(running("solo"), tmp_path)
    command = [sys.executable, "-c", without, "review", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith(f"needs numba: {install_command('fast')}\n")
    assert done.stderr.count("\n") == 1


def test_its_options_are_explained() -> None:
    help = output("review", "--help")
    for option in ("RECORD", "--all", "--json", "--lang"):
        assert option in help
    assert "review|analyse RECORD" in output()
