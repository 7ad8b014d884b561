"""Measures of a sample: rates with their intervals, and how numbers are spread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from smallchange.core.measurements import Z95, Rate

__all__ = ["QUANTILES", "Z95", "Rate", "Spread"]

QUANTILES = (0, 5, 25, 50, 75, 95, 100)  # in percent


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
