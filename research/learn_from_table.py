"""Fit the net of a game with chance to the order of its moves, by tables of values.

    python -m research.learn_from_table TABLE=GAMES .. -o FILE [--hidden 352] [--epochs 14] [--seed 1] [--begin FILE]
    python -m research.learn_from_table TABLE --play 10000 [--values FILE] [--rollouts 0] [--turns 1]

TABLE: a file of `smallchange solve`. GAMES: the number of games of it whose choices are the lessons; one move in ten
is random. The loss is the log loss of the values, and the regret of a player who chooses a move with odds
exp(value / T), where T falls from T_BEGIN to T_END. Tables of several sets of rules make one net.

--begin: a net that learns on, as one of several sets can from one set. T is T_END, and steps begin at RATE / 2.

--play: games of perfect play against the net, half on each side.

docs/ur-solved.md has its figures.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from research.kernels.table_lessons import Lessons, Table
from smallchange.core.errors import BadTable, BadValues
from smallchange.engine.kernels.playouts import SEARCH
from smallchange.engine.search.learned_values import Lookahead, ValueSearcher
from smallchange.engine.search.value_weights import (
    Weights,
    feature_sizes,
    new_weights,
    read_weights,
    write_weights,
)
from smallchange.lab.statistics import Rate
from smallchange.tablebase.chance_table import ValueTable, open_values

RASH = 100  # moves in 1000 of a lesson that are random
ROWS_A_GAME = 700  # room for the moves of a game, on the average
BATCH = 1024  # rows of a step, about
RATE = 2e-3  # of Adam (Kingma and Ba, 2015) at first; it falls to 0 as a cosine does
KEEP, KEEP_SQUARES, TINY = 0.9, 0.999, 1e-8  # of Adam
T_BEGIN, T_END = 0.03, 0.003
REGRET = 30.0  # the weight of regret, as of a log loss
MOST_SCALE = 10.0
Z = 1.96  # of an interval of 95 %


class TablePlayer(ValueSearcher):
    """A game with a net and a table of its values."""

    kernel_modules = (*ValueSearcher.kernel_modules, "research.kernels.table_lessons")

    def __init__(self, table: ValueTable, weights: Weights) -> None:
        super().__init__(table.game, weights)
        worths, policy = np.zeros(self.game.rules.MOST + 1), np.full(self._seats, SEARCH)
        self._table = Table(table.cells, np.array(table.first_cells, np.int64), worths, policy)

    def lessons(self, seed: int, n: int) -> Lessons:
        """Return the choices of n games; of fewer if these offer more than ROWS_A_GAME moves on the average."""
        room = ROWS_A_GAME * n
        rows = Lessons(
            np.zeros((room, len(self.net.marks)), np.int16),
            np.zeros(room, np.float32),
            np.zeros(room, np.int64),
        )
        batch, scratch = self._new_batch(seed, 0, n), self._new_scratch()
        used = self._module.write_lessons(self.boards, batch, RASH, self._table, rows, scratch)
        return Lessons(*(row[:used] for row in rows))

    def play_perfection(self, plan: Lookahead, seed: int, n: int) -> tuple[Rate, Any]:
        """Play n games against perfect play; return what the net wins, and the points that it gives away in each."""
        lost, batch, scratch = np.zeros(n), self._new_batch(seed, 0, n), self._new_scratch()
        won = self._module.play_against_table(
            self.boards, batch, np.array(plan.row), self._table, lost, self._search, scratch
        )
        return Rate.of(n - won, n), lost


class Rows(NamedTuple):
    """The lessons of all tables: marks[m, FEATURES] and worths[m] of moves; starts[n + 1] of choices, in rows."""

    marks: Any
    worths: Any
    starts: Any

    def find(self, choices: Any) -> tuple[Any, Any]:
        """Return the numbers of the rows of these choices, and the place of the first row of each."""
        sizes = self.starts[choices + 1] - self.starts[choices]
        first = np.cumsum(sizes) - sizes
        return np.repeat(self.starts[choices] - first, sizes) + np.arange(sizes.sum()), first


def collect(tables: list[tuple[ValueTable, int]], seed: int) -> Rows:
    """Return the lessons of tables, each with its number of games."""
    found = [TablePlayer(table, new_weights(table.game, 1, seed)).lessons(seed, n) for table, n in tables]
    n = feature_sizes(tables[0][0].game)[0]
    changes = [np.r_[True, one.choices[1:] != one.choices[:-1]] for one in found]
    return Rows(
        np.concatenate([one.marks[:, :n].astype(np.int8) for one in found]),
        np.concatenate([one.worths for one in found]),
        np.r_[np.flatnonzero(np.concatenate(changes)), sum(len(one.worths) for one in found)],
    )


def fit(rows: Rows, hidden: int, epochs: int, seed: int, begun: Weights | None = None) -> Weights:
    """Return a new net of so many units, or one that was begun, after it has learned from the rows."""
    luck, (m, n) = np.random.default_rng(seed), rows.marks.shape
    if begun is None:
        spread = rows.marks[::7].astype(np.float32).std(0)
        scales = np.minimum(MOST_SCALE, 1 / (spread + 0.1)).astype(np.float32)
        first = luck.normal(0, (3 / n) ** 0.5, (n + 1, hidden)).astype(np.float32)
        second = luck.normal(0, hidden**-0.5, hidden + 1).astype(np.float32)
        first[:, 0] = first[n] = second[hidden] = 0
        second[0] = 1
        t_begin, rate_begin = T_BEGIN, RATE
    else:
        first, second, scales = (one.astype(np.float32) for one in (begun.first, begun.second, begun.scales))
        hidden, t_begin, rate_begin = len(second) - 1, T_END, RATE / 2
    weights = first, second
    means, squares = ([np.zeros_like(one) for one in weights] for _ in range(2))
    choices = np.arange(len(rows.starts) - 1)
    size = min(len(choices), max(1, BATCH * len(choices) // m))
    steps = epochs * (len(choices) // size)
    step = 0
    for epoch in range(epochs):
        luck.shuffle(choices)
        lost, errors = 0.0, 0.0
        for at in range(0, len(choices) - size + 1, size):
            some, starts = rows.find(choices[at : at + size])
            inputs, worths = rows.marks[some] * scales, rows.worths[some]
            sums = inputs @ first[:n] + first[n]
            shown = np.maximum(sums, 0)
            shown[:, 0] = sums[:, 0]
            values = 1 / (1 + np.exp(-(shown @ second[:hidden] + second[hidden])))
            error, regret = gradients(values, worths, starts, t_begin * (T_END / t_begin) ** (step / steps))
            error /= len(some)
            lost, errors = lost + regret, errors + float(((values - worths) ** 2).mean())
            back = np.outer(error, second[:hidden]) * (sums > 0)
            back[:, 0] = error * second[0]
            changes = np.vstack([inputs.T @ back, back.sum(0)]), np.r_[shown.T @ error, error.sum()]
            step += 1
            rate = rate_begin * (1 + np.cos(np.pi * step / steps)) / 2
            for one, change, mean, square in zip(weights, changes, means, squares, strict=True):
                mean += (1 - KEEP) * (change - mean)
                square += (1 - KEEP_SQUARES) * (change * change - square)
                one -= rate * (mean / (1 - KEEP**step)) / (np.sqrt(square / (1 - KEEP_SQUARES**step)) + TINY)
        n_steps = steps // epochs
        print(
            f"{epoch + 1}: off by {(errors / n_steps) ** 0.5:.4f}, gives away {100 * lost / n_steps:.4f}",
            flush=True,
        )
    return Weights(first.astype(float), second.astype(float), scales.astype(float))


def gradients(values: Any, worths: Any, starts: Any, t: float) -> tuple[Any, float]:
    """Return the gradient of the loss by the sum before each value, and the mean regret of a choice."""
    sizes = np.diff(np.r_[starts, len(values)])
    odds = np.exp((values - np.repeat(np.maximum.reduceat(values, starts), sizes)) / t)
    odds /= np.repeat(np.add.reduceat(odds, starts), sizes)
    mean = np.add.reduceat(odds * worths, starts)
    regret = float((np.maximum.reduceat(worths, starts) - mean).mean())
    by_value = odds * (np.repeat(mean, sizes) - worths) / t
    return (values - worths + REGRET * by_value * values * (1 - values)).astype(np.float32), regret


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("tables", nargs="+", metavar="TABLE[=GAMES]")
    parser.add_argument("-o", "--out", type=Path, help="the file of the net")
    parser.add_argument("--hidden", type=int, default=352, help="units of the hidden layer")
    parser.add_argument("--begin", type=Path, help="a net that learns on, with its own units")
    parser.add_argument("--epochs", type=int, default=14, help="times that all lessons are learned")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play", type=int, default=0, help="games against perfect play, instead of learning")
    parser.add_argument("--values", type=Path, help="a file of a net, not the game's own")
    parser.add_argument("--rollouts", type=int, default=0)
    parser.add_argument("--turns", type=int, default=1)
    asked = parser.parse_args()
    pairs = [(name, 0) if asked.play else _file_and_games(name) for name in asked.tables]
    if not asked.play and (asked.out is None or None in pairs or min(asked.hidden, asked.epochs) < 1):
        parser.error("to learn takes TABLE=GAMES .., a FILE for the net, and at least one unit and one epoch")
    tables = [(open_values(name), games) for name, games in filter(None, pairs)]
    if len({table.game.id for table, _ in tables}) > 1:
        parser.error("the tables are of different games: one net is for one game")
    if asked.play:
        _play(tables, asked)
        return
    begun = read_weights(tables[0][0].game, asked.begin) if asked.begin else None
    rows = collect(tables, asked.seed)
    print(f"{len(rows.worths):,} moves of {len(rows.starts) - 1:,} choices", flush=True)
    learned = fit(rows, asked.hidden, asked.epochs, asked.seed, begun)
    words = ["python", "-m", "research.learn_from_table", *asked.tables]
    words += ["--begin", str(asked.begin)] if begun else ["--hidden", str(asked.hidden)]
    words += ["--epochs", str(asked.epochs), "--seed", str(asked.seed)]
    made = {"command": shlex.join(words), "seed": asked.seed, "games": sum(n for _, n in tables)}
    write_weights(asked.out, tables[0][0].game, replace(learned, provenance=made))


def _file_and_games(word: str) -> tuple[str, int] | None:
    """Return the parts of TABLE=GAMES; None for another word."""
    name, _, games = word.rpartition("=")
    return (name, int(games)) if name and games.isdecimal() and int(games) else None


def _play(tables: list[tuple[ValueTable, int]], asked: argparse.Namespace) -> None:
    """Print what a net wins of perfect play, and what it gives away, by each table."""
    plan = Lookahead(rollouts=asked.rollouts, turns=asked.turns)
    for table, _ in tables:
        player = TablePlayer(table, read_weights(table.game, asked.values))
        rate, lost = player.play_perfection(plan, asked.seed, asked.play)
        half = Z * lost.std() / asked.play**0.5
        print(
            f"{table.game!r}: wins {rate.p:.2%} ({rate.low:.2%} to {rate.high:.2%}), gives away "
            f"{lost.mean():.3f} ± {half:.3f} points a game (n = {asked.play:,})",
            flush=True,
        )


if __name__ == "__main__":
    try:
        main()
    except (BadTable, BadValues, OSError) as wrong:
        sys.exit(str(wrong))
