"""The games in OpenSpiel, by its own checker, its playthroughs and its searches."""

import copy
import pickle
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pytest

import smallchange

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python.algorithms import generate_playthrough, mcts, minimax  # noqa: E402

from smallchange.openspiel import spiel_name  # noqa: E402
from smallchange.tablebase import open_table  # noqa: E402
from smallchange.tablebase.make_table import make_table  # noqa: E402

from .options import CASES  # noqa: E402


def load(id: str, options: dict[str, Any]) -> Any:
    return pyspiel.load_game(spiel_name(id), options)


@pytest.mark.parametrize(("id", "options"), CASES)
def test_openspiel_finds_no_fault(id: str, options: dict[str, Any]) -> None:
    pyspiel.random_sim_test(load(id, options), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("id", smallchange.games())
def test_a_playthrough_is_written(id: str) -> None:
    text = generate_playthrough.playthrough(spiel_name(id), action_sequence=None, seed=1)
    assert f'GameType.short_name = "{spiel_name(id)}"' in text
    assert "ObservationTensor(0)" in text


def test_a_name_alone_and_parameters_in_it_load_a_game() -> None:
    assert pyspiel.load_game("python_smallchange_coin_age").num_players() == 2
    small = pyspiel.load_game("python_smallchange_dodgem(size=3,blocked=wins)")
    assert str(small.new_initial_state()) == smallchange.game("dodgem", size=3, blocked="wins").start().key()
    with pytest.raises(smallchange.BadOption, match="size"):
        pyspiel.load_game("python_smallchange_dodgem(size=9)")


def test_a_tree_search_of_openspiel_plays_a_game_with_chance() -> None:
    game = pyspiel.load_game("python_smallchange_thrag")
    luck = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.0, 5, mcts.RandomRolloutEvaluator(1, luck), random_state=luck)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(luck.choice(actions, p=odds))
        else:
            state.apply_action(bot.step(state))
    assert state.returns() in ([0.0], [1.0])


def test_a_search_of_openspiel_finds_the_wins_of_our_table(tmp_path: Any) -> None:
    game = smallchange.game("dodgem", size=3, start="crosswise")
    make_table(tmp_path / "small.table", game)
    table = open_table(tmp_path / "small.table")
    spiel, luck, found = load("dodgem", {"size": 3, "start": "crosswise"}), Random(1), set()
    for _ in range(12):
        state, here = spiel.new_initial_state(), game.start()
        while not state.is_terminal():
            value = table.value(here)
            if value.plies is not None and value.plies <= 3:
                first = here.s.turn == 0
                best, _ = minimax.alpha_beta_search(
                    spiel, state, maximum_depth=value.plies, maximizing_player_id=0,
                    value_function=lambda state: 0,
                )  # fmt: skip
                assert (value.outcome, best) in {("win", 1 if first else -1), ("loss", -1 if first else 1)}
                found.add(value)
            state.apply_action(luck.choice(state.legal_actions()))
            here = state.position
    assert {value.outcome for value in found} == {"win", "loss"}


DRAWN: list[tuple[str, dict[str, Any]]] = [
    ("solo", {"board": "#####\n#####\n#####\n#####"}),
    ("solo", {"board": "####o..\n" * 5, "hole": "fly"}),
    ("coin-age", {"map": "\n a a b\na b b c\n c c c"}),
]
EVERY: list[tuple[str, dict[str, Any]]] = [(id, {}) for id in smallchange.games()] + DRAWN


@pytest.mark.parametrize(("id", "options"), EVERY)
def test_a_game_and_a_state_are_read_back_by_pickle_copy_and_openspiel(
    id: str, options: dict[str, Any]
) -> None:
    spiel, luck = load(id, options), Random(1)
    for twin in (pickle.loads(pickle.dumps(spiel)), copy.deepcopy(spiel), pyspiel.load_game(str(spiel))):
        assert (str(twin), twin.plain) == (str(spiel), smallchange.game(id, **options))
    state = spiel.new_initial_state()
    for _ in range(60):
        if not state.is_terminal():
            state.apply_action(luck.choice(state.legal_actions()))
    text = pyspiel.serialize_game_and_state(spiel, state)
    _, read = pyspiel.deserialize_game_and_state(text)
    for twin in (read, pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
        assert (str(twin), twin.history()) == (str(state), state.history())


def test_a_pickled_game_is_read_by_a_process_that_has_imported_nothing() -> None:
    spiel = load(*DRAWN[0])
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(spiel), capture_output=True, check=True
    )
    assert done.stdout.decode() == f"{spiel}\n"
