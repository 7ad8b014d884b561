"""A solved game with chance: level 5, hints, reviews, the analysis and the explorer are exact."""

from collections.abc import Iterator
from random import Random

import pytest
from click.testing import CliRunner

import smallchange
from research.puzzles.search import judge, known_odds
from smallchange.bots.analysis import ranked_moves
from smallchange.bots.engines.value_table import existing_values
from smallchange.bots.hints import hint
from smallchange.bots.levels import load_bots
from smallchange.bots.review import review
from smallchange.cli import main
from smallchange.core.game import Game, Position
from smallchange.core.match import Match


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SMALLCHANGE_DATA", str(tmp_path_factory.mktemp("kept")))
        existing_values.cache_clear()
        assert CliRunner().invoke(main, ["solve", "royal-ur", "--coins", "2"]).exit_code == 0
        yield smallchange.game("royal-ur", coins=2)
    existing_values.cache_clear()


@pytest.fixture(scope="module")
def choices(game: Game) -> list[Position]:
    found, luck = list[Position](), Random(4)
    while len(found) < 12:
        position = game.start()
        while position.actor is not None:
            if len(position.legal()) > 1:
                found.append(position.copy())
            position.play(luck.choice(position.legal() or [token for token, _ in position.weights()]))
    return found[:12]


def test_level_5_and_hints_take_the_best_move_of_the_table(game: Game, choices: list[Position]) -> None:
    table, best = existing_values(game), load_bots(game)["level5"]
    assert table is not None
    for position in choices:
        moves = table.moves(position)
        assert moves[best.choose(position, 0.0, Random(1))] == max(moves.values())
        found = hint(position, 0.0)
        assert found is not None
        assert (found.exact, found.rough) == (True, False)
        assert found.chance == max(moves.values()) == moves[found.token]
        said = str(found.describe(position))
        assert "perfect play" in said


def test_analysis_and_puzzles_say_the_values_of_the_table(game: Game, choices: list[Position]) -> None:
    table = existing_values(game)
    assert table is not None
    for position in choices:
        moves = table.moves(position)
        ranked = ranked_moves(position)
        assert {one.token: one.chance for one in ranked} == moves
        assert all(one.exact for one in ranked)
        judged = judge(known_odds(position) or {})
        assert judged.chance == round(max(moves.values()), 6)


def test_a_review_is_exact_throughout(game: Game) -> None:
    match, luck = Match(game, deal=bytes(16)), Random(2)
    while not match.over:
        match.settle()
        if not match.over:
            match.play(luck.choice(match.position.legal()))
    found = review(match)
    assert found
    assert all(choice.exact for choice in found)


def test_the_explorer_prints_each_move_with_its_share(choices: list[Position]) -> None:
    ran = CliRunner().invoke(main, ["exact", choices[0].key()])
    assert ran.exit_code == 0, ran.output
    first, *moves = ran.output.splitlines()
    assert first.startswith(f"{choices[0].actor} wins ")
    assert sorted(line.split()[0] for line in moves) == sorted(choices[0].legal())
    other = smallchange.game("royal-ur", coins=3).start().key()
    ran = CliRunner().invoke(main, ["exact", other, "--seconds", "0"])
    assert ran.exit_code == 1
    assert "`smallchange solve royal-ur --coins 3` makes a table that has one" in ran.output
