"""Compare odds with results: forecasts by tenths, beside the points that came of them."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from statistics import fmean
from typing import NamedTuple

from smallchange.lab.statistics import Z95

TENTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)


class Forecast(NamedTuple):
    """Odds given in a position, the player's points in the end, and the number of its draw of luck."""

    odds: float
    points: float
    draw: int


def print_deciles(forecasts: list[Forecast]) -> None:
    """Print a line for each tenth of the odds that has a forecast."""
    for low, high in pairwise(TENTHS):
        inside = [one for one in forecasts if low <= one.odds < high]
        if inside:
            print(f"{low:.1f} on", summary(inside))


def summary(forecasts: list[Forecast]) -> str:
    """Return the mean odds, the mean points with their 95 % interval, and the numbers of positions and draws.

    Positions of one draw depend on one another, so the interval's sample is the draws.
    """
    n, points = len(forecasts), fmean(one.points for one in forecasts)
    draws: dict[int, float] = {}
    for one in forecasts:
        draws[one.draw] = draws.get(one.draw, 0.0) + one.points - points
    half = Z95 * sqrt(sum(more * more for more in draws.values())) / n
    return f"{fmean(one.odds for one in forecasts):.3f}  {points:.3f} +- {half:.3f}  {n:6}  {len(draws):5}"
