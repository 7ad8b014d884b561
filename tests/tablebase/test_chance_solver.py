"""Games with chance solved between two bounds: the values, their proof, the checker in C, a kill, and small games."""

import json
import re
import shutil
import subprocess
import tracemalloc
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner

import smallchange
from smallchange import BadTable
from smallchange.cli import main
from smallchange.core.errors import BadOption
from smallchange.core.game import Game
from smallchange.core.game_places import FOLDERS_VARIABLE
from smallchange.engine.kernels.chance_values import ONE
from smallchange.new_game import TEMPLATE
from smallchange.tablebase.chance_solver import ChanceSolver, place_of
from smallchange.tablebase.chance_table import open_values, values_file
from smallchange.tablebase.exact import Exact

CHECKER = Path(__file__).parents[2] / "bench" / "check_values.c"
THREE_COINS = 0.516201102238235, 0.516201102238278  # by another program, outward rounding
BOARDS = [
    {"coins": 1},
    {"coins": 2, "path": "masters"},
    {"coins": 1, "path": "aseb", "dice": "three"},
    {"coins": 2, "safe": False, "capture_again": True},
]


@pytest.fixture(autouse=True)
def kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path / "kept"))


def solve_into(folder: Path, **options: object) -> ChanceSolver:
    solver = ChanceSolver(smallchange.game("royal-ur", **options), folder / "bounds", 2)
    solver.solve()
    solver.write_table(folder / "values")
    return solver


def test_three_coins_are_worth_what_another_program_found(tmp_path: Path) -> None:
    solver = solve_into(tmp_path, coins=3)
    low, high = (bound / ONE for bound in solver.start_bounds())
    assert low <= THREE_COINS[0]
    assert THREE_COINS[1] <= high
    assert high - low <= 2**-32
    assert solver.count_unproved() == 0
    table = open_values(tmp_path / "values")
    assert table.positions == 263_121
    assert table.error < 2**-17 + 2**-32


def test_a_solve_takes_as_much_memory_as_it_says(tmp_path: Path) -> None:
    solver = ChanceSolver(smallchange.game("royal-ur", coins=3), tmp_path, 1)
    tracemalloc.start()
    solver.solve()
    solver.count_unproved()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    with pytest.raises(BadOption, match="memory"):
        solver.refuse_too_large(most * 95 // 100, None)
    solver.refuse_too_large(most * 3 // 2, None)


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_each_position_has_a_number_of_its_own_and_its_value_follows_from_its_moves(
    tmp_path: Path, options: dict[str, object]
) -> None:
    solver = solve_into(tmp_path, **options)
    game, table, luck = solver.game, open_values(tmp_path / "values"), Random(1)
    index, position = game.chance_layers, game.start()
    assert index is not None
    for layer, size in enumerate(solver.layers.sizes):
        for i in {luck.randrange(size) for _ in range(40)}:
            s = position.s.copy()
            index.write_valued(game.board, s, layer, i)
            assert place_of(game, s) == (layer, i)
            here = smallchange.Position(game, s)
            after = [(weight, table.value(here.played(token))) for token, weight in here.weights()]
            worth = sum(weight * value for weight, value in after) / sum(weight for weight, _ in after)
            assert abs(table.value(here) - worth) < 2 * table.error
            turned = s.copy()
            turned.mover, turned.coins, turned.home = 1, s.coins[::-1], s.home[::-1]
            assert place_of(game, turned) == (layer, i)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_the_checker_agrees_and_refuses_a_value_that_does_not_follow(
    tmp_path: Path, options: dict[str, object]
) -> None:
    subprocess.run(["cc", "-O2", "-o", tmp_path / "check", CHECKER], check=True)
    solver = solve_into(tmp_path, **options)
    chosen = solver.game.options
    words = [
        str(chosen["coins"]),
        str(chosen["path"]),
        str(int(bool(chosen["safe"]))),
        {"four": "4", "three": "3"}[str(chosen["dice"])],
        str(int(bool(chosen["capture_again"]))),
    ]
    files = sorted((tmp_path / "bounds").glob("*.npy"))

    def check() -> int:
        return subprocess.run(
            [tmp_path / "check", *words, tmp_path / "values", *files], capture_output=True, check=False
        ).returncode

    assert check() == 0
    luck = Random(2)
    for file in files:
        bounds = np.load(file)
        for side in (0, 1):
            forged = bounds.copy()
            forged[luck.randrange(len(bounds)), side] += (1 - 2 * side) * 2**20
            np.save(file, forged)
            assert check() == 1
            assert solver.count_unproved() > 0
        np.save(file, bounds)
    table = tmp_path / "values"
    table.write_bytes((whole := table.read_bytes())[:-2] + bytes([whole[-2], whole[-1] ^ 1]))
    assert check() == 1
    with pytest.raises(BadTable, match="damaged"):
        open_values(table)


def test_a_solve_that_was_stopped_goes_on_to_the_same_table(tmp_path: Path) -> None:
    whole, halted = tmp_path / "whole", tmp_path / "halted"
    solve_into(whole, coins=2)
    solver = ChanceSolver(smallchange.game("royal-ur", coins=2), halted / "bounds", 1)

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solver.solve(stop)
    before = (halted / "bounds" / "0000.npy").stat().st_mtime_ns
    solve_into(halted, coins=2)
    assert (halted / "bounds" / "0000.npy").stat().st_mtime_ns == before
    assert (halted / "values").read_bytes() == (whole / "values").read_bytes()
    with pytest.raises(BadTable, match="another table"):
        ChanceSolver(smallchange.game("royal-ur", coins=1), halted / "bounds", 1).solve()


def test_the_command_solves_proves_and_reuses() -> None:
    def run(*words: str) -> str:
        ran = CliRunner().invoke(main, ["solve", "royal-ur", "--coins", "1", *words])
        assert ran.exit_code == 0, ran.output
        return ran.output

    assert "solved in" in run()
    assert "solved in" not in run()
    proved = run("--verify")
    assert "proved in" in proved
    assert "the bounds of all 217 positions follow" in proved
    told = json.loads(CliRunner().invoke(main, ["solve", "royal-ur", "--coins", "1", "--json"]).stdout)
    assert told["low"] <= 0.5300498395245 <= told["high"]
    printed = re.search(r"start: sun wins (0\.\d{12}) to (0\.\d{12}) of a game", proved)
    assert printed is not None
    low, high = map(Fraction, printed.groups())
    assert 0 <= Fraction(told["low"]) - low < Fraction(1, 10**12), "bounds are rounded outward"
    assert 0 <= high - Fraction(told["high"]) < Fraction(1, 10**12)
    game = smallchange.game("royal-ur", coins=1)
    assert open_values(values_file(game)).game == game


@pytest.fixture
def tiny_pig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Pig to ten points that ends with the seventh throw: a game of people's own, without layers."""
    folder = tmp_path / "games" / "tiny_pig"
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    model = folder / "model.py"
    model.write_text(model.read_text().replace("MAX_THROWS = 1000", "MAX_THROWS = 7"))
    monkeypatch.setenv(FOLDERS_VARIABLE, str(folder.parent))
    return smallchange.game("tiny-pig", goal=10)


def test_a_game_without_layers_is_solved_by_its_list_of_positions(tmp_path: Path, tiny_pig: Game) -> None:
    solver = ChanceSolver(tiny_pig, tmp_path / "bounds", 1)
    solver.solve()
    solver.write_table(tmp_path / "values")
    exact, table = Exact(tiny_pig), open_values(tmp_path / "values")
    low, high = (Fraction(bound, ONE) for bound in solver.start_bounds())
    assert low <= exact.value(tiny_pig.start()) <= high
    luck = Random(1)
    for _ in range(20):
        position = tiny_pig.start()
        while position.actor is not None:
            assert abs(table.value(position) - float(exact.value(position))) <= table.error
            position.play(luck.choice(position.legal() or [token for token, _ in position.weights()]))
    assert solver.count_unproved() == 0


def test_games_without_chance_and_those_too_large_are_refused() -> None:
    for id, reason in (("solo", "too many to list"), ("dodgem", "no game with chance")):
        with pytest.raises(BadOption, match=reason):
            ChanceSolver(smallchange.game(id), Path("none"), 1)
