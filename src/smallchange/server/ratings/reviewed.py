"""Luck and choices of reviewed matches as rows, one a seat: so that they can be added up for a person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from smallchange.bots.mean_cost import SeatCost
from smallchange.server.database import schema
from smallchange.server.table.model.outcome import Points

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


class ReviewedGame(NamedTuple):
    """The sums of these over the reviewed matches of a game that one holder played."""

    game: str
    matches: int
    luck: float
    given: float


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
