"""The same rules give the same games on plain objects, interpreted on records, and compiled on records."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import smallchange
from smallchange import Game, IllegalMove, engine
from smallchange.contract.variants import choose_action, every_game, every_variant
from smallchange.core.state import CHANCE, OVER
from smallchange.engine import CompiledGame, compile_game, interpret_game
from tests.oracle.records import COUNTS, RECORDS, file_label

STRICT: Any = {"over": "raise", "divide": "raise", "invalid": "raise"}  # a small number's overflow is a fault


def check_agreement(games: list[CompiledGame], states: list[Any], plain: Any) -> None:
    """Check that all games answer everything about a state alike."""
    game = games[0].game
    b, s = game.board, plain
    for compiled, record in zip(games, states, strict=True):
        assert compiled.plain(record) == s
        if s.turn == OVER:
            scores = [compiled.score(compiled.board, record, seat) for seat in range(len(game.seats))]
            assert scores == [game.rules.score(b, s, seat) for seat in range(len(game.seats))]
        elif s.turn == CHANCE:
            assert compiled.chances(record) == smallchange.Position(game, s).outcome_actions()
            assert compiled.source(compiled.board, record) == game.rules.source(b, s)
        else:
            assert compiled.actions(record) == smallchange.Position(game, s).legal_actions()


def check_move_scores(games: list[CompiledGame], states: list[Any], plain: Any, a: int) -> None:
    """Check that the heuristic scores an action alike in all games."""
    game = games[0].game
    after = plain.copy()
    game.rules.play(game.board, after, a)
    move_score = game.heuristic.move_score(game.board, plain, a, after)
    for compiled, record in zip(games, states, strict=True):
        assert compiled.move_score(compiled.board, record, a, compiled.record(after)) == move_score


@every_variant
def test_three_runtimes_agree_step_by_step(game: Game) -> None:
    games = [interpret_game(game), compile_game(game)]
    states = [compiled.start() for compiled in games]
    luck = Random(game.id)
    position = game.start()
    with np.errstate(**STRICT):
        while position.actor is not None:
            check_agreement(games, states, position.s)
            a = choose_action(position, luck, 0.5)
            if position.actor != "chance":
                check_move_scores(games, states, position.s, a)
            for compiled, record in zip(games, states, strict=True):
                compiled.play(compiled.board, record, a)
            game.rules.play(game.board, position.s, a)
        check_agreement(games, states, position.s)


@every_variant
@pytest.mark.parametrize("policy", [engine.RANDOM, engine.GREEDY])
def test_games_in_bulk_are_those_of_the_interpreted_rules(game: Game, policy: int) -> None:
    plan = [policy] * len(game.seats)
    n = 2 if policy == engine.RANDOM else 1  # the interpreter is slow
    with np.errstate(**STRICT):
        slow = interpret_game(game).play_games(plan, 2026, 5, n)
    games = compile_game(game).play_games(plan, 2026, 5, n)
    assert games.ended == slow.ended == n
    assert (games.states == slow.states).all()
    assert (games.scores == slow.scores).all()
    assert (games.steps == slow.steps).all()


@every_game
def test_state_and_board_make_the_journey_to_a_record_and_back(id: str) -> None:
    game = smallchange.game(id)
    board_type: Any = type(game.board).__base__  # its own is that of what does not change
    for kind, fields in ((board_type, game.board), (game.state_type, game.start().s)):
        record = engine.records(fields)[0]
        assert engine.to_plain(kind, record) == fields


@every_game
def test_a_state_record_is_at_most_256_bytes(id: str) -> None:
    assert engine.record_type(smallchange.game(id).state_type).itemsize <= 256


@pytest.mark.parametrize("path", RECORDS, ids=file_label)
@pytest.mark.parametrize("kind", [interpret_game, compile_game])
def test_every_step_of_every_record_agrees_on_records_too(
    path: Path, kind: Callable[[Game], CompiledGame]
) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in lines:
        record = json.loads(line)
        compiled = kind(smallchange.game(record["game"], **record["options"]))
        s = compiled.start()
        for step in record["steps"]:
            assert possible_tokens(compiled, s) == step["legal"]
            compiled.play(compiled.board, s, compiled.game.actions[step["take"]])
        assert s.turn == OVER
        assert compiled.game.notation.result(compiled.game.board, compiled.plain(s)) == record["result"]


def possible_tokens(compiled: CompiledGame, s: Any) -> list[Any]:
    """Return what a match record holds for a step: the legal tokens, or the outcomes of chance with weights."""
    tokens = compiled.game.tokens
    if s.turn == CHANCE:
        return sorted([tokens[a], weight] for a, weight in zip(*compiled.chances(s), strict=True))
    return sorted(tokens[a] for a in compiled.actions(s))


@pytest.mark.parametrize("path", COUNTS, ids=file_label)
@pytest.mark.parametrize("kind", [interpret_game, compile_game])
def test_the_numbers_of_token_sequences_agree_on_records_too(
    path: Path, kind: Callable[[Game], CompiledGame]
) -> None:
    expected = json.loads(path.read_text(encoding="utf-8"))
    for place in expected["positions"]:
        compiled = kind(smallchange.game(expected["game"], **place["options"]))
        depths = range(1, len(place["counts"]) + 1)
        assert [compiled.perft(compiled.start(), depth) for depth in depths] == place["counts"]


@pytest.mark.parametrize(
    ("policy", "seed", "first", "expected"),
    [
        (2, 1, 0, "a policy is RANDOM"),
        (engine.GREEDY, 1.5, 0, "whole number from 0"),
        (engine.GREEDY, 1 << 64, 0, "whole number from 0"),
        (engine.GREEDY, 1, -1, "must be 0 or more, not -1"),
    ],
)
def test_games_in_bulk_refuse_what_they_cannot_play(
    policy: int, seed: int, first: int, expected: str
) -> None:
    game = smallchange.game(smallchange.games()[0])
    with pytest.raises(ValueError, match=expected):
        interpret_game(game).play_games([policy] * len(game.seats), seed, first, 1)


def test_checked_code_refuses_an_action_that_is_not_possible() -> None:
    game = Game(smallchange.games()[0])
    way = compile_game(game, checked=True)
    s = way.start()
    before = s.copy()
    with pytest.raises(IllegalMove, match="is no possible action now"):
        way.play(way.board, s, game.num_actions)
    assert s == before
    way.play(way.board, s, (game.start().legal_actions() or game.start().outcome_actions()[0])[0])
    assert s != before
