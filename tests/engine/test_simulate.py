"""The results of a simulation."""

import json
import shlex
from collections import Counter
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import smallchange
from smallchange import engine
from smallchange.bots.policy import COMPILED as POLICIES
from smallchange.contract.variants import every_game, every_variant
from smallchange.lab import simulate as simulation
from smallchange.lab.outcomes import ending
from smallchange.lab.simulate import simulate

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/simulation.schema.json").read_text(encoding="utf-8"))


@every_variant
def test_outcomes_are_those_of_the_results_of_the_games(game: smallchange.Game) -> None:
    """The tally looks at few games; here each one is asked for its result."""
    for policy, number in POLICIES.items():
        run = simulate(game, 60, policy, seed=5)
        way = engine.compile_game(game)
        games = way.play_games([number] * len(game.seats), 5, 0, 60)
        ends = [
            ending(game.notation.result(game.board, way.plain(state)), game.seats) for state in games.states
        ]
        assert run.outcomes == Counter(label for label, _ in ends)
        for player, rate in run.win_rate.items():
            assert rate.p == sum(winner == player for _, winner in ends) / 60


@every_game
def test_a_game_without_end_is_named(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its number, for who wants to see it, in whatever batch it was played."""
    game, n = smallchange.game(id), 600
    steps = engine.compile_game(game).play_games([POLICIES["random"]] * len(game.seats), 5, 0, n).steps
    late = int(steps.argmax())
    monkeypatch.setattr(simulation, "LONGEST", int(steps[late]) - 1)
    with pytest.raises(smallchange.RulesError, match=f"seed 5, number {late}"):
        simulate(game, n, "random", seed=5)


@every_game
def test_the_json_form_has_what_is_promised(id: str) -> None:
    game = smallchange.game(id)
    run = simulate(game, 200, "greedy", seed=1)
    said = json.loads(json.dumps(run.to_json()))
    checker = Draft202012Validator(SCHEMA)
    checker.validate(said)
    for name in said:
        assert not checker.is_valid({key: value for key, value in said.items() if key != name}), name
        assert not checker.is_valid(said | {name: None}), name
    assert (said["game"], said["n"], said["seed"], said["options"]) == (id, 200, 1, game.options)
    assert sum(said["outcomes"].values()) == 200
    assert set(said["win_rate"]) == set(said["score"]) == set(game.seats)
    for rate in said["win_rate"].values():
        assert rate["low"] <= rate["p"] <= rate["high"]


@every_game
def test_the_table_form_has_a_row_for_each_outcome(id: str) -> None:
    run = simulate(smallchange.game(id), 100, seed=1)
    heading, *rows = run.to_rows()
    assert heading == ["outcome", "games", "share", "low", "high"]
    assert [row[:2] for row in rows] == [[label, n] for label, n in run.outcomes.items()]


@every_variant
def test_the_command_names_what_was_played(game: smallchange.Game) -> None:
    words = shlex.split(simulate(game, 1, seed=9).command)
    assert words[:3] == ["smallchange", "simulate", game.id]
    for name, value in game.non_default_options.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            assert (f"--{flag}" if value else f"--no-{flag}") in words
        else:
            assert words[words.index(f"--{flag}") + 1] == str(value)
    assert words[-2:] == ["--seed", "9"]


def test_seats_may_have_policies_of_their_own() -> None:
    games = map(smallchange.game, smallchange.games())
    game = next(game for game in games if len(game.seats) == 2)
    strong, weak = (simulate(game, 300, policy, seed=1) for policy in ("greedy,random", "random,greedy"))
    first, second = game.seats
    assert strong.win_rate[first].low > 0.5
    assert weak.win_rate[second].low > 0.5


SEED = r"seed must be a whole number from 0 to 2\^64 - 1"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"n": 0}, "n must be a whole number from 1 on, not 0"),
        ({"n": 1e3}, "n must be a whole number from 1 on, not 1000.0"),
        ({"policy": "clever"}, "a policy is one of random, greedy"),
        ({"policy": "random,random,random"}, "players"),
        ({"seed": -1}, SEED),
        ({"seed": 1 << 64}, SEED),
        ({"seed": 2.0}, f"{SEED}, not 2.0"),
        ({"n": -1}, "n must be a whole number from 1 on, not -1"),
        ({"workers": 0}, "workers must be a whole number from 1 on"),
        ({"workers": "2"}, "not '2'"),
        ({"game": 7}, "a game is an id, or what smallchange.game"),
        ({"policy": 7}, "7 is no policy; a policy is one of random"),
    ],
)
def test_an_argument_out_of_bounds_is_named(arguments: dict[str, object], said: str) -> None:
    game = smallchange.game(smallchange.games()[0])
    with pytest.raises(ValueError, match=said):
        simulate(**{"game": game, "n": 1, **arguments})  # type: ignore[arg-type]


def test_progress_is_told_up_to_the_last_game() -> None:
    heard: list[int] = []
    simulate(smallchange.game(smallchange.games()[0]), 5000, seed=1, progress=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 5000


def test_an_interrupted_run_keeps_the_games_played_so_far() -> None:
    """Ctrl-C: what is there is a shorter run of the same seed."""
    game = smallchange.game(smallchange.games()[0])

    def stop(n: int) -> None:
        if n >= 1000:
            raise KeyboardInterrupt

    run = simulate(game, 1_000_000_000, seed=4, progress=stop)
    assert not run.complete
    assert 1000 <= run.n < 1_000_000_000
    whole = simulate(game, run.n, seed=4)
    assert (whole.outcomes, whole.score) == (run.outcomes, run.score)
    assert whole.command == run.command
