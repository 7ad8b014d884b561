"""Players from outside meet the same deals as the bots, and are played again when they change."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import smallchange
from smallchange import BadPolicy, Position, bots
from smallchange.bots.policy import Policy, seat_policies
from smallchange.lab.compare import Alternative, compare_alternatives
from smallchange.lab.experiment_grid import read
from smallchange.lab.ladder import ladder
from smallchange.lab.play_portion import one_game, play
from smallchange.lab.results import read_results
from smallchange.lab.simulate import simulate

from .small_experiments import GAME, TWO

THUMB = """
from smallchange import bots

def play(position, luck):
    return bots.bot("greedy", luck=luck)(position)

def spoil(position, luck):
    token = position.legal()[0]
    position.play(token)
    return token

def cheat(position, luck):
    return "I win"

def forget(position, luck):
    position.play(position.legal()[0])

def fall(position, luck):
    return 1 / 0

def leave(position, luck):
    raise SystemExit

def crowded(position, luck, more):
    return position.legal()[0]

def alone(position):
    return position.legal()[0]
"""
BROKEN = {
    "lacking": ("import nowhere", "policy 'lacking:play': its module needs nowhere, which is not installed"),
    "unclosed": (
        "x = (",
        r"policy 'unclosed:play': its module raises SyntaxError: .* \(unclosed.py, line 1\)",
    ),
    "leaving": ("\nraise SystemExit(3)", r"its module raises SystemExit: 3 \(.*leaving.py, line 2\)"),
}


@pytest.fixture
def thumb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the rule of thumb as a policy from outside."""
    (tmp_path / "thumbs.py").write_text(THUMB)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "thumbs", raising=False)
    return "thumbs:play"


@pytest.mark.parametrize("id", smallchange.games())
def test_it_plays_as_the_bot_that_it_asks(id: str, thumb: str) -> None:
    game = smallchange.game(id)
    seats = len(game.seats)
    for number in range(3):
        bot = one_game(game, [Policy("greedy")] * seats, 1, number)
        assert one_game(game, [Policy.parse(thumb)] * seats, 1, number) == bot
        mine = [bots.bot("greedy", luck=Random(f"1 {number} {seat}")) for seat in range(seats)]
        assert one_game(game, mine, 1, number) == bot


def test_a_player_cannot_change_the_game_but_by_its_step(thumb: str) -> None:
    def first(position: Position) -> str:
        return position.legal()[0]

    game = smallchange.game(TWO)
    spoils = Policy.parse("thumbs:spoil")
    assert one_game(game, [spoils] * 2, 1, 1) == one_game(game, [first] * 2, 1, 1)


def test_a_policy_is_a_name_a_bot_or_a_function_with_or_without_luck(
    thumb: str, caplog: pytest.LogCaptureFixture
) -> None:
    def lucky(position: Position, luck: Random) -> str:
        return luck.choice(position.legal())

    def first(position: Position) -> str:
        return position.legal()[0]

    game = smallchange.game(TWO)
    named = simulate(game, 4, "thumbs:alone", seed=1, workers=1)
    assert simulate(game, 4, first, seed=1).outcomes == named.outcomes
    assert simulate(game, 4, [lucky, bots.level("greedy", game)], seed=1).policy == "<lucky>,greedy"
    assert not caplog.records
    alternatives = [Alternative(game, seat_policies([each, "greedy"], game)) for each in (first, lucky)]
    compared = compare_alternatives(alternatives, 2)
    assert [sample.policy for sample in compared.samples] == ["<first>,greedy", "<lucky>,greedy"]
    assert compared.samples[0].scores.tolist() == [
        [last.score(seat) for seat in game.seats]
        for number in range(2)
        for last, _ in [one_game(game, [first, "greedy"], 1, number)]
    ]
    with pytest.raises(BadPolicy, match="two or more different"):
        compare_alternatives([alternatives[0]] * 2, 2)


def test_the_policies_come_back_as_they_were_asked_for() -> None:
    for asked in ("greedy", "greedy,greedy", "greedy,random"):
        assert simulate(TWO, 4, asked, seed=1).policy == asked


def test_it_climbs_a_ladder(thumb: str) -> None:
    done = ladder(smallchange.game(TWO), [thumb, "random", "tree:2"], 8, workers=1)
    assert {sample.policy for sample in done.results.samples} >= {f"{thumb},random", f"tree:2,{thumb}"}


def test_the_search_sits_beside_any_bot() -> None:
    for other in bots.names(smallchange.game(TWO))[:3]:
        (cell, _) = read(f'n = 1\n[[grid]]\ngame = "{TWO}"\npolicies = "tree:2,{other}"\n').cells
        assert play(next(cell.portions()))[0]["number"] == [0]


def test_when_it_changes_it_is_played_again(tmp_path: Path) -> None:
    module, file, out = (tmp_path / name for name in ("thumbs.py", "mine.toml", "mine.parquet"))
    file.write_text(f'n = 6\npolicies = ["thumbs:play", "random"]\n[[grid]]\ngame = "{GAME}"\n')

    def games_played() -> str:
        words = [
            sys.executable,
            "-m",
            "smallchange",
            "experiment",
            str(file),
            "-o",
            str(out),
            "--workers",
            "2",
        ]
        found = {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
        done = subprocess.run(words, env=os.environ | found, check=True, capture_output=True, text=True)
        return done.stdout.split(" cells, ")[1].split()[0]

    module.write_text(THUMB)
    assert games_played() == "12"
    assert [sample.policy for sample in read_results(out).samples] == ["thumbs:play", "random"]
    assert read_results(out).metadata["policies"][GAME]["thumbs:play"].startswith("thumbs:play, SHA-256 ")
    assert games_played() == "0"
    module.write_text(THUMB + "# as before")
    assert games_played() == "6"


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        ("nowhere:play", "unknown policy 'nowhere:play': Python finds no module 'nowhere'"),
        ("nowhere.at.all:play", "Python finds no module 'nowhere.at.all'"),
        (":play", "Python finds no module ''"),
        ("..thumbs:play", "Python finds no module '..thumbs'"),
        ("thumbs:", "unknown policy 'thumbs:': its module has no such function"),
        ("thumbs:bots", "its module has no such function"),
    ],
)
def test_a_player_who_is_not_there_is_said(policy: str, says: str, thumb: str) -> None:
    with pytest.raises(smallchange.BadPolicy, match=says):
        Policy.parse(policy).fingerprint(smallchange.game(GAME))


@pytest.mark.parametrize("module", BROKEN)
def test_a_module_that_cannot_be_imported_is_one_line(module: str, thumb: str, tmp_path: Path) -> None:
    text, says = BROKEN[module]
    (tmp_path / f"{module}.py").write_text(text)
    with pytest.raises(smallchange.BadPolicy, match=says):
        Policy.parse(f"{module}:play").fingerprint(smallchange.game(GAME))


@pytest.mark.parametrize(
    ("player", "says"),
    [
        ("cheat", "'I win' is no move of "),
        ("forget", "None is no move of "),
        ("fall", r"ZeroDivisionError: division by zero \(.*thumbs.py, line 19\)$"),
        ("leave", r"SystemExit: \(.*thumbs.py, line 22\)$"),
        ("crowded", r"TypeError: crowded\(\) missing 1 required positional argument: 'more'$"),
    ],
)
def test_a_player_who_fails_is_named_with_the_game(player: str, says: str, thumb: str) -> None:
    with pytest.raises((smallchange.BadPolicy, smallchange.IllegalMove), match=says) as wrong:
        one_game(smallchange.game(GAME), [Policy.parse(f"thumbs:{player}")], 7, 3)
    assert str(wrong.value).startswith(f"thumbs:{player} in game 3 of seed 7: ")


def test_every_seat_needs_a_player() -> None:
    with pytest.raises(smallchange.BadPolicy, match="'greedy,greedy,greedy' names 3 players"):
        one_game(smallchange.game(TWO), [Policy("greedy")] * 3, 1, 1)


def test_a_game_of_a_seed_that_is_none_is_not_played_on_the_throws_of_another() -> None:
    with pytest.raises(ValueError, match=r"the seed must be a whole number .*, not 1\.5"):
        one_game(smallchange.game(GAME), [Policy("greedy")], 1.5, 0)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", ["processes", "dask"])
def test_who_fails_in_another_process_is_one_line(backend: str, tmp_path: Path) -> None:
    (tmp_path / "thumbs.py").write_text(THUMB)
    words = [sys.executable, "-m", "smallchange", "ladder", GAME, "--bots", "thumbs:fall,random", "-n", "4"]
    found = {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(
        [*words, "--workers", "2", "--backend", backend],
        env=os.environ | found,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("Error: thumbs:fall in game 0 of seed 1: ZeroDivisionError: ")
    assert done.stderr.count("\n") == 1
