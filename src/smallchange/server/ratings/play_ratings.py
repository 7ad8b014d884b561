"""Play ratings: the odds that a player's reviewed choices gave away, by game, and the level that gives away as much.

In a game for one a player is rated against its deals too: each deal is an opponent whose rating follows from its odds.
The odds of a deal are those of the best bot, before the first choice. The best bot has BEST_BOT_POINTS, so a deal that
it wins half the time has as many, and a deal that it nearly always wins has far fewer.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log10
from typing import NamedTuple

from smallchange.bots.levels import load_bots
from smallchange.bots.mean_cost import MeanCost
from smallchange.bots.play_rating import MIN_MATCHES, PlayRating, play_rating
from smallchange.core.game import Game, games
from smallchange.core.glicko2 import MIN_DEVIATION, Rating, Result, rate
from smallchange.server.ratings.reviewed import DealResult, deal_results, seat_costs
from smallchange.server.table.storage.store import Store

BEST_BOT_POINTS = 2000.0
MIN_ODDS = 0.02  # and at most 1 less that: nearer to 0 or 1 the odds are too uncertain


class GamePlayRating(NamedTuple):
    """The number of reviewed matches of a game that count, and the play rating; None for too few.

    `against_deals` is the rating against deals in a game for one; None elsewhere, and for too few.
    """

    game: Game
    matches: int
    rating: PlayRating | None
    against_deals: Rating | None = None


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


async def play_ratings(store: Store, holder: str) -> list[GamePlayRating]:
    """Return the play ratings of a player, in the order of the games, without games of which no review counts."""
    costs = await store.read(lambda connection: seat_costs(connection, holder))
    deals = await store.read(lambda connection: deal_results(connection, holder))
    found = []
    for game in map(Game, games()):
        mean = MeanCost.of(costs.get((game.id, game.version), ()))
        if mean is not None:
            played = deals.get((game.id, game.version), []) if len(game.seats) == 1 else []
            against = rating_against_deals(played) if len(played) >= MIN_MATCHES else None
            rating = play_rating(mean, load_bots(game), game.version)
            found.append(GamePlayRating(game, mean.matches, rating, against))
    return found
