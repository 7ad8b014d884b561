"""The rating of a solitaire player against deals: each deal is an opponent whose rating follows from its odds.

The odds of a deal are those of the best bot, before the first choice. The best bot has BEST_BOT_POINTS, so a deal that
it wins half the time has as many, and a deal that it nearly always wins has far fewer.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log10
from typing import NamedTuple

from smallchange.server.ratings.glicko2 import MIN_DEVIATION, Rating, Result, rate

BEST_BOT_POINTS = 2000.0
MIN_ODDS = 0.02  # and at most 1 less that: nearer to 0 or 1 the odds are too uncertain


class DealResult(NamedTuple):
    """The odds of a deal for the best bot, from 0 to 1, and the score of a player on it: 1 for a win, 0 for a loss."""

    odds: float
    score: float


def deal_points(odds: float) -> float:
    """Return the rating of a deal that the best bot wins with these odds.

    >>> [round(deal_points(odds)) for odds in (0.5, 0.909, 0.0)]
    [2000, 1600, 2676]
    """
    known = min(max(odds, MIN_ODDS), 1 - MIN_ODDS)
    return BEST_BOT_POINTS + 400 * log10((1 - known) / known)


def rating_against_deals(results: Iterable[DealResult]) -> Rating:
    """Return the rating of a player after these deals, the oldest first."""
    rating = Rating()
    for odds, score in results:
        rating = rate(rating, [Result(Rating(deal_points(odds), MIN_DEVIATION), score)], 0)
    return rating
