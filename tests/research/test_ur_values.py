"""Ten named positions of the Royal Game of Ur by a solved table, and those who play by it."""

from __future__ import annotations

import pytest

import smallchange
from research.ur_values import given_away, named_positions, perfect_wins, report
from smallchange import Position
from smallchange.tablebase.chance_solver import ChanceSolver
from smallchange.tablebase.chance_table import ValueTable, open_values


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> ValueTable:
    folder = tmp_path_factory.mktemp("ur")
    solver = ChanceSolver(smallchange.game("royal-ur", coins=2), folder / "bounds", 1)
    solver.solve()
    solver.write_table(folder / "values")
    return open_values(folder / "values")


def test_ten_positions_have_values_that_follow_from_each_other(table: ValueTable) -> None:
    found = {name: table.value(position) for name, position in named_positions(table.game)}
    assert len(found) == 10
    throws = [found[f"the first throw is {n}"] for n in range(5)]
    mean = sum(weight * worth for weight, worth in zip((1, 4, 6, 4, 1), throws, strict=True)) / 16
    assert found["the start"] == pytest.approx(mean, abs=2 * table.error)
    assert throws[0] == pytest.approx(1 - found["the start"], abs=2 * table.error)
    assert found["one coin to go, waiting, against all"] > found["one coin to go each, both waiting"] > 0.5


def test_perfect_play_gives_nothing_away_and_wins_more(table: ValueTable) -> None:
    def best(position: Position) -> str:
        worth = table.moves(position)
        return max(worth, key=lambda token: worth[token])

    def worst(position: Position) -> str:
        worth = table.moves(position)
        return min(worth, key=lambda token: worth[token])

    assert given_away(table, best, b"a" * 16) == 0
    assert given_away(table, worst, b"a" * 16) > 0
    assert sum(perfect_wins(table, worst, "moon", bytes([i]) * 16) for i in range(20)) > 10
    assert len(list(report(table, 2, 2, ["level1"]))) == 1 + 10 + 1
