"""A net that learns the order of moves from a table of values."""

from pathlib import Path

import numpy as np
import pytest

from research.learn_from_table import TablePlayer, collect, fit, gradients
from smallchange import Game
from smallchange.core.match import Match
from smallchange.engine.search.learned_values import Lookahead
from smallchange.engine.search.value_weights import new_weights
from smallchange.tablebase.chance_solver import ChanceSolver
from smallchange.tablebase.chance_table import ValueTable, open_values

TWO_COINS = Game("royal-ur", {"coins": 2})


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> ValueTable:
    folder: Path = tmp_path_factory.mktemp("tables")
    solver = ChanceSolver(TWO_COINS, folder / "bounds", 1)
    solver.solve()
    solver.write_table(folder / "ur.values")
    return open_values(folder / "ur.values")


def test_lessons_are_choices_with_what_the_table_says_of_each_move(table: ValueTable) -> None:
    player = TablePlayer(table, new_weights(TWO_COINS, 4, 1))
    lessons = player.lessons(1, 500)
    assert len(lessons.worths) > 200
    assert ((lessons.worths > 0) & (lessons.worths < 1)).all()
    match = Match(TWO_COINS, bytes(16))
    while len(match.position.legal()) < 2:
        if not match.settle():
            match.play(match.position.legal()[0])
    position = match.position
    seat = position.s.turn
    for token, worth in table.moves(position).items():
        marks = player.features(position.played(token).s, seat)
        rows = (lessons.marks[:, : len(marks)] == marks).all(1)
        assert rows.any()
        assert lessons.worths[rows] == pytest.approx(worth, abs=2 * table.error)


def test_a_net_gives_away_less_after_its_lessons_and_the_same_ones_make_the_same_net(
    table: ValueTable,
) -> None:
    rows = collect([(table, 3000)], 1)
    learned, again = (fit(rows, 16, 5, 1) for _ in range(2))
    assert (learned.first == again.first).all()
    before, after = (
        TablePlayer(table, weights).play_perfection(Lookahead(), 2, 400)[1].mean()
        for weights in (new_weights(TWO_COINS, 16, 1), learned)
    )
    assert after < before / 5


def test_a_net_that_learns_on_gives_away_less_than_before(table: ValueTable) -> None:
    rows = collect([(table, 3000)], 1)
    begun = fit(rows, 16, 1, 1)
    learned = fit(rows, 16, 5, 1, begun)
    before, after = (
        TablePlayer(table, weights).play_perfection(Lookahead(), 2, 400)[1].mean()
        for weights in (begun, learned)
    )
    assert after < before / 2


def test_the_gradient_is_that_of_log_loss_and_regret() -> None:
    sums, worths, starts = np.array([0.3, -0.2, 0.1, 0.9]), np.array([0.5, 0.6, 0.4, 0.7]), np.array([0, 2])

    def loss(of: np.ndarray) -> float:
        values = 1 / (1 + np.exp(-of))
        regret = gradients(values, worths, starts, 0.05)[1]
        logs = -(worths * np.log(values) + (1 - worths) * np.log(1 - values)).sum()
        return float(logs + 30 * len(starts) * regret)

    found = gradients(1 / (1 + np.exp(-sums)), worths, starts, 0.05)[0]
    for i in range(len(sums)):
        step = np.eye(len(sums))[i] * 1e-6
        assert (loss(sums + step) - loss(sums - step)) / 2e-6 == pytest.approx(found[i], rel=1e-3, abs=1e-4)
