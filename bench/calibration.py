"""How right odds are: what was said of positions, in tenths, beside the points that came of them."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from statistics import fmean
from typing import NamedTuple

from smallchange.lab.measure import Z95

TENTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)


class Told(NamedTuple):
    """Odds said of a position, the points its player got in the end, and which draw of luck it belongs to."""

    odds: float
    points: float
    draw: int


def show(told: list[Told]) -> None:
    """A line for each tenth of the odds in which something was said."""
    for low, high in pairwise(TENTHS):
        inside = [one for one in told if low <= one.odds < high]
        if inside:
            print(f"{low:.1f} on", line(inside))


def line(told: list[Told]) -> str:
    """The mean of the odds, that of the points with its 95 % interval, the number of positions and of draws.

    Positions of one draw depend on one another, so the interval's sample is the draws.
    """
    n, points = len(told), fmean(one.points for one in told)
    draws: dict[int, float] = {}
    for one in told:
        draws[one.draw] = draws.get(one.draw, 0.0) + one.points - points
    half = Z95 * sqrt(sum(more * more for more in draws.values())) / n
    return f"{fmean(one.odds for one in told):.3f}  {points:.3f} +- {half:.3f}  {n:6}  {len(draws):5}"
