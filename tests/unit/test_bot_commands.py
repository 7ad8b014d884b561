"""`smallchange bots`, and what the prompt says of bots and hints: the real commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import smallchange
from smallchange import bots
from smallchange.bots.levels import Level, Measurement, strength, title
from smallchange.i18n.text import LANGUAGES
from tests.support.commands import output, run, run_with_input, saved_matches

GAMES = smallchange.games()
FOR_ONE = [id for id in GAMES if len(smallchange.game(id).seats) == 1]
FOR_TWO = [id for id in GAMES if id not in FOR_ONE]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Yield a home of its own, in English."""
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SMALLCHANGE_LANG", "en")
    return tmp_path


def test_the_bots_of_every_game_are_listed_with_their_strength() -> None:
    said = output("bots", "--lang", "en")
    for id in GAMES:
        part = said.split(f"{id}: ")[1]
        for name in bots.names(smallchange.game(id)):
            assert re.search(rf"^  {name} ", part, re.MULTILINE)
    assert "% (" in said
    assert "ms a move" in said
    assert "対戦" in output("bots", FOR_TWO[0], "--lang", "ja")


@pytest.mark.parametrize("id", GAMES)
def test_the_same_is_said_as_json(id: str) -> None:
    said = json.loads(output("bots", id, "--json"))
    assert [bot["name"] for bot in said["bots"]] == bots.names(smallchange.game(id))
    for bot in said["bots"]:
        assert {"engine", "plan", "blunders", "measured", "strength", "about"} <= set(bot)
    assert json.loads(output("bots", "--json"))[GAMES.index(id)] == said


def test_a_game_that_is_none_is_one_clear_line() -> None:
    assert "unknown game 'chess'" in run("bots", "chess").stderr


@pytest.mark.parametrize("id", FOR_TWO)
def test_the_help_of_play_lists_the_opponents_with_their_strength(id: str) -> None:
    help = output("play", id, "--help")
    for name in bots.names(smallchange.game(id)):
        assert f"\n    {name} " in help


@pytest.mark.parametrize("id", [FOR_ONE[0], FOR_TWO[0]])
def test_at_the_prompt_a_hint_names_a_move_and_its_odds(id: str, home: Path) -> None:
    asked = "hint piece\nhint\nhint why\nhint odds\nhint\nquit\n"
    said = run_with_input(asked, "play", id, "--deal", "0" * 31 + "1")
    nudge, move, why, refused, again = said.split("> ")[1:6]
    assert again == move, "one answer a position"
    assert nudge.startswith("Hint: ")
    assert "%" not in nudge
    assert re.search(r"Hint: [^>]*[\d.]+%", move)
    assert not why.strip() or why.startswith("Why: "), "a reason of the game, or nothing"
    assert "hint odds is not possible here" in refused
    assert saved_matches(home / "data") == [], "a hint is no step"


def test_at_the_prompt_one_is_told_who_sits_on_the_other_side(home: Path) -> None:
    assert "Level 1, " in run_with_input("quit\n", "play", FOR_TWO[0], "--bot", "level1")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", smallchange.games())
def test_a_hint_says_the_move_and_then_its_odds(id: str, lang: str) -> None:
    match = smallchange.Match(smallchange.game(id), deal=bytes(16))
    match.settle()
    token = match.position.legal()[0]
    said, step = bots.Hint(token, 0.25).describe(match.position)[lang], match.position.describe(token)[lang]
    assert step in said
    assert re.search(r"(?<!\d)25\s?%", said.partition(step)[2])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("against", ["", "greedy"])
def test_a_strength_says_its_share_and_what_it_lies_between(lang: str, against: str) -> None:
    found = Measurement(1234, 0.5, 0.4, 0.7, ms=1, rules=1, seed=1, command="", against=against)
    said = strength(Level("level1", "greedy", measured=found), 1)[lang]
    said = "".join(said.split())
    assert re.search(r"50%\(40%\D{1,3}70%\)", said)
    assert re.search(r"1[,.]234", said)
    assert "".join(title("greedy")[lang].split()) in said or not against


@pytest.mark.slow
@pytest.mark.parametrize("id", GAMES)
def test_all_engines_of_a_game_are_compiled_beforehand(id: str) -> None:
    lines = output("warm", id).splitlines()
    game = smallchange.game(id)
    engines = {level.engine for name in bots.names(game) if not (level := bots.level(name, game)).instant}
    assert lines[0].startswith(f"{id}: simulate is ready after ")
    assert len(lines) == 1 + len(engines)
