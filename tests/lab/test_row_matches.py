"""A row of an experiment is a match that can be looked at, checked and proven."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import smallchange
from smallchange import BadExperiment, BadRecord, Match, Position, engine, record
from smallchange.cli import main
from smallchange.core.simulated_deal import SimulatedDeal
from smallchange.engine.search.mcts import Plan, TreeSearcher
from smallchange.lab.experiment import run
from smallchange.lab.experiment_grid import read
from smallchange.lab.kept_matches import kept_matches
from smallchange.lab.play_portion import row_match
from smallchange.lab.results import read_results
from smallchange.lab.step_table import step_table

from .small_experiments import GAME, TWO

LARGEST = (1 << 64) - 1


def smallchange_command(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("id", smallchange.games())
def test_it_ends_as_the_row_that_was_played_compiled(id: str, policy: str) -> None:
    game = smallchange.game(id)
    way = engine.compile_game(game)
    plan = [engine.RANDOM if policy == "random" else engine.GREEDY] * len(game.seats)
    games = way.play_games(plan, LARGEST, 40, 3)
    for i in range(3):
        match = row_match(game, policy, LARGEST, 40 + i)
        assert (len(match), match.position.s) == (games.steps[i], way.plain(games.states[i]))
        assert record.verify(record.write(match)) == record.verify(record.to_json_text(match)) == match


def test_it_ends_as_the_row_in_which_a_tree_was_searched() -> None:
    game = smallchange.game(GAME)
    games, _ = TreeSearcher(game).play_matches([Plan(simulations=20)] * len(game.seats), 3, 5, 1)
    match = row_match(game, "tree:20", 3, 5)
    assert (len(match), match.position.s.turn) == (games.steps[0], games.states[0]["turn"])
    assert match.position.score(game.seats[0]) == games.scores[0, 0]


def test_a_function_plays_a_row_and_its_seat_bears_its_name() -> None:
    def last(position: Position) -> str:
        return position.legal()[-1]

    match = row_match(smallchange.game(TWO), [last, "greedy"], 1, 2)
    assert list(match.seats.values()) == ["<last>", "greedy"]
    assert match == row_match(smallchange.game(TWO), [last, "greedy"], 1, 2)


def test_another_throw_than_that_of_the_row_is_refused() -> None:
    match = row_match(smallchange.game(GAME), "greedy", 1, 2)
    for seed, number, says in ((1, 3, "is not what the deal gives"), (-1, 0, "a seed and a number")):
        document = record.to_json(match) | {"seed": seed, "number": number}
        with pytest.raises(BadRecord, match=says):
            record.from_json(document)
    with pytest.raises(BadRecord, match="no deal or seal beside"):
        record.from_json(record.to_json(match) | {"deal": "00" * 16})
    with pytest.raises(ValueError, match="not both"):
        Match(match.game, bytes(16), simulated=SimulatedDeal(1, 2))


def test_the_best_and_the_worst_of_an_experiment_are_kept(tmp_path: Path) -> None:
    out = tmp_path / "kept.parquet"
    text = f'n = 60\npolicies = ["greedy"]\nseeds = [4, {LARGEST}]\n[[grid]]\ngame = ["{GAME}", "{TWO}"]\n'
    run(read(text), out, workers=1)
    results = read_results(out)
    for which, extreme in (("best", max), ("worst", min)):
        kept = list(kept_matches(results, f"{which}:2"))
        assert [match.game.id for match in kept] == [GAME, GAME, TWO, TWO]
        first = results.samples[0]
        assert kept[0].position.score(first.game.seats[0]) == extreme(first.scores[:, 0])
        assert {match.simulated.seed for match in kept if match.simulated} <= {4, LARGEST}
    with pytest.raises(BadExperiment, match=r"keep best:N or worst:N, .* not 'all'"):
        list(kept_matches(results, "all"))


def test_the_steps_of_matches_are_a_table() -> None:
    matches = [row_match(smallchange.game(id), "random", 1, 0) for id in (GAME, TWO)]
    table = step_table(matches)
    assert table["token"].to_pylist() == [step.token for match in matches for step in match]
    assert table["match"].to_pylist() == [0] * len(matches[0]) + [1] * len(matches[1])
    assert min(table["choices"].to_pylist()) == 1
    policies = [None if step.actor == "chance" else "random" for match in matches for step in match]
    assert table["policy"].to_pylist() == policies
    rewards = [
        match.position.reward(step.actor) for match in matches for step in match if step.actor != "chance"
    ]
    assert table["reward"].drop_null().to_pylist() == rewards


def test_records_go_from_command_to_command_as_json_lines(tmp_path: Path) -> None:
    lines = tmp_path / "rows.jsonl"
    done = smallchange_command("record", GAME, "--seed", LARGEST, "--number", 7, "-n", 3, "-o", lines)
    assert done.exit_code == 0, done.output
    numbers = [json.loads(line)["number"] for line in lines.read_text().splitlines()]
    assert numbers == [7, 8, 9]
    assert "3 games verified" in smallchange_command("check", "--luck", lines).output
    assert "3 games" in smallchange_command("check", lines).output
    for form in ("parquet", "csv", "svg"):
        assert smallchange_command("export", lines, "-o", tmp_path / f"rows.{form}").exit_code == 0
    steps = pq.read_table(tmp_path / "rows.parquet")
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == len(steps) + 1
    assert (tmp_path / "rows-3.svg").is_file()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--number", 3], "name it with --seed"),
        (["--seed", 1, "--deal", "00" * 16], "leave out --seed"),
        (["--seed", 1 << 64], "0 to 2^64 - 1"),
        (["--seed", 1, "--policy", "nobody"], "unknown policy 'nobody'"),
    ],
)
def test_a_row_that_cannot_be_is_one_line(words: list[object], says: str) -> None:
    done = smallchange_command("record", GAME, *words)
    assert done.exit_code != 0
    assert says in done.output or says in str(done.exception)
