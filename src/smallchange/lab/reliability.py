"""Compare predicted chances with results: a reliability diagram in tenths, with the games that came of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from .statistics import Rate

BINS = 10


class Forecast(NamedTuple):
    """A predicted chance, the player's points in the end (0 to 1), and the number of its draw of luck."""

    odds: float
    points: float
    draw: int


@dataclass(frozen=True)
class Bin:
    """Forecasts, mostly of one tenth: their mean forecast, the observed frequency, and their number.

    `won` has a 95 % interval. Positions of one draw of luck depend on one another, so the sample is the draws.
    """

    said: float
    won: Rate
    positions: int
    draws: int

    @property
    def holds(self) -> bool:
        """Return whether the forecast lies within the interval of the observed frequency."""
        return self.won.low <= self.said <= self.won.high


def bins(forecasts: Iterable[Forecast]) -> list[Bin]:
    """Return the tenths that have a forecast, ascending; a chance of one is in the highest.

    >>> low, high = bins([Forecast(0.25, 0, 1), Forecast(0.25, 1, 2), Forecast(1.0, 1, 3)])
    >>> low.said, low.won.p, low.draws, high.said
    (0.25, 0.5, 2, 1.0)
    """
    tenths: dict[int, list[Forecast]] = defaultdict(list)
    for one in forecasts:
        tenths[min(int(one.odds * BINS), BINS - 1)].append(one)
    return [pool(found) for _, found in sorted(tenths.items())]


def pool(forecasts: Sequence[Forecast]) -> Bin:
    """Return all these forecasts as one bin.

    The interval is Wilson's, for as many independent games as have the variance that the draws show (Kish's
    effective sample, "Survey Sampling", 1965), and no more than there are draws.
    """
    n, won = len(forecasts), fmean(one.points for one in forecasts)
    above: dict[int, float] = defaultdict(float)  # a draw's points above the mean
    for one in forecasts:
        above[one.draw] += one.points - won
    variance = sum(points * points for points in above.values()) / n**2
    effective = min(len(above), won * (1 - won) / variance) if variance else len(above)
    return Bin(fmean(one.odds for one in forecasts), Rate.of(won * effective, effective), n, len(above))
