"""Ratings of puzzles: the share of players of each strength that solves them, from features that make them hard.

The model is Rasch's: a player of strength r solves a puzzle of difficulty d with the odds 1 to 10^((d - r) / 400), as
in Elo. The difficulty is a sum over features of the puzzle. Strengths of the five levels and weights of the features
are fitted to what the levels chose in some puzzles of a game (`puzzle_ratings.json` in its folder), and held against
what they choose in others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import log, log2
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from smallchange.bots.levels import LEVELS, identities
from smallchange.bots.policy import Policy
from smallchange.core.game import Game
from smallchange.core.measurements import Rate
from smallchange.core.puzzle import Puzzle

FILE = "puzzle_ratings.json"
ELO = 400 / log(10)
MEAN = 1500  # the strength of the levels of a game, in the mean
LOWEST, HIGHEST = 400, 2600
RIDGE = 0.1  # draws weights to 0 where few puzzles say anything
FEATURES = ("moves", "by rule of thumb", "margin", "second", "exact")


@dataclass(frozen=True)
class RatingModel:
    """The difficulty of puzzles of a game, in points of Elo, and the strength of its levels; fitted to n puzzles.

    `bot` tells the identities of the levels.
    """

    weights: Sequence[float]
    levels: Sequence[float]
    n: int
    rules: int
    command: str
    bot: str = ""


class Tenth(NamedTuple):
    """The n tries of about equal expectation: the mean expectation of a solution, and the share that was solved."""

    expected: float
    solved: Rate
    n: int


def features(puzzle: Puzzle) -> list[float]:
    """Return the numbers that make a puzzle hard or easy: one for each of FEATURES, and 1."""
    position = puzzle.position
    legal = position.legal()
    moves = _thumb_moves(puzzle)
    thumb = 1 / len(moves) if puzzle.best in moves else 0.0
    return [log2(len(legal)), thumb, puzzle.margin, puzzle.second, float(puzzle.exact), 1.0]


def _thumb_moves(puzzle: Puzzle) -> list[str]:
    """Return the moves that the rule of thumb finds equally good."""
    position = puzzle.position
    game, scores = position.game, dict[str, int]()
    for token in position.legal():
        after = position.played(token)
        scores[token] = game.heuristic.move_score(game.board, position.s, game.actions[token], after.s)
    return [token for token, score in scores.items() if score == max(scores.values())]


@lru_cache(maxsize=32)
def read_model(game: Game) -> RatingModel | None:
    """Return the model of a game; None where there is none yet."""
    file = game.folder / FILE
    return RatingModel(**json.loads(file.read_text(encoding="utf-8"))) if file.exists() else None


def rate_puzzle(puzzle: Puzzle, model: RatingModel | None = None) -> Puzzle:
    """Return the puzzle with its rating; MEAN where its game has no model."""
    model = model or read_model(Game(puzzle.game.id))
    difficulty = float(np.dot(model.weights, features(puzzle))) if model else 0.0
    return replace(puzzle, rating=round(min(HIGHEST, max(LOWEST, MEAN + difficulty))))


def attempts(puzzles: Sequence[Puzzle], seed: int = 1) -> Any:
    """Return whether each level solves each puzzle: int64[puzzles, levels], 0 or 1. Each tries once, as it plays."""
    tried = np.zeros((len(puzzles), len(LEVELS)), np.int64)
    for i, puzzle in enumerate(puzzles):
        for k, name in enumerate(LEVELS):
            luck = Random(f"{seed} {name} {puzzle.id}")
            tried[i, k] = Policy(name).player(puzzle.game, luck)(puzzle.position.copy()) == puzzle.best
    return tried


def fit(puzzles: Sequence[Puzzle], tried: Any, command: str) -> RatingModel:
    """Return the model by maximum likelihood, weights held back a little by RIDGE."""
    from scipy.optimize import minimize
    from scipy.special import expit

    about = np.array([features(puzzle) for puzzle in puzzles])
    rows, levels = about.shape[1], tried.shape[1]

    def surprise(x: Any) -> tuple[float, Any]:
        weights, strengths = x[:rows], x[rows:]
        apart = strengths[None, :] - (about @ weights)[:, None]
        off = expit(apart) - tried
        slope = np.concatenate([-(about.T @ off.sum(1)), off.sum(0)]) + RIDGE * x
        loss = np.logaddexp(0, np.where(tried > 0, -apart, apart)).sum() + RIDGE * (x @ x) / 2
        return float(loss), slope

    x = minimize(surprise, np.zeros(rows + levels), jac=True, method="BFGS").x * ELO
    weights, strengths = x[:rows], x[rows:]
    weights[-1] -= strengths.mean()  # of the constant: the levels' mean is MEAN
    strengths += MEAN - strengths.mean()
    bot = identities(Game(puzzles[0].game.id), *LEVELS)
    return RatingModel(_round(weights), _round(strengths), len(puzzles), puzzles[0].rules, command, bot)


def _round(numbers: Any) -> list[float]:
    return [round(float(number), 1) for number in numbers]


def expectation(model: RatingModel, puzzles: Sequence[Puzzle]) -> Any:
    """Return how often each level is expected to solve each puzzle, by its rating: float64[puzzles, levels]."""
    rating = np.array([rate_puzzle(puzzle, model).rating for puzzle in puzzles])
    return 1 / (1 + 10 ** ((rating[:, None] - np.array(model.levels)[None, :]) / 400))


def tenths(said: Any, tried: Any) -> list[Tenth]:
    """Sort tries into tenths by their expectation; empty tenths are left out.

    Tries at one puzzle depend on one another. So an interval is that of fewer tries: n by the design effect, the
    variance of the sums by puzzle over that of the tries (L. Kish, "Survey Sampling", 1965, 5.4).
    """
    found = []
    place = np.minimum(9, (10 * said).astype(int))
    for tenth in range(10):
        here = place == tenth
        if n := int(here.sum()):
            off = np.where(here, tried - said, 0.0)
            effect = max(1.0, float((off.sum(1) ** 2).sum() / (off**2).sum()))
            solved = Rate.of(int(tried[here].sum()) / effect, n / effect)
            found.append(Tenth(float(said[here].mean()), solved, n))
    return found


def write_model(file: Path, model: RatingModel) -> None:
    """Write the model of a game into its folder."""
    file.write_text(json.dumps(asdict(model)) + "\n", encoding="utf-8")
