"""Upper bounds from positions late in a game for one, by information relaxation with a penalty.

A player who knows the throws beforehand pays for it: at each throw, the value of the state that it leads to, less
the mean over all throws. The penalty is 0 on the average for a player who does not know the throws, whatever the
values are; so the best line of each sampled path of throws, penalty paid, is on the average an upper bound of
perfect play. With exact values it is perfect play on every path. (Brown, Smith and Sun, "Information relaxations
and duality in stochastic dynamic programs", Operations Research, 2010.)

The player may know the throws of some sources alone. The others are met as in play, and a path's best line is then the
best play by what is known. The less is known, the tighter the bound, and the more positions a path has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev
from typing import Any

from smallchange.bots.engines.evaluation import outcome_points
from smallchange.core.game import Position
from smallchange.core.state import CHANCE
from smallchange.lab.statistics import Z95

MAX_POSITIONS = 50_000  # players' steps of a path that are looked at, and states whose values are asked for

Values = Callable[[Position], float]  # a guess of the odds of winning, at a player's step


class TooManyLines(ValueError):
    """The lines of play on a path of throws are too many to look at."""


@dataclass(frozen=True)
class PenalizedBound:
    """No play wins more often than `mean` on the average of the paths; `low` and `high` are its 95 % interval.

    `positions` is the greatest number of players' steps that were looked at on a path.
    """

    mean: float
    low: float
    high: float
    paths: int
    positions: int


def penalized_bound(
    position: Position,
    value: Values,
    paths: int,
    seed: int = 0,
    most: int = MAX_POSITIONS,
    known: Collection[str] | None = None,
) -> PenalizedBound:
    """Return the bound from a position of a game for one; the nearer the values are, the tighter it is.

    The throws of the sources `known` are known beforehand, by default all. Raise TooManyLines where the best line of a
    path is not found among `most` positions, or by the values of as many states; ValueError for a game for two, fewer
    than two paths, or an unknown source.
    """
    if len(position.game.seats) > 1 or paths < 2:
        raise ValueError("a bound takes a game for one, and two paths or more")
    sources = position.game.sources
    if known is not None and (unknown := set(known) - set(sources)):
        raise ValueError(f"no source is called {min(unknown)!r}; the sources are: {', '.join(sources)}")
    foreseen = frozenset(sources if known is None else known)
    values = ChanceValues(value, most)
    searches = [PathSearch(values, f"{seed} {number}", most, foreseen) for number in range(paths)]
    best = [search.best(position, 0, 0) for search in searches]
    mean, half = fmean(best), Z95 * stdev(best) / paths**0.5
    return PenalizedBound(
        mean, mean - half, mean + half, paths, max(len(search.known) for search in searches)
    )


class ChanceValues:
    """The values of all states: at a throw the mean of the values that follow, at the end the score."""

    def __init__(self, value: Values, most: int) -> None:
        self._value, self._most = value, most
        self._known: dict[Any, float] = {}

    def __call__(self, position: Position) -> float:
        if position.s not in self._known:
            if len(self._known) >= self._most:
                raise TooManyLines(f"the values of more than {self._most:,} states are asked for")
            self._known[position.s.copy().freeze()] = self._of(position)
        return self._known[position.s]

    def _of(self, position: Position) -> float:
        if position.s.turn >= 0:
            return self._value(position)
        if position.s.turn == CHANCE:
            return self.mean(position)
        return points(position)

    def mean(self, position: Position) -> float:
        """Return the mean value after a throw."""
        outcomes, weights = position.outcome_actions()
        following = [self(step(position, outcome)) for outcome in outcomes]
        return sum(w * v for w, v in zip(weights, following, strict=True)) / sum(weights)


class PathSearch:
    """The lines of play on one path of throws: the outcome of a source, the k-th time after a number of moves."""

    def __init__(self, values: ChanceValues, path: str, most: int, foreseen: frozenset[str]) -> None:
        self._values, self._path, self._most, self._foreseen = values, path, most, foreseen
        self.known: dict[tuple[Any, int], float] = {}

    def best(self, position: Position, moves: int, thrown: int) -> float:
        """Return the best that play wins, less its penalties, after so many moves and throws since the last."""
        if position.s.turn == CHANCE:
            return self._after_throw(position, moves, thrown)
        if position.s.turn < 0:
            return points(position)
        key = (position.s.copy().freeze(), moves)
        if key not in self.known:
            if len(self.known) >= self._most:
                raise TooManyLines(f"a path has more than {self._most:,} positions")
            self.known[key] = 0.0  # counted before those after it; a line does not come back to it
            self.known[key] = max(
                self.best(step(position, action), moves + 1, 0) for action in position.legal_actions()
            )
        return self.known[key]

    def _after_throw(self, position: Position, moves: int, thrown: int) -> float:
        """Return the value of the path's throw, less its penalty; the mean of all throws where none is known."""
        outcomes, weights = position.outcome_actions()
        if position.source not in self._foreseen:
            following = [self.best(step(position, outcome), moves, thrown + 1) for outcome in outcomes]
            return sum(w * v for w, v in zip(weights, following, strict=True)) / sum(weights)
        luck = Random(f"{self._path} {moves} {position.source} {thrown}")
        after = step(position, luck.choices(outcomes, weights)[0])
        paid = self._values(after) - self._values.mean(position)
        return self.best(after, moves, thrown + 1) - paid


def step(position: Position, action: int) -> Position:
    """Return the position after an action, which is legal."""
    after = position.copy()
    after.play_unchecked(action)
    return after


def points(position: Position) -> float:
    """Return 1 for a game that was won, 0 for one that was lost."""
    return outcome_points(position, position.game.seats[0]) or 0.0
