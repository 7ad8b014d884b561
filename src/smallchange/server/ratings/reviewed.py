"""Luck and choices of reviewed matches as rows, one a seat, and the play ratings that follow from them.

A play rating says what odds a player's choices gave away in a game, and which level gives away as much. In a game for
one a player is rated against its deals too: each deal is an opponent whose rating follows from its odds. These are the
odds of the best bot before the first choice. The best bot has BEST_BOT_POINTS, so a deal that it wins half the time has
as many, and a deal that it nearly always wins has far fewer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import log10
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from smallchange.bots.levels import load_bots
from smallchange.bots.mean_cost import MeanCost, SeatCost
from smallchange.bots.play_rating import MIN_MATCHES, PlayRating, play_rating
from smallchange.core.game import Game, games
from smallchange.core.glicko2 import MIN_DEVIATION, Rating, Result, rate
from smallchange.server.database import schema
from smallchange.server.ratings.statistics import ReviewedGame
from smallchange.server.table.model.outcome import Points
from smallchange.server.table.storage.store import Store

_row = schema.reviewed_seat.c
MAX_COUNTED_MATCHES = 1000  # of a player, for the play ratings


class DealResult(NamedTuple):
    """The odds of a deal for the best bot, from 0 to 1, and the score of a player on it: 1 for a win, 0 for a loss."""

    odds: float
    score: float


class ReviewedSeat(NamedTuple):
    """The luck of a seat in a reviewed match, the odds that its choices gave away, from 0 to 1, and their number.

    `first_odds` are the odds before the first choice.
    """

    seat: int
    luck: float
    given_away: float
    choices: int
    first_odds: float


def put_reviewed_seats(connection: Connection, match: str, rows: Sequence[ReviewedSeat]) -> None:
    """Store what a review found, in the place of what an earlier one found."""
    connection.execute(delete(schema.reviewed_seat).where(_row.match_id == match))
    if rows:
        connection.execute(
            insert(schema.reviewed_seat), [{"match_id": match, **row._asdict()} for row in rows]
        )


def seat_costs(connection: Connection, holder: str) -> dict[tuple[str, int], list[SeatCost]]:
    """Return what a holder gave away in the newest reviewed matches, by game and version of the rules."""
    found: dict[tuple[str, int], list[SeatCost]] = defaultdict(list)
    for game, version, given, choices in _newest(connection, holder, _row.given_away, _row.choices):
        found[game, version].append(SeatCost(given, choices))
    return found


def deal_results(connection: Connection, holder: str) -> dict[tuple[str, int], list[DealResult]]:
    """Return a holder's results on the deals of reviewed matches, by game and version of its rules, oldest first."""
    found: dict[tuple[str, int], list[DealResult]] = defaultdict(list)
    newest = _newest(connection, holder, _row.first_odds, schema.seat.c.points)
    for game, version, odds, points in reversed(newest):
        found[game, version].append(DealResult(odds, points / Points.WIN))
    return found


def _newest(connection: Connection, holder: str, *columns: ColumnElement[Any]) -> list[Any]:
    """Return game, version of the rules and these columns of a holder's newest reviewed matches.

    Practice does not count, and neither does a match with options that differ from the rulebook.
    """
    seat, match = schema.seat.c, schema.match.c
    of_seat = (seat.match_id == _row.match_id) & (seat.number == _row.seat)
    query = (
        select(match.game, match.version, *columns)
        .select_from(schema.reviewed_seat)
        .join(schema.seat, of_seat)
        .join(schema.match, match.id == _row.match_id)
        .where(seat.holder == holder, seat.points.is_not(None), match.options == "{}")
        .order_by(match.created.desc(), match.id)
        .limit(MAX_COUNTED_MATCHES)
    )
    return list(connection.execute(query))


def reviewed_games(connection: Connection, holder: str) -> list[ReviewedGame]:
    """Return what reviews found of a holder's matches, by game. Practice does not count."""
    seat, match = schema.seat.c, schema.match.c
    sums = (func.count(), func.sum(_row.luck), func.sum(_row.given_away))
    of_seat = (seat.match_id == _row.match_id) & (seat.number == _row.seat)
    query = (
        select(match.game, *sums)
        .select_from(schema.reviewed_seat)
        .join(schema.seat, of_seat)
        .join(schema.match, match.id == _row.match_id)
        .where(seat.holder == holder, seat.points.is_not(None))
        .group_by(match.game)
        .order_by(match.game)
    )
    return [ReviewedGame(*row) for row in connection.execute(query)]


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
