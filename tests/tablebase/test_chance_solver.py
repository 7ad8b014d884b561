"""Games with chance solved between two bounds: the values, their proof, the checker in C, a kill, and small games."""

import json
import re
import shutil
import subprocess
import tracemalloc
from collections.abc import Callable, Iterator
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
from smallchange.tablebase.table import digest, header_line

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
    table, luck = tmp_path / "values", Random(3)
    whole = table.read_bytes()
    for forged in [
        *forged_heads(whole),
        *(flip_bit(whole, luck.randrange(8 * len(whole))) for _ in range(40)),
    ]:
        table.write_bytes(forged)
        assert check() != 0 or without_digest(forged) == without_digest(whole)
        assert is_refused(solver, table)


def is_refused(solver: ChanceSolver, table: Path) -> bool:
    """Return whether a table cannot be opened, or is not the one of these bounds."""
    try:
        open_values(table)
    except BadTable:
        return True
    return not solver.gives(table)


def flip_bit(whole: bytes, bit: int) -> bytes:
    """Return the bytes with one bit turned over."""
    return whole[: bit // 8] + bytes([whole[bit // 8] ^ 1 << bit % 8]) + whole[bit // 8 + 1 :]


def without_digest(table: bytes) -> bytes:
    """Return a table without its digest, if that could be one."""
    return re.sub(rb'(?<="digest": ")[0-9a-f]{64}', b"", table)


def forged_heads(table: bytes) -> Iterator[bytes]:
    """Yield tables with a wrong head, where there is one with the digest that fits, and some of a wrong length."""
    magic, line, body = table.split(b"\n", 2)
    header = json.loads(line)

    def with_head(head: bytes) -> bytes:
        return magic + b"\n" + head + b"\n" + body

    changes = [
        *({"error": header["error"] + by} for by in (-1, 1, 10**40, -(10**12))),
        *({"gap": header["gap"] + by} for by in (-1, 1, 10**12)),
        *({"start": [header["start"][0] + by, header["start"][1]]} for by in (1, -1, 10**9)),
        {"start": header["start"][:1]},
        {"start": header["start"][::-1]},
        *({"error": odd} for odd in ("x", None, True, float("nan"), header["error"] / 1)),
        {"options": {**header["options"], "coins": 3}},
        {"options": {}},
        {"options": [[[]]]},
        {"version": [9, 9]},
        {"game": "dodgem"},
        {"game": "none"},
        {"more": 1},
    ]
    for change in changes:
        forged = header | change
        yield with_head(header_line(forged | {"digest": digest(forged, body)}))
    for name in header:
        yield with_head(header_line({other: header[other] for other in header if other != name}))
    yield from map(with_head, (b"", b"[]", b"{", b"[" * 9_000, line + b" ", line * 2))
    yield from (b"", magic, table[: len(magic) + 9], table[:-1], table[:-2], table + b"\0", table + b"\0\0")


HARMS: dict[str, Callable[[Path], object]] = {
    "cut": lambda file: file.write_bytes(file.read_bytes()[:-9]),
    "empty": lambda file: file.write_bytes(b""),
    "away": lambda file: file.unlink(),
    "of other numbers": lambda file: np.save(file, np.load(file).astype(float)),
    "of another layer": lambda file: np.save(file, np.load(file)[1:]),
    "of objects": lambda file: np.save(file, np.array([{}]), allow_pickle=True),
    "out of bounds": lambda file: np.save(file, np.load(file) + np.array([-(2**62), 2**62])),
    "of another game": lambda file: (file.parent / "about.json").write_text("{}"),
    "of no game": lambda file: (file.parent / "about.json").unlink(),
    "below nothing": lambda file: np.save(file, np.minimum(np.load(file), [[-1, ONE]])),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_bounds_that_prove_nothing_are_refused_in_a_line(
    harm: Callable[[Path], object], tmp_path: Path
) -> None:
    words = ["solve", "royal-ur", "--coins", "1", "--verify", "-o", str(tmp_path / "values")]
    assert CliRunner().invoke(main, words).exit_code == 0
    harm(tmp_path / "values.bounds" / "0000.npy")
    ran = CliRunner().invoke(main, words)
    assert (ran.exit_code, ran.output.count("Error: "), ran.output.count("proved")) == (1, 1, 0), ran.output
    assert isinstance(ran.exception, SystemExit)


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
