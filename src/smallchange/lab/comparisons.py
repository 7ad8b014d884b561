"""Comparisons of samples: means with their intervals, paired where the deals are the same."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from smallchange.core.options import Value
from smallchange.extras import require

from .statistics import Rate

if TYPE_CHECKING:
    from .results import Sample

require("lab", "scipy")

from scipy.stats import t as student  # noqa: E402


@dataclass(frozen=True)
class Mean:
    """A mean of n numbers and its 95 % interval, by Student's t.

    >>> mean = Mean.of([1, 2, 3, 4, 5])
    >>> round(mean.low, 3), mean.mean, round(mean.high, 3)
    (1.037, 3.0, 4.963)

    Equal numbers have no spread that t could go by. Where it is known between what numbers these lie, the
    interval is as far as others can move the mean, being so many at most as Wilson's interval allows (Rate)
    when none of n was another.

    >>> round(Mean.of([0] * 60, (-1, 1)).half, 4)  # as by Newcombe's method 10 for 0 and 0 of 60
    0.0602
    """

    mean: float
    low: float
    high: float
    n: int

    @classmethod
    def of(cls, numbers: Any, between: tuple[float, float] | None = None) -> Mean:
        """Return the mean of a sequence or a one-dimensional array.

        Of one number or fewer, the interval is infinite.
        """
        values = np.asarray(numbers, np.float64)
        n = len(values)
        if n == 0:
            return cls(float("nan"), float("-inf"), float("inf"), 0)
        mean = float(values.mean())
        if n == 1:
            return cls(mean, float("-inf"), float("inf"), 1)
        half = float(student.ppf(0.975, n - 1)) * float(values.std(ddof=1)) / sqrt(n)
        if between and values.min() == values.max():
            half = Rate.of(0, n).high * max(mean - between[0], between[1] - mean)
        return cls(mean, mean - half, mean + half, n)

    @property
    def half(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Difference:
    """The mean difference of two samples on the same deals: points and score of a seat, and steps."""

    points: Mean
    score: Mean
    steps: Mean
    alone: float  # half of the interval of the points' difference, had the deals not been the same

    @classmethod
    def of(cls, one: Sample, other: Sample, seat: int = 0) -> Difference | None:
        """One minus the other, over the deals that both have; None if there are none."""
        _, a, b = np.intersect1d(one.deal, other.deal, assume_unique=True, return_indices=True)
        if len(a) == 0:
            return None
        mine, theirs = one.points(seat)[a], other.points(seat)[b]
        score = one.scores[a, seat] - other.scores[b, seat]
        steps = one.steps[a].astype(np.int64) - other.steps[b]
        halves = [Mean.of(points).half for points in (mine, theirs)]
        if not any(halves):
            halves = [Mean.of(points, (0, 1)).half for points in (mine, theirs)]
        return cls(Mean.of(mine - theirs, (-1, 1)), Mean.of(score), Mean.of(steps), hypot(*halves))


def edge(sample: Sample) -> Mean:
    """Return the advantage of moving first in a game for two: points a game (a draw is 1/2) above 1/2."""
    return Mean.of(sample.points(0) - 0.5, (-0.5, 0.5))


@dataclass(frozen=True)
class Effect:
    """The effect of an option's value against its default, with everything else equal."""

    option: str
    value: Value
    default: Value
    others: dict[str, Value]  # what else differs from the default, in both samples
    policy: str
    difference: Difference


def effects(samples: list[Sample]) -> list[Effect]:
    """Every pair of samples of one game and policy where one option alone differs from its default."""
    by_key = {(s.policy, tuple(s.options.items())): s for s in samples}
    found = []
    for sample in samples:
        defaults = {option.name: option.default for option in sample.game.offered}
        for name, value in sample.options.items():
            others = {key: v for key, v in sample.options.items() if key != name}
            base = by_key.get((sample.policy, tuple(others.items())))
            difference = Difference.of(sample, base) if base else None
            if difference:
                found.append(Effect(name, value, defaults[name], others, sample.policy, difference))
    return found
