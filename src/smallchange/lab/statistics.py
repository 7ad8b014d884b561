"""Measures of a sample: rates with their intervals, and how numbers are spread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

Z95 = NormalDist().inv_cdf(0.975)
QUANTILES = (0, 5, 25, 50, 75, 95, 100)  # in percent


@dataclass(frozen=True)
class Rate:
    """A share of a sample, and the 95 % interval of the true share."""

    p: float
    low: float
    high: float

    @classmethod
    def of(cls, hits: float, n: float) -> Rate:
        """Return the score interval of E. B. Wilson, "Probable inference" (JASA 22, 1927, 209-212).

        It stays within 0 and 1, and is right for rare outcomes too, where p +- 1.96 sigma is not. `hits` may
        be a sum of numbers from 0 to 1, which vary no more than hits do; `n` need not be whole.

        >>> rate = Rate.of(81, 263)
        >>> round(rate.low, 4), round(rate.high, 4)  # as in Newcombe (Statistics in Medicine, 1998), Table I
        (0.2553, 0.3662)
        >>> Rate.of(0, 20).low
        0.0
        """
        if n == 0:
            return cls(0.0, 0.0, 1.0)
        p = hits / n
        middle = p + Z95**2 / (2 * n)
        half = Z95 * sqrt(p * (1 - p) / n + Z95**2 / (4 * n * n))
        scale = 1 + Z95**2 / n
        low = 0.0 if hits == 0 else (middle - half) / scale
        high = 1.0 if hits == n else (middle + half) / scale
        return cls(p, low, high)


@dataclass(frozen=True)
class Spread:
    """Mean, standard deviation (of a sample) and quantiles of whole numbers, and how often each occurred."""

    mean: float
    sd: float
    quantiles: dict[str, int]
    counts: dict[int, int]

    @classmethod
    def of(cls, counted: Mapping[int, int]) -> Spread:
        """From value -> how often. A quantile is the least value with at least that share up to it.

        >>> Spread.of({1: 2, 3: 1, 5: 1})  # doctest: +ELLIPSIS
        Spread(mean=2.5, sd=1.914..., quantiles={'0%': 1, ...}, counts={1: 2, 3: 1, 5: 1})
        """
        values = sorted(counted)
        n = sum(counted.values())
        mean = sum(v * counted[v] for v in values) / n
        square = sum((v - mean) ** 2 * counted[v] for v in values)
        quantiles, seen, rest = {}, 0, list(QUANTILES)
        for value in values:
            seen += counted[value]
            while rest and 100 * seen >= rest[0] * n:
                quantiles[f"{rest.pop(0)}%"] = value
        sd = sqrt(square / (n - 1)) if n > 1 else 0.0
        return cls(mean, sd, quantiles, {value: counted[value] for value in values})
