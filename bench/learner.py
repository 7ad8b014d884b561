"""Correct a learner by puzzles, and measure what it gains against level 3 in paired deals.

    python bench/learner.py FILE.jsonl [-n 500] [--games 400] [--seed 1]

The learner weighs features of a move: the score of the rule of thumb, the numbers of the reasons that hints give, and
whether the move ends the game. Before, only the rule of thumb has a weight. Then its choices in n puzzles of FILE are
corrected: the weights are those that make the keys likeliest, held back by RIDGE. Before and after, it plays the same
deals, beside level 3 in a game for one, against it from each seat in a game for two.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from smallchange.bots.engines.evaluation import outcome_points
from smallchange.core.game import Game, Position
from smallchange.core.puzzle import Puzzle, puzzles_in
from smallchange.lab.play_portion import row_match
from smallchange.lab.statistics import Z95

RIDGE = 1.0
OPPONENT = "level3"
FIRST_WEIGHT = 3.0  # of the rule of thumb, in spreads of its score over the moves of the puzzles
PLAYERS = ("before", "after")


class Learner:
    """A player by weights of features, which are measured from `center` in units of `spread`."""

    def __init__(self, weights: Any, spread: Any) -> None:
        self.weights, self.spread = weights, spread

    def choose(self, position: Position, luck: Random) -> str:
        """Return the move with the highest sum; of equal ones any."""
        legal = position.legal()
        sums = features(position) / self.spread @ self.weights
        return luck.choice([token for token, n in zip(legal, sums, strict=True) if n > sums.max() - 1e-9])


def features(position: Position) -> Any:
    """Return the numbers of each legal move, from the mean of all of them: float64[moves, features]."""
    game, rows = position.game, []
    for token in position.legal():
        action, after = game.actions[token], position.played(token)
        row = [float(game.heuristic.move_score(game.board, position.s, action, after.s))]
        for n in game.reasons.measure(game.board, position.s, action, after.s) if game.reasons else []:
            row += [0.0, 0.0] if n is None else [float(n), 1.0]
        points = outcome_points(after, position.actor or "")
        rows.append([*row, float(points is not None), points or 0.0])
    return np.array(rows) - np.mean(rows, axis=0)


def correct(puzzles: Sequence[Puzzle]) -> tuple[Learner, Learner]:
    """Return the learner before and after it was corrected."""
    from scipy.optimize import minimize
    from scipy.special import logsumexp, softmax

    rows = [features(puzzle.position) for puzzle in puzzles]
    best = [puzzle.position.legal().index(puzzle.best) for puzzle in puzzles]
    spread = np.concatenate(rows).std(axis=0)
    spread[spread == 0] = 1.0
    rows = [row / spread for row in rows]
    first = np.zeros(len(spread))
    first[0] = FIRST_WEIGHT

    def surprise(weights: Any) -> tuple[float, Any]:
        loss, slope = RIDGE * (weights - first) @ (weights - first) / 2, RIDGE * (weights - first)
        for row, key in zip(rows, best, strict=True):
            sums = row @ weights
            loss += logsumexp(sums) - sums[key]
            slope = slope + softmax(sums) @ row - row[key]
        return loss, slope

    found = minimize(surprise, first, jac=True, method="BFGS").x
    return Learner(first, spread), Learner(found, spread)


def points(game: Game, learner: Learner | None, seed: int, games: int) -> Any:
    """Return what each game comes to, from 0 to 1: for level 3 alone where there is no learner."""
    seats, found = game.seats, np.zeros(games)
    mine: Any = OPPONENT if learner is None else learner.choose
    for number in range(games):
        seat = number % len(seats)  # each deal from each seat
        policies = [mine if i == seat else OPPONENT for i in range(len(seats))]
        end = row_match(game, policies, seed, number // len(seats)).position
        found[number] = outcome_points(end, seats[seat]) or 0.0
    return found


def mean_text(numbers: Any) -> str:
    """Return the mean in points of 100, with half its 95 % interval."""
    return f"{100 * numbers.mean():.1f} +- {100 * Z95 * numbers.std(ddof=1) / len(numbers) ** 0.5:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("-n", type=int, default=500)
    parser.add_argument("--games", type=int, default=400, help="in a game for two, two of each deal")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print("command: python bench/" + shlex.join(["learner.py", *sys.argv[1:]]))
    found = puzzles_in(asked.file)
    Random(asked.seed).shuffle(found)
    game, learners = found[0].game, correct(found[: asked.n])
    for name, learner in zip(PLAYERS, learners, strict=True):
        print(f"{name}: weights {np.round(learner.weights, 2).tolist()}")
        for kind, some in (("corrected on", found[: asked.n]), ("others", found[asked.n :])):
            solved = sum(learner.choose(one.position, Random(one.id)) == one.best for one in some)
            print(f"  puzzles {kind}: {solved} of {len(some)} solved")
    before, after = (points(game, learner, asked.seed, asked.games) for learner in learners)
    if len(game.seats) == 1:
        level = points(game, None, asked.seed, asked.games)
        ahead = [mean_text(one - level) for one in (before, after)]
        print(f"{OPPONENT}: {mean_text(level)}; ahead of it by {ahead[0]}, then by {ahead[1]}")
    gain = mean_text(after - before)
    print(f"{asked.games} games: before {mean_text(before)}, after {mean_text(after)}, gain {gain}")


if __name__ == "__main__":
    main()
