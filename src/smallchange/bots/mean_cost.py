"""The mean odds that a player gives away per choice, over reviewed matches, with its 95 % interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum, sqrt
from statistics import NormalDist
from typing import NamedTuple

from .review_choice import Choice

Z95 = NormalDist().inv_cdf(0.975)


class SeatCost(NamedTuple):
    """The odds that a player gave away in a match, and the number of the player's choices."""

    given: float
    choices: int

    @classmethod
    def of(cls, choices: Sequence[Choice]) -> SeatCost:
        """Return the sum of the costs of these choices."""
        return cls(fsum(choice.cost for choice in choices), len(choices))


class MeanCost(NamedTuple):
    """The mean odds given away per choice, from `low` to `high` its 95 % interval, in these matches and choices."""

    matches: int
    choices: int
    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, costs: Iterable[SeatCost]) -> MeanCost | None:
        """Return the mean of these costs; None without a choice.

        The ratio estimator: choices of one match depend on each other, so matches are the sample. Source: W. G.
        Cochran, "Sampling Techniques", 3rd edition, 1977, section 6.4. The interval of one match is from 0 to 1.

        >>> MeanCost.of([SeatCost(1.0, 20), SeatCost(1.0, 20)])
        MeanCost(matches=2, choices=40, mean=0.05, low=0.05, high=0.05)
        >>> MeanCost.of([SeatCost(1.0, 20)]).high
        1.0
        """
        rows = [cost for cost in costs if cost.choices]
        n, choices = len(rows), sum(cost.choices for cost in rows)
        if not n:
            return None
        mean = fsum(cost.given for cost in rows) / choices
        if n == 1:
            return cls(n, choices, mean, 0.0, 1.0)
        squares = fsum((cost.given - mean * cost.choices) ** 2 for cost in rows)
        half = Z95 * sqrt(squares * n / (n - 1)) / choices
        return cls(n, choices, mean, max(0.0, mean - half), min(1.0, mean + half))
