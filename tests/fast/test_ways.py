"""Plain objects, records interpreted and records compiled are three ways of running the same rules."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import smallchange
from smallchange import Game, fast
from smallchange.fast import Way
from smallchange.state import CHANCE, OVER

from ..contract.variants import chosen, every_game, every_variant
from ..oracle.test_conformance import COUNTS, RECORDS, name

STRICT: Any = {"over": "raise", "divide": "raise", "invalid": "raise"}  # a small number's overflow is a fault


def agree(ways: list[Way], states: list[Any], plain: Any) -> None:
    """Everything a state can be asked is the same in all ways."""
    game = ways[0].game
    b, s = game.board, plain
    for way, record in zip(ways, states, strict=True):
        assert way.plain(record) == s
        if s.turn == OVER:
            scores = [way.score(way.board, record, seat) for seat in range(len(game.seats))]
            assert scores == [game.rules.score(b, s, seat) for seat in range(len(game.seats))]
        elif s.turn == CHANCE:
            assert way.chances(record) == smallchange.Position(game, s).odds()
            assert way.source(way.board, record) == game.rules.source(b, s)
        else:
            assert way.actions(record) == smallchange.Position(game, s).actions()


def promises(ways: list[Way], states: list[Any], plain: Any, a: int) -> None:
    """What the rule of thumb says of an action is the same in all ways."""
    game = ways[0].game
    after = plain.copy()
    game.rules.play(game.board, after, a)
    promise = game.greedy.promise(game.board, plain, a, after)
    for way, record in zip(ways, states, strict=True):
        assert way.promise(way.board, record, a, way.record(after)) == promise


@every_variant
def test_three_ways_agree_step_by_step(game: Game) -> None:
    ways = [fast.interpreted(game), fast.compiled(game)]
    states = [way.start() for way in ways]
    luck = Random(game.id)
    position = game.start()
    with np.errstate(**STRICT):
        while position.actor is not None:
            agree(ways, states, position.s)
            a = chosen(position, luck, 0.5)
            if position.actor != "chance":
                promises(ways, states, position.s, a)
            for way, record in zip(ways, states, strict=True):
                way.play(way.board, record, a)
            game.rules.play(game.board, position.s, a)
        agree(ways, states, position.s)


@every_variant
@pytest.mark.parametrize("policy", [fast.RANDOM, fast.GREEDY])
def test_games_in_bulk_are_those_of_the_interpreted_twin(game: Game, policy: int) -> None:
    plan = [policy] * len(game.seats)
    n = 2 if policy == fast.RANDOM else 1  # the twin takes its time
    with np.errstate(**STRICT):
        twin = fast.interpreted(game).play_games(plan, 2026, 5, n)
    games = fast.compiled(game).play_games(plan, 2026, 5, n)
    assert games.ended == twin.ended == n
    assert (games.states == twin.states).all()
    assert (games.scores == twin.scores).all()
    assert (games.steps == twin.steps).all()


@every_game
def test_state_and_board_make_the_journey_to_a_record_and_back(id: str) -> None:
    game = smallchange.game(id)
    for fields in (game.board, game.start().s):
        record = fast.records(fields)[0]
        assert fast.to_plain(type(fields), record) == fields


@every_game
def test_a_state_record_is_at_most_256_bytes(id: str) -> None:
    assert fast.record_type(smallchange.game(id).state_type).itemsize <= 256


@pytest.mark.parametrize("path", RECORDS, ids=name)
@pytest.mark.parametrize("kind", [fast.interpreted, fast.compiled])
def test_every_step_of_every_record_agrees_on_records_too(path: Path, kind: Callable[[Game], Way]) -> None:
    lines = path.read_text().splitlines()
    for line in lines:
        record = json.loads(line)
        way = kind(smallchange.game(record["game"], **record["options"]))
        s = way.start()
        for step in record["steps"]:
            assert possible(way, s) == step["legal"]
            way.play(way.board, s, way.game.actions[step["take"]])
        assert s.turn == OVER
        assert way.game.notation.result(way.game.board, way.plain(s)) == record["result"]


def possible(way: Way, s: Any) -> list[Any]:
    """What a record says of a step: the legal tokens, or chance's tokens with their weights."""
    tokens = way.game.tokens
    if s.turn == CHANCE:
        return sorted([tokens[a], weight] for a, weight in zip(*way.chances(s), strict=True))
    return sorted(tokens[a] for a in way.actions(s))


@pytest.mark.parametrize("path", COUNTS, ids=name)
@pytest.mark.parametrize("kind", [fast.interpreted, fast.compiled])
def test_the_numbers_of_token_sequences_agree_on_records_too(path: Path, kind: Callable[[Game], Way]) -> None:
    said = json.loads(path.read_text())
    for place in said["positions"]:
        way = kind(smallchange.game(said["game"], **place["options"]))
        depths = range(1, len(place["counts"]) + 1)
        assert [way.perft(way.start(), depth) for depth in depths] == place["counts"]


@pytest.mark.parametrize(
    ("policy", "seed", "first", "said"),
    [
        (2, 1, 0, "a policy is RANDOM"),
        (fast.GREEDY, 1.5, 0, "whole number from 0"),
        (fast.GREEDY, 1 << 64, 0, "whole number from 0"),
        (fast.GREEDY, 1, -1, "must be 0 or more, not -1"),
    ],
)
def test_games_in_bulk_refuse_what_they_cannot_play(policy: int, seed: int, first: int, said: str) -> None:
    game = smallchange.game(smallchange.games()[0])
    with pytest.raises(ValueError, match=said):
        fast.interpreted(game).play_games([policy] * len(game.seats), seed, first, 1)
