"""Play ratings: what the reviewed choices of a player gave away, by game, and the level that gives away as much."""

from __future__ import annotations

from smallchange.bots.levels import load_bots
from smallchange.bots.mean_cost import MeanCost
from smallchange.bots.play_rating import MIN_MATCHES, play_rating
from smallchange.core.game import Game, games
from smallchange.server.ratings.deals import rating_against_deals
from smallchange.server.ratings.reviewed import deal_results, seat_costs
from smallchange.server.table.store import Store
from smallchange.server.web.view_model import GamePlayRating


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
