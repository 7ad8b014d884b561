"""Glicko-2: a rating with its uncertainty, which shrinks with every match and grows with time.

Source: Mark E. Glickman, "Example of the Glicko-2 system", 2022 revision, glicko.net/glicko/glicko2.pdf. Steps
and symbols are those of the paper. Each match is a rating period of its own; the time between two matches is
counted in periods of PERIOD_MS, fractions included, so that a result is rated as soon as it is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

SCALE = 173.7178  # points in one unit of mu
START_RATING, START_DEVIATION, START_VOLATILITY = 1500.0, 350.0, 0.06
MIN_DEVIATION, MAX_DEVIATION = 30.0, 350.0  # points
TAU = 0.5  # how much the volatility may change; the paper says 0.3 to 1.2
PERIOD_MS = 7 * 24 * 3600 * 1000
PROVISIONAL_DEVIATION = 110.0  # points; a rating is provisional as long as its deviation is larger
_TOLERANCE = 1e-6


class Rating(NamedTuple):
    """A rating: points, standard deviation of the points, and volatility per period."""

    points: float = START_RATING
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY

    @property
    def provisional(self) -> bool:
        """Return whether the rating is too uncertain to be listed."""
        return self.deviation > PROVISIONAL_DEVIATION


class Result(NamedTuple):
    """A result against an opponent: 1 for a win, 0.5 for a draw, 0 for a loss."""

    opponent: Rating
    score: float


def after_time(rating: Rating, elapsed_ms: float) -> Rating:
    """Return the rating after a time without matches, in which its deviation grows (step 6).

    >>> round(after_time(Rating(1500, 50, 0.06), PERIOD_MS).deviation, 2)
    51.07
    """
    phi, periods = rating.deviation / SCALE, max(0.0, elapsed_ms) / PERIOD_MS
    grown = sqrt(phi * phi + periods * rating.volatility**2)
    return rating._replace(deviation=max(rating.deviation, min(MAX_DEVIATION, grown * SCALE)))


def rate(rating: Rating, results: Sequence[Result], elapsed_ms: float = PERIOD_MS) -> Rating:
    """Return the rating after the results of one period, `elapsed_ms` after the period before.

    The example of the paper:

    >>> opponents = [Rating(1400, 30), Rating(1550, 100), Rating(1700, 300)]
    >>> scores = [1, 0, 0]
    >>> new = rate(Rating(1500, 200), [Result(*both) for both in zip(opponents, scores)])
    >>> round(new.points, 2), round(new.deviation, 2), round(new.volatility, 5)
    (1464.05, 151.52, 0.06)
    """
    if not results:
        return after_time(rating, elapsed_ms)
    mu = (rating.points - START_RATING) / SCALE
    information = improvement = 0.0
    for opponent, score in results:
        weight = _weight(opponent.deviation)
        expected = 1 / (1 + exp(-weight * (mu - (opponent.points - START_RATING) / SCALE)))
        information += weight * weight * expected * (1 - expected)
        improvement += weight * (score - expected)
    variance = 1 / information
    phi = rating.deviation / SCALE
    volatility = _volatility(phi, rating.volatility, variance, variance * improvement)
    periods = max(0.0, elapsed_ms) / PERIOD_MS
    phi = 1 / sqrt(1 / (phi * phi + periods * volatility * volatility) + information)
    points = START_RATING + SCALE * (mu + phi * phi * improvement)
    deviation = min(MAX_DEVIATION, max(MIN_DEVIATION, phi * SCALE))
    return Rating(points, deviation, volatility)


def rate_match(
    first: Rating,
    second: Rating,
    score: float,
    elapsed_ms: tuple[float, float],
    fixed: tuple[bool, bool] = (False, False),
) -> tuple[Rating, Rating]:
    """Return both ratings after a match, each from the values before it; `score` is the first player's.

    `elapsed_ms` is the time since the last rated match of each. A `fixed` rating stays as it is.
    """
    a, b = (
        rating if stays else after_time(rating, elapsed)
        for rating, elapsed, stays in zip((first, second), elapsed_ms, fixed, strict=True)
    )
    rated_a = a if fixed[0] else rate(a, [Result(b, score)], 0)
    rated_b = b if fixed[1] else rate(b, [Result(a, 1 - score)], 0)
    return rated_a, rated_b


def expected_score(first: Rating, second: Rating) -> float:
    """Return the score that the first player can expect, given the uncertainty of both.

    >>> round(expected_score(Rating(1700, 30), Rating(1500, 30)), 3)
    0.758
    """
    both = sqrt(first.deviation**2 + second.deviation**2)
    return 1 / (1 + exp(-_weight(both) * (first.points - second.points) / SCALE))


def _weight(deviation: float) -> float:
    """Return g(phi), the weight of a result against a rating with this deviation."""
    return 1 / sqrt(1 + 3 * (deviation / SCALE / pi) ** 2)


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Return the new volatility (step 5, by the Illinois algorithm)."""
    start = log(sigma * sigma)
    square = phi * phi + variance

    def f(x: float) -> float:
        e = exp(x)
        return e * (delta * delta - square - e) / (2 * (square + e) ** 2) - (x - start) / (TAU * TAU)

    a = start
    if delta * delta > square:
        b = log(delta * delta - square)
    else:
        k = 1
        while f(start - k * TAU) < 0:
            k += 1
        b = start - k * TAU
    fa, fb = f(a), f(b)
    while abs(b - a) > _TOLERANCE:
        c = a + (a - b) * fa / (fb - fa)
        fc = f(c)
        if fc * fb <= 0:
            a, fa = b, fb
        else:
            fa /= 2
        b, fb = c, fc
    return exp(a / 2)
