"""Measurements that lie in the folder of a game: the names of their files, and a share with its interval."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import NormalDist

from .game import Game

BASELINE_FILE = "baseline_scores.json"
VALUES_FILE = "values.json"  # learned values, as `engine/search/value_weights.py` reads them
VARIANT_VALUES_FILE = "values-variants.json"  # of all options but the default ones, where a game has such
WIN_RATES_FILE = "win_rates.json"
Z95 = NormalDist().inv_cdf(0.975)


def learned_values_file(game: Game) -> Path:
    """Return the file of the learned values by which a game is played with its options."""
    variants = game.folder / VARIANT_VALUES_FILE
    return variants if game.non_default_options and variants.exists() else game.folder / VALUES_FILE


def measures(command: str, id: str) -> bool:
    """Return whether a command that gave figures is of this game: those in a copy of another's folder are not.

    >>> measures("smallchange simulate pig -n 10", "pig"), measures("smallchange simulate pig -n 10", "pi-g")
    (True, False)
    """
    return re.search(rf"(?<![\w-]){re.escape(id)}(?![\w-])", command) is not None


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
