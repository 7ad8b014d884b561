"""The levels of every game: complete, measured by these rules, each stronger than the one below; a game that
has none has the two simple bots."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import Game, RulesError
from smallchange.bots import levels
from smallchange.bots.engines import greedy
from smallchange.bots.levels import BASIC_BOTS, LEVELS, Level
from smallchange.contract.phrases import has_japanese, is_complete
from smallchange.contract.variants import every_game
from smallchange.core.options import Value

LEAST = 200  # games of which a figure is made


def measured_bots(id: str) -> dict[str, Level]:
    """Return the bots of a game that has levels; the test is of no use for another."""
    game = smallchange.game(id)
    if not (game.folder / levels.FILE).exists():
        assert tuple(levels.load_bots(game)) == BASIC_BOTS
        pytest.skip("this game has no levels")
    return levels.load_bots(game)


@every_game
def test_every_level_is_there_and_says_what_it_is_in_every_language(id: str) -> None:
    found = measured_bots(id)
    assert tuple(found) == BASIC_BOTS + LEVELS
    for level in found.values():
        said = (
            levels.title(level.name),
            levels.description(level),
            levels.strength(level, smallchange.game(id).version),
        )
        assert all(is_complete(text) for text in said)
        assert has_japanese(levels.description(level))


@every_game
def test_every_bot_is_measured_by_the_rules_as_they_are(id: str) -> None:
    game, found = smallchange.game(id), measured_bots(id)
    for level in found.values():
        if level.measured is None:
            assert (level.name, len(game.seats)) == ("random", 2), "all others begin from it"
            continue
        said = level.measured
        assert said.rules == game.version, (
            f"measure again: python -m research calibrate {id} levels {level.name}"
        )
        assert said.n >= LEAST
        assert 0 <= said.low <= said.share <= said.high <= 1
        assert said.ms < 300
        assert id in said.command
        assert bool(said.against) == (len(game.seats) == 2)


@every_game
def test_each_level_is_stronger_than_the_one_below(id: str) -> None:
    row = [level.measured for name, level in measured_bots(id).items() if name in LEVELS]
    for below, above in pairwise(row):
        assert below is not None
        assert above is not None
        if above.against:
            assert above.low > 0.5
        else:
            assert above.low > below.share or (above.score or 0) > (below.score or 0)
            assert above.share >= below.share


@every_game
def test_the_odds_of_the_best_search_were_measured_by_the_rules_as_they_are(id: str) -> None:
    game, best = smallchange.game(id), measured_bots(id)[LEVELS[-1]]
    if best.engine == "mcts":
        assert any(not odds.options for odds in best.odds), "what play-outs win is not what the bot wins"
    for odds in best.odds:
        assert odds.rules == game.version, f"measure again: {odds.command}"
        assert odds.n >= LEAST
        assert odds.options == Game(id, dict(odds.options)).non_default_options


@settings(deadline=None)
@given(shares=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1))), said=st.lists(st.floats(0, 1)))
def test_who_finds_more_has_better_odds(shares: list[tuple[float, float]], said: list[float]) -> None:
    columns = [sorted(share[i] for share in shares) for i in (0, 1)]
    odds = levels.OddsCalibration({}, list(zip(*columns, strict=True)), 1, 1, "")
    won = [odds.win_rate(share) for share in sorted(said)]
    assert won == pytest.approx(sorted(won))
    assert all(0 <= share <= 1 for share in won)


def test_odds_are_those_of_a_games_options_else_the_least_of_some_of_them() -> None:
    def odds_of(won: float, **options: Value) -> levels.OddsCalibration:
        return levels.OddsCalibration(options, [(0.5, won)], 1, 1, "")

    odds = (
        odds_of(0.6),
        odds_of(0.9, size=4),
        odds_of(0.7, size=5),
        odds_of(0.4, start="crosswise"),
    )
    level = Level("some", "mcts", odds=odds)
    cases: list[tuple[dict[str, object], float, bool]] = [
        ({}, 0.6, False),
        ({"size": 4}, 0.9, False),
        ({"start": "crosswise"}, 0.4, False),
        ({"size": 3}, 0.6, True),
        ({"size": 4, "start": "crosswise"}, 0.4, True),
        ({"size": 5, "blocked": "wins"}, 0.6, True),
    ]
    for options, won, rough in cases:
        game = Game("dodgem", options)
        assert level.win_rate(game, 0.5) == won
        assert level.has_rough_odds(game) is rough
    assert Level("some", "mcts").win_rate(Game("dodgem"), 0.3) == 0.3


@pytest.mark.parametrize("blunders", [0, 30, 100])
def test_so_many_moves_of_a_hundred_are_blunders(blunders: int) -> None:
    """A blunder is any legal move, so the rule of thumb's own are among them."""
    position, luck = smallchange.game("dodgem").start(), Random(1)
    legal = position.legal()
    thumb = {greedy.choose(position, legal, 0.0, luck) for _ in range(100)}
    level = Level("some", "greedy", blunders=blunders)
    others = sum(level.choose(position, 0.0, luck) not in thumb for _ in range(1000))
    assert len(thumb) < len(legal)
    assert others / 1000 == pytest.approx(blunders / 100 * (1 - len(thumb) / len(legal)), abs=0.02)


def test_a_game_without_the_file_has_random_and_greedy(tmp_path: Path) -> None:
    assert tuple(levels.read_levels(tmp_path / levels.FILE)) == BASIC_BOTS


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("{", "Expecting property name"),
        ("[]", "no attribute 'items'"),
        ('{"random": {"engine": "random"}}', "it must name random, greedy, level1"),
        ('{"random": {"engine": "magic"}}', "there is no engine 'magic'"),
        ('{"random": {"engine": "random", "plan": {"most": "ten"}}}', "whole numbers"),
        ('{"random": {"engine": "random", "blunders": 101}}', "blunders (to 100)"),
        ('{"random": {"engine": "random", "exact_ends": {"score": -8}}}', "positions"),
        (
            '{"random": {"engine": "random", "exact_ends": {"score": -8, "positions": 0}}}',
            "exact_ends has a score and positions, whole numbers, the positions from 1",
        ),
        (
            '{"random": {"engine": "random", "odds": [{"options": {}, "points": [[0.5, 0.2], [0.4, 0.3]],'
            ' "n": 9, "rules": 1, "command": ""}]}}',
            "the points of odds ascend from 0 to 1",
        ),
        ('{"random": {"engine": "random", "lives": 9}}', "unexpected keyword argument 'lives'"),
    ],
)
def test_a_file_that_is_wrong_is_one_clear_line(tmp_path: Path, said: str, wrong: str) -> None:
    file = tmp_path / levels.FILE
    file.write_text(said)
    with pytest.raises(RulesError) as raised:
        levels.read_levels(file)
    assert wrong in str(raised.value)
    assert str(file) in str(raised.value)
    assert "\n" not in str(raised.value)


@every_game
def test_a_file_is_written_as_it_is_read(id: str, tmp_path: Path) -> None:
    found = measured_bots(id)
    text = levels.to_json(found)
    (tmp_path / levels.FILE).write_text(text)
    assert levels.read_levels(tmp_path / levels.FILE) == found
    assert json.loads(text).keys() == found.keys()
    assert text == (smallchange.game(id).folder / levels.FILE).read_text(encoding="utf-8")
