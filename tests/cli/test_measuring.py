"""Measuring from the command line, without a file: comparisons, counts, records of bots, functions of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import smallchange
from smallchange.core import record
from tests.support.commands import output, run, run_with_input, saved_matches

PLAYER = """
def first(position, luck):
    return position.legal()[0]

def any(position, luck):
    return luck.choice(position.legal())
"""
SMALL = ["dodgem", "--size", "3"]
DEAL = "0f" * 16


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder where Python finds a module with players, and games are saved."""
    (tmp_path / "own_players.py").write_text(PLAYER)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SMALLCHANGE_LANG", "en")
    return tmp_path


def test_bots_and_functions_of_ones_own_play_a_match_that_is_written_as_a_record(own: Path) -> None:
    words = ["record", *SMALL, "--bots", "greedy,own_players:any", "--deal", DEAL]
    text = output(*words)
    match = record.read(text)
    assert match.over
    assert match.seats == {"red": "greedy", "green": "own_players:any"}
    assert output(*words) == text
    assert record.read_any(output(*words, "--json")) == match
    assert "steps; " in output(*words, "-o", str(own / "game.txt"))
    assert (own / "game.txt").read_text() == text


@pytest.mark.parametrize(
    ("bots", "says"),
    [
        ("nobody", "unknown bot 'nobody'"),
        ("greedy,greedy,random", "names 3 bots; dodgem has 2 seats"),
        ("own_players:nobody", "its module has no such function"),
        ("nowhere:play", "PYTHONPATH=. before the command"),
    ],
)
def test_who_cannot_play_a_match_is_named(bots: str, says: str, own: Path) -> None:
    done = run("record", *SMALL, "--bots", bots)
    assert done.returncode == 2
    assert says in done.stderr


def test_one_plays_against_a_function_of_ones_own_and_resumes_only_by_naming_it_again(own: Path) -> None:
    said = run_with_input("1\nquit\n", "play", *SMALL, "--bot", "own_players:first")
    assert "Green: own_players:first." in said
    (match,) = saved_matches(own / "data")
    assert [step.actor for step in match] == ["red", "green"]
    refused = run_with_input("", "resume", status=2)
    assert "name it with --bot own_players:first" in refused
    run_with_input("1\nquit\n", "resume", "--bot", "own_players:first")
    (match,) = saved_matches(own / "data")
    assert [step.actor for step in match] == ["red", "green"] * 2


def test_perft_is_counted_compiled_to_the_same_number_as_by_hand_and_given_as_json() -> None:
    said = json.loads(output("perft", *SMALL, "-d", "3", "--split", "--json"))
    assert said["sequences"] == sum(said["split"].values()) == 31
    assert (said["game"], said["depth"], said["options"]) == ("dodgem", 3, {"size": 3})


@pytest.mark.slow
def test_variants_and_policies_are_compared_on_the_same_deals_under_their_names() -> None:
    words = [
        "compare",
        "solo",
        "-n",
        "300",
        "--workers",
        "1",
        "--name",
        "usual",
        "--and",
        "--free-moves",
        "0",
    ]
    said = json.loads(output(*words, "--name", "none free", "--and", "--policy", "random", "--json"))
    assert [each["name"] for each in said["alternatives"]] == ["usual", "none free", "base, random"]
    usual, none_free, at_random = said["alternatives"]
    assert none_free["options"] == {"free_moves": 0}
    for each, difference in zip((none_free, at_random), said["differences"], strict=True):
        score = each["score"]["mean"] - usual["score"]["mean"]
        assert difference["score"]["mean"] == pytest.approx(score)
        assert difference["score"]["low"] < score < difference["score"]["high"]
    again = output(*words)
    assert "More than usual, on the same deals" in again
    assert "none free" not in again


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ([], "name what to compare with after --and"),
        (["--and"], "two or more different variants or policies"),
        (["--and", "--size", "9"], "9 is not in the range"),
        (["--and", "--policy", "nobody"], "unknown policy 'nobody'"),
        (["--and", "--colour", "red"], "No such option"),
    ],
)
def test_a_comparison_that_cannot_be_is_refused_in_a_line(more: list[str], says: str) -> None:
    done = run("compare", *SMALL, *more)
    assert done.returncode == 2
    assert says in done.stderr


@pytest.mark.slow
def test_simulate_takes_functions_of_ones_own_and_counts_what_they_play(own: Path) -> None:
    words = [
        "simulate",
        *SMALL,
        "-n",
        "6",
        "--policy",
        "own_players:any,greedy",
        "--seed",
        "3",
        "--workers",
        "1",
    ]
    said = json.loads(output(*words, "--json"))
    assert (said["n"], said["policy"], said["complete"]) == (6, "own_players:any,greedy", True)
    assert sum(said["outcomes"].values()) == 6
    assert said["by_the_clock"] is False
    again = json.loads(output(*words, "--json"))
    assert said["outcomes"] == again["outcomes"]


@pytest.mark.slow
def test_exact_says_from_which_step_on_it_can_answer(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    output("record", "thrag", "--bots", "greedy", "--deal", DEAL, "-o", str(file))
    words = ["exact", str(file), "--earliest", "--seconds", "0"]  # so many positions, whatever the clock says
    said = json.loads(output(*words, "--json"))
    match = record.read(file.read_text())
    assert 0 < said["at"] < len(match)
    position = match.until(said["at"]).position
    assert said["position"] == position.key()
    assert {move["token"] for move in said["moves"]} == set(position.legal())
    assert said["value"] == max(move["value"] for move in said["moves"])


def test_a_position_has_no_earlier_steps() -> None:
    start = smallchange.game("dodgem").start().key()
    assert "--earliest is for a record" in run("exact", start, "--earliest").stderr
