"""Puzzles: found alike by any number of workers, no two alike, and their keys are best by another code."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, groupby
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner, Result

import smallchange
from research.__main__ import main
from research.puzzles import check as puzzle_check
from research.puzzles import ratings as puzzle_ratings
from research.puzzles.check import check_puzzle
from research.puzzles.search import (
    MAX_KIND_GAIN,
    MIN_CHOICES,
    Mixture,
    are_alike,
    differ,
    find_puzzles,
    gains_by_kind,
    has_choices,
    is_worth_solving,
    likeness,
    loses_at_once,
    measure,
    theme_of,
)
from smallchange import BadPuzzle, Puzzle, games
from smallchange.cli import main as product
from smallchange.core.game import Position
from smallchange.core.puzzle import MIN_MARGIN, parse_puzzle, puzzles_in
from smallchange.lab.play_portion import row_match

SMALL = smallchange.game("dodgem", size=3)
ALONE = "thrag"
CHECKED = 3  # of a game, those that came with it


@cache
def some_puzzles(workers: int = 1) -> tuple[Puzzle, ...]:
    return tuple(find_puzzles(SMALL, 12, seed=1, workers=workers))


def test_one_and_two_workers_find_the_same_puzzles() -> None:
    assert some_puzzles() == some_puzzles(2)


def test_no_two_puzzles_are_alike_and_no_theme_has_more_than_half() -> None:
    puzzles = some_puzzles()
    assert len({likeness(puzzle.position) for puzzle in puzzles}) == len(puzzles) == 12
    themes = [puzzle.theme for puzzle in puzzles]
    assert max(map(themes.count, themes)) <= 6


def test_a_puzzle_has_three_moves_of_which_the_rule_of_thumb_takes_a_wrong_one() -> None:
    for puzzle in some_puzzles():
        assert len(puzzle.position.legal()) >= MIN_CHOICES
        assert is_worth_solving(puzzle)


def test_moves_that_lose_whatever_chance_does_next_or_come_to_the_same_are_no_choices() -> None:
    state = (
        "turn=0 phase=2 hour=11 stack=0,0,0,30 discards=0,0,0,32 slain=30,62,62 beast=5,0,0 die=3,-1,-1,5 "
    )
    state += "coins=0,1,17 hits=1 pawns=0 fought=1 suit=0 flip=2 damage=0 reason=0"
    position = Position.parse(f"thrag / {state}")
    assert [token for token in position.legal() if not loses_at_once(position, token)] == ["fight:S+A"]
    assert not has_choices(position), "the null of crowns does not help, and there is no other hour"
    assert differ({"a": 0.5, "b": 0.3, "c": 0.1})
    assert not differ({"a": 0.5, "b": 0.301, "c": 0.3, "d": 0.3})
    assert differ(dict.fromkeys("bcdef", 0.3) | {"a": 0.5}), "to find one of six is no guess"


def test_a_theme_has_half_of_a_set_at_most_the_first_that_come() -> None:
    mixture, puzzle = Mixture(8), some_puzzles()[0]
    taken = [mixture.takes(replace(puzzle, theme=theme)) for theme in "abaaabac"]
    assert taken == [True, True, True, True, True, True, False, True]


def test_a_kind_of_move_solves_hardly_more_of_a_set_than_a_guess() -> None:
    here = smallchange.puzzles("royal-ur")
    puzzle = next(one for one in here if "brings coin on home" in gains_by_kind(one))
    assert [*gains_by_kind(puzzle).values()] == [pytest.approx(1 - 1 / len(puzzle.position.legal()))]
    mixture = Mixture(round(1 / MAX_KIND_GAIN))
    assert [mixture.takes(puzzle), mixture.takes(replace(puzzle, theme="another"))] == [True, False]


def test_positions_that_are_worth_the_same_by_symmetry_are_alike() -> None:
    position = SMALL.start()
    position.play(position.legal()[0])
    ranking = SMALL.ranking
    assert ranking is not None
    twin = SMALL.start()
    ranking.position(SMALL.board, twin.s, ranking.place(SMALL.board, position.s), 1 - position.s.turn)
    assert twin != position
    assert likeness(twin) == likeness(position)


def test_the_way_to_a_puzzle_can_be_played_again() -> None:
    for puzzle in some_puzzles()[:4]:
        origin = puzzle.origin
        assert origin is not None
        match = row_match(SMALL, origin.policy, origin.seed, origin.number)
        assert match.until(origin.step).position == puzzle.position


def test_a_key_is_best_by_another_code_and_a_false_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_check, "MAX_LINE_POSITIONS", 20_000)
    for puzzle in [*some_puzzles()[:2], *find_puzzles(smallchange.game(ALONE), 1, seed=1)]:
        verdict = check_puzzle(puzzle)
        if verdict.done:
            assert not verdict.false
            assert verdict.odds[puzzle.best] == pytest.approx(puzzle.chance, abs=1e-5)
            assert verdict.best_rival == pytest.approx(puzzle.second, abs=1e-5)
            wrong = next(token for token in puzzle.position.legal() if token != puzzle.best)
            assert check_puzzle(replace(puzzle, best=wrong)).false


def of_game(puzzle: Puzzle) -> tuple[object, ...]:
    return puzzle.origin[:3] if puzzle.origin else ()


@pytest.mark.parametrize("game", games())
def test_the_puzzles_that_come_with_a_game_hold_what_they_say(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzle_check, "MAX_LINE_POSITIONS", 20_000)  # two seconds; others are left out
    here = smallchange.puzzles(game)
    assert len(here) >= 20
    assert len({puzzle.id for puzzle in here}) == len(here)
    assert [puzzle.rating for puzzle in here] == sorted(puzzle.rating for puzzle in here)
    for puzzle in here:
        assert puzzle.best in puzzle.position.legal()
        assert puzzle.margin >= MIN_MARGIN - 1e-6
        assert puzzle.rules == puzzle.game.version
        assert theme_of(puzzle.position, puzzle.best) == puzzle.theme
        assert parse_puzzle(json.dumps(puzzle.to_json())) == puzzle
    for puzzle in Random(game).sample(here, 30):
        assert is_worth_solving(puzzle)
    mixture = Mixture(len(here))
    assert all(mixture.takes(puzzle) for puzzle in here), "a rule of one line solves much of it"
    by_game = groupby(sorted(here, key=of_game), of_game)
    assert not any(are_alike(*pair) for _, group in by_game for pair in combinations(group, 2))
    assert game != "thrag" or all(puzzle.game.options["show_used"] for puzzle in here), "used coins decide"
    exact = [puzzle for puzzle in here if puzzle.exact]
    for puzzle in Random(game).sample(exact, min(CHECKED, len(exact))):
        assert not check_puzzle(puzzle).false


def test_a_measured_choice_is_judged_alike_again() -> None:
    puzzle = next(one for one in smallchange.puzzles("coin-age") if one.playouts == 64)
    judged = puzzle.best, puzzle.chance, puzzle.second, puzzle.interval, puzzle.playouts
    assert measure(puzzle.position) == judged


def test_ratings_order_puzzles_by_how_often_they_are_solved() -> None:
    puzzles = some_puzzles()
    easy = [[1] * 5 if number < 6 else [0, 0, 0, 1, 1] for number in range(12)]
    model = puzzle_ratings.fit(puzzles, np.array(easy), "a command")
    assert list(model.levels) == sorted(model.levels)
    said = puzzle_ratings.expectation(model, puzzles)
    assert ((said > 0) & (said < 1)).all()
    rows = puzzle_ratings.tenths(said, np.array(easy))
    assert sum(row.n for row in rows) == 60


def test_five_equal_tries_at_a_puzzle_say_as_much_as_one() -> None:
    solved = np.array([0, 1, 1, 0, 1, 0, 1, 1, 0, 1])
    said = np.full((10, 5), 0.55)
    [row] = puzzle_ratings.tenths(said, np.repeat(solved[:, None], 5, axis=1))
    [once] = puzzle_ratings.tenths(said[:, :1], solved[:, None])
    assert (row.n, once.n) == (50, 10)
    assert row.solved == once.solved


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, ["puzzles", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_command_finds_puzzles_and_checks_them(tmp_path: Path) -> None:
    file = tmp_path / "found.jsonl"
    assert "5 puzzles found" in run("dodgem", "-n", "5", "-o", str(file), "--size", "3")
    assert puzzles_in(file) == list(find_puzzles(SMALL, 5, seed=1))
    assert "5 puzzles of 5 checked, 0 false keys" in run("--check", str(file))
    assert json.loads(run("--check", str(file), "-n", "2", "--json"))["checked"] == 2


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "a line of JSON"),
        ("[" * 100_000, "a line of JSON"),
        ('{"format": 2}', "must be 1"),
        ('{"format": 1, "game": "dodgem"}', "fields of docs/trainer.md"),
    ],
)
def test_a_damaged_file_is_refused_with_its_line(tmp_path: Path, line: str, why: str) -> None:
    file = tmp_path / "damaged.jsonl"
    file.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(BadPuzzle, match=f"line 2.*{why}"):
        puzzles_in(file)
    done = CliRunner().invoke(main, ["puzzles", "--check", str(file)])
    assert done.exit_code == 1
    assert done.output.count("\n") == 1


def test_a_best_move_that_is_not_possible_is_refused() -> None:
    puzzle: Sequence[Puzzle] = some_puzzles()[:1]
    with pytest.raises(BadPuzzle, match="not possible"):
        parse_puzzle(json.dumps(puzzle[0].to_json() | {"best": "nowhere"}))


def test_puzzles_are_solved_at_the_prompt_and_the_rating_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path))
    file = tmp_path / "training" / "solo.json"

    def train(typed: str) -> Result:
        return CliRunner().invoke(product, ["trainer", "solo", "--lang", "en"], input=typed)

    assert "0 of 0 solved; your rating here is 1500." in train("quit\n").output
    assert not file.exists()
    first = train("99\n1\n1\nquit\n")
    assert first.exit_code == 0, first.output
    assert "there is no 99" in first.output
    assert "considered" not in first.output
    assert "of 2 solved" in first.output
    assert first.output.splitlines()[-1] == train("quit\n").output.splitlines()[-1]
    marked = train("1 99\n1 nothing\n2 3\n1\n").output
    assert marked.count("there is no 99") == marked.count("nothing is not possible here.") == 1
    assert re.search(r"You had (not )?considered|Tempting at first glance", marked)
    assert "of 3 solved" in marked
    kept = json.loads(file.read_bytes())
    kept["cards"] = {id: (0, 1, tries, False) for id, (*_, tries, _) in kept["cards"].items()}  # before FSRS
    file.write_text(json.dumps(kept))
    assert "of 3 solved" in train("1\n1\n").output, "what is due comes back, and is not rated"
    rows = [
        (9, 1, 1, True),
        (0, 5, 1, 1, True),
        (1, 5, "1", 1, True),
        (float("inf"), 5, 1, 1, True),
        (1,),
        (1, 5, 1, "1", True),
    ]
    no_cards = [kept | {"cards": {"x": row}} for row in rows]
    no_number = kept | {"rating": [float("nan"), 350, 0.06]}
    for damaged in ("[" * 100_000, '{"rating": [1500]}', *map(json.dumps, [no_number, *no_cards])):
        file.write_text(damaged)
        refused = train("1\n")
        assert refused.exit_code == 1
        assert "move it away to begin anew" in refused.output
        assert file.read_text() == damaged
