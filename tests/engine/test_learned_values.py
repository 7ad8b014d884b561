"""Learned values: the same compiled and interpreted, the same for a seed, and right where all is known."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import smallchange
from research.training import TrainingPlan, train
from smallchange import BadValues
from smallchange.contract.random_positions import node_budget, player_position
from smallchange.core.measurements import VALUES_FILE
from smallchange.core.state import OVER
from smallchange.engine.kernels.stratified_chance import STRATIFIED_STEPS, upper_half
from smallchange.engine.kernels.td_learning import Lesson
from smallchange.engine.search.expectimax import value_searcher
from smallchange.engine.search.learned_values import MAX_AFTERSTATES, Lookahead, ValueSearcher
from smallchange.engine.search.value_weights import (
    Weights,
    features_of,
    has_features,
    new_weights,
    read_weights,
    write_weights,
)
from tests.support.matches import THROWN

GAMES = [id for id in smallchange.games() if has_features(smallchange.game(id))]
FOR_TWO = [id for id in GAMES if len(smallchange.game(id).seats) == 2]
TINY = TrainingPlan(heuristic_games=4, games=4, hidden=4, width=2, depth=2, batch=2)


def weights(id: str) -> Weights:
    return new_weights(smallchange.game(id), 6, 1)


@pytest.fixture(scope="module")
def valuers() -> dict[str, ValueSearcher]:
    return {id: value_searcher(smallchange.game(id), weights(id)) for id in GAMES}


@pytest.fixture(scope="module")
def slow() -> dict[str, ValueSearcher]:
    return {id: value_searcher(smallchange.game(id), weights(id), compiled=False) for id in GAMES}


@pytest.mark.parametrize("id", GAMES)
def test_compiled_and_interpreted_features_and_values_are_the_same(
    id: str, valuers: dict[str, ValueSearcher], slow: dict[str, ValueSearcher]
) -> None:
    for seed in range(20):
        position = player_position(id, seed, seed * 3)
        for seat in range(len(position.game.seats)):
            marks = valuers[id].features(position.s, seat)
            assert marks == slow[id].features(position.s, seat)
            plain = [0] * len(marks)
            features_of(position.game).features(position.game.board, position.s, seat, plain)
            assert marks == plain
            worth = valuers[id].estimate(position.s, seat)
            assert worth == pytest.approx(slow[id].estimate(position.s, seat))
            assert 0 < worth < 1


@pytest.mark.parametrize("id", GAMES)
def test_a_search_depends_on_its_seed_and_looks_alone(id: str, valuers: dict[str, ValueSearcher]) -> None:
    s, plan = player_position(id, 5, 20).s, Lookahead(turns=2, width=0)
    whole = valuers[id].search(s, plan, 7, node_budget(60))
    valuers[id].search(player_position(id, 6, 10).s, plan, 8, node_budget(30))
    assert whole == valuers[id].search(s, plan, 7, lambda done: min(25, 60 - done))
    assert 0 < sum(look.visits for look in whole) <= 60


@pytest.mark.parametrize("id", GAMES)
def test_looks_that_cannot_change_the_best_move_are_left_out(
    id: str, valuers: dict[str, ValueSearcher]
) -> None:
    most, spared = 200, 0
    for seed in range(6):
        s, plan = player_position(id, seed, 6 * seed).s, Lookahead(width=0, exploration=0)
        whole = valuers[id].search(s, plan, seed, node_budget(most))
        found = valuers[id].search(s, plan, seed, node_budget(most), most)
        assert found[0].action == whole[0].action
        assert all(0 <= a.visits <= most for a in found)
        spared += sum(look.visits for look in whole) - sum(look.visits for look in found)
    assert spared > 0


@pytest.mark.parametrize("id", GAMES)
def test_the_first_looks_from_an_end_see_one_turn_and_the_others_all_turns(
    id: str, valuers: dict[str, ValueSearcher]
) -> None:
    s, far = player_position(id, 5, 20).s, Lookahead(turns=3, width=0)
    found = {
        (turns, near): valuers[id].search(
            s, replace(far, turns=turns, short_rollouts=near), 7, node_budget(60)
        )
        for turns, near in ((1, 0), (3, 60), (3, 2), (3, 0))
    }
    assert found[1, 0] == found[3, 60]
    assert found[1, 0] != found[3, 2] != found[3, 0] != found[1, 0]


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("thumb", [0, 1])
def test_compiled_and_interpreted_search_are_the_same(
    id: str, thumb: int, valuers: dict[str, ValueSearcher], slow: dict[str, ValueSearcher]
) -> None:
    s, plan = player_position(id, 3, 30).s, Lookahead(width=0, heuristic_replies=thumb)
    fast, strict = (v[id].search(s, plan, 7, node_budget(5)) for v in (valuers, slow))
    assert [(look.action, look.visits) for look in fast] == [(look.action, look.visits) for look in strict]
    assert [look.mean for look in fast] == pytest.approx([look.mean for look in strict])


@pytest.mark.parametrize("id", GAMES)
def test_every_legal_action_is_looked_at(id: str, valuers: dict[str, ValueSearcher]) -> None:
    for seed in range(10):
        position = player_position(id, seed, seed * 5)
        looks = valuers[id].search(position.s, Lookahead(width=0), 0, node_budget(0))
        assert sorted(position.game.tokens[look.action] for look in looks) == position.legal()


def test_looks_meet_all_that_the_first_chance_steps_can_bring_alike() -> None:
    looks = [tuple(upper_half(look, step) for step in range(STRATIFIED_STEPS)) for look in range(256)]
    assert len(set(looks)) == 256
    for first in range(0, 256, 16):
        for steps in combinations(range(STRATIFIED_STEPS), 3):
            met = Counter(tuple(look[step] for step in steps) for look in looks[first : first + 16])
            assert set(met.values()) == {2}


def test_whole_rounds_of_looks_agree_whatever_their_luck(valuers: dict[str, ValueSearcher]) -> None:
    """Coin Age's coins are all that is thrown until one's next turn: chance is summed exactly."""
    coin_age = valuers["coin-age"]
    for n, most in ((1, 1.0), (256, 0.01)):
        plan, found = Lookahead(candidates=1, heuristic_replies=1), []
        for seed in range(6):
            coin_age.search(player_position("coin-age", 4, 20).s, plan, seed, node_budget(n))
            found.append(coin_age.afterstates()[0].won)
        assert most / 100 < max(found) - min(found) < most


@pytest.mark.parametrize("id", GAMES)
def test_no_end_of_a_turn_is_looked_at_twice(id: str, valuers: dict[str, ValueSearcher]) -> None:
    for seed in range(10):
        valuers[id].search(player_position(id, seed, 4 * seed).s, Lookahead(width=0), 0, node_budget(0))
        ends = valuers[id]._search.candidates.states[: int(valuers[id]._search.visits[MAX_AFTERSTATES])]
        assert len({end.tobytes() for end in ends}) == len(ends) > 0


def by_the_book(net: Weights, marks: list[int]) -> float:
    """Return a net's value of numbers and flags, computed in matrices."""
    n = len(net.scales)
    up = [flag for flag in marks[n:] if flag > 0]
    hidden = (marks[:n] * net.scales) @ net.first[:n] + net.first[up].sum(0) + net.first[-1]
    hidden[1:] = np.maximum(hidden[1:], 0)
    return float(1 / (1 + np.exp(-hidden @ net.second[:-1] - net.second[-1])))


@pytest.mark.parametrize("id", GAMES)
def test_the_ends_of_a_turn_are_worth_what_the_net_says_of_each_alone(
    id: str, valuers: dict[str, ValueSearcher]
) -> None:
    judged = 0
    for seed in range(6):
        position = player_position(id, seed, 5 * seed)
        valuers[id].search(position.s, Lookahead(width=0), 0, node_budget(0))
        seat = position.s.turn
        states, _, worths = valuers[id]._search.candidates
        for i in range(int(valuers[id]._search.visits[MAX_AFTERSTATES])):
            if states[i]["turn"] != OVER:
                judged += 1
                assert worths[i] == pytest.approx(
                    by_the_book(weights(id), valuers[id].features(states[i], seat))
                )
                assert worths[i] == pytest.approx(valuers[id].estimate(states[i], seat))
    assert judged > 10


@pytest.mark.parametrize("id", FOR_TWO)
def test_games_against_the_rule_of_thumb_teach_what_one_seat_saw(id: str) -> None:
    game = smallchange.game(id)
    nets = []
    for foes in (0, 100, 100):
        learner = ValueSearcher(game, weights(id))
        learner.learn(1, 0, 8, Lesson(0.01, batch=2, heuristic_opponents=foes))
        nets.append(learner.weights().first)
    assert (nets[1] == nets[2]).all()
    assert (nets[0] != nets[1]).any()
    assert (weights(id).first != nets[1]).any()


@pytest.mark.parametrize(
    ("id", "foes"), [(id, 0) for id in GAMES if id not in THROWN] + [(id, 100) for id in FOR_TWO]
)
def test_lessons_by_looks_are_the_same_compiled_and_interpreted_and_leave_the_games_as_they_are(
    id: str, foes: int
) -> None:
    game = smallchange.game(id)
    ways = [(True, 2), (False, 2), (True, 0)]  # compiled? looks
    learners = [ValueSearcher(game, weights(id), compiled) for compiled, _ in ways]
    results = [
        list(
            learner.learn(1, 0, 1, Lesson(0.01, batch=1, heuristic_opponents=foes, rollouts=looks))
        )  # one step, at the end
        for learner, (_, looks) in zip(learners, ways, strict=True)
    ]
    assert results[0] == results[1] == results[2]
    first = [learner.weights().first for learner in learners]
    assert first[0] == pytest.approx(first[1])
    assert first[0] != pytest.approx(first[2])
    assert first[0] != pytest.approx(weights(id).first)


@pytest.mark.parametrize("id", GAMES)
def test_the_same_seed_learns_the_same(id: str, tmp_path: Path) -> None:
    game = smallchange.game(id)
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file in files:
        write_weights(file, game, train(game, TINY, 3, lambda done, mean: None))
    assert files[0].read_bytes() == files[1].read_bytes()
    read_weights(game, files[0])


@pytest.mark.parametrize("id", GAMES)
def test_values_of_something_else_are_refused(id: str, tmp_path: Path) -> None:
    game, file = smallchange.game(id), tmp_path / VALUES_FILE
    write_weights(file, game, weights(id))
    told = json.loads(file.read_text())
    for name, value in (("game", "chess"), ("rules", 99), ("features", "0" * 16)):
        file.write_text(json.dumps(told | {name: value}))
        with pytest.raises(BadValues, match="was learned for game, rules and features"):
            read_weights(game, file)
    file.write_text(json.dumps(told | {"first": told["first"][1:]}))
    with pytest.raises(BadValues, match="is damaged"):
        read_weights(game, file)
    file.write_text(file.read_text()[:-9])
    with pytest.raises(BadValues, match="does not hold learned values"):
        read_weights(game, file)
    with pytest.raises(BadValues, match=f"python -m research train {id}"):
        read_weights(game, tmp_path / "none.json")


@pytest.mark.parametrize("id", GAMES)
def test_the_values_beside_a_game_are_for_it_and_say_how_they_were_made(id: str) -> None:
    game = smallchange.game(id)
    if (game.folder / VALUES_FILE).exists():
        programs = f"python -m research train {id}", "python -m research.learn_from_table "
        assert read_weights(game).provenance["command"].startswith(programs)
