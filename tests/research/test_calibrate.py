"""`python -m research calibrate` measures a game's bots and writes what bots and pages read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import smallchange
from research.__main__ import main
from research.calibrate import BASELINE_FILE, WIN_RATES_FILE
from smallchange import Game
from smallchange.bots import best_bot
from smallchange.bots.levels import FILE, load_bots, read_levels

TWO = next(id for id in smallchange.games() if len(Game(id).seats) == 2)
ONE = "solo"


def calibrate(*words: str) -> Result:
    return CliRunner().invoke(main, ["calibrate", *words], catch_exceptions=False)


@pytest.mark.parametrize("id", [ONE, TWO])
def test_the_measured_bot_gets_new_figures_and_the_others_keep_theirs(id: str, tmp_path: Path) -> None:
    done = calibrate(id, "levels", "greedy", "-n", "4", "--folder", str(tmp_path))
    assert done.exit_code == 0, done.output
    before, after = load_bots(Game(id)), read_levels(tmp_path / FILE)
    figures = after["greedy"].measured
    assert figures
    assert (figures.n, figures.rules) == (4, Game(id).version)
    assert figures.against == ("random" if id == TWO else "")
    assert {name: bot for name, bot in after.items() if name != "greedy"} == {
        name: bot for name, bot in before.items() if name != "greedy"
    }


def test_the_stored_command_measures_the_same_again(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "other")]
    words = [TWO, "levels", "level1", "-n", "4", "--seed", "3"]
    found = []
    for folder in folders:
        folder.mkdir()
        assert calibrate(*words, "--folder", str(folder)).exit_code == 0
        figures = read_levels(folder / FILE)["level1"].measured
        assert figures
        found.append((figures.share, figures.low, figures.high, figures.command))
        words = figures.command.split()[4:]
    assert found[0] == found[1]


@pytest.mark.slow
def test_hints_with_options_get_a_calibration_of_their_own(tmp_path: Path) -> None:
    done = calibrate(ONE, "hints", "-n", "1", "--folder", str(tmp_path), "--topology", "torus")
    assert done.exit_code == 0, done.output
    best = best_bot(Game(ONE))
    odds = [it for it in read_levels(tmp_path / FILE)[best.name].odds if it.options == {"topology": "torus"}]
    assert [it.n for it in odds] == [1]
    assert [it.command for it in odds] == [
        f"python -m research calibrate {ONE} hints --topology torus -n 1 --seed 1"
    ]


def test_the_baseline_counts_every_game(tmp_path: Path) -> None:
    assert calibrate(ONE, "baseline", "-n", "50", "--folder", str(tmp_path)).exit_code == 0
    found = json.loads((tmp_path / BASELINE_FILE).read_text())
    assert sum(found["scores"].values()) == found["n"] == 50
    assert found["rules"] == Game(ONE).version


def test_win_rates_are_those_of_an_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path / "data"))
    file = tmp_path / "tiny.toml"
    file.write_text('n = 2\npolicies = "level5"\n[[grid]]\ngame = "dodgem"\noptions = {size = [3]}\n')
    done = calibrate("dodgem", "odds", str(file), "--folder", str(tmp_path))
    assert done.exit_code == 0, done.output
    (row,) = json.loads((tmp_path / WIN_RATES_FILE).read_text())["variants"]
    assert (row["options"], row["n"]) == ({"size": 3}, 2)
    file.write_text('n = 2\npolicies = "greedy"\n[[grid]]\ngame = "dodgem"\n')
    assert "has no games of dodgem by level5" in calibrate("dodgem", "odds", str(file)).output


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("dodgem levels level9", "dodgem has no bot 'level9'; its bots are: random, greedy, "),
        ("dodgem levels -n 0", "0 is not in the range"),
        ("dodgem levels --size 4", "levels takes no options of the game, only hints and deals do"),
        ("dodgem hints", "hints in dodgem need no calibration"),
        ("dodgem baseline", "dodgem is a game for two: a baseline is for games for one"),
        ("dodgem odds", "odds takes one experiment: a TOML file"),
        ("dodgem odds nowhere.toml", "cannot read nowhere.toml: No such file or directory"),
        ("solo hints level5", "hints takes nothing more, not 'level5'"),
        ("solo scores", "'scores' is not one of 'levels', 'hints', 'given', 'baseline', 'odds'"),
    ],
)
def test_a_wrong_word_is_one_clear_error(words: str, error: str) -> None:
    done = calibrate(*words.split())
    assert done.exit_code != 0
    assert error in done.output
    assert "Traceback" not in done.output
