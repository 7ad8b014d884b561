"""The finished games of a player as rows, filtered by game, result, opponent and rating."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, func, or_, select

from smallchange.server.database import schema
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.model.outcome import Points, Status

PEOPLE, BOTS = "people", "bots"  # against whom
MIN_CHOICES = 10  # of a game that counts among the best


class GameFilter(NamedTuple):
    """Which games to list: of a game ("" for all), with these points, against people or bots; `rated`: no others."""

    game: str = ""
    points: int | None = None
    against: str = ""
    rated: bool = False


class FinishedGame(NamedTuple):
    """A finished match of a player, as it counts; `record` is its stored record.

    `other` is the name of the other side, "" for nobody or somebody without one, and `bot` the bot there. `cost` is the
    mean of the odds that a choice gave away, where the match was reviewed. `day`: it played the deal of that day.
    `sealed`: others played its deal, so that the envelope was sealed when the record was stored.
    """

    match: str
    game: str
    created: int
    points: int
    rated: bool
    day: int | None
    sealed: bool
    record: str
    other: str
    bot: str
    cost: float | None


class VisibleGames(NamedTuple):
    """The games of a player that a visitor may see: all, or for `public` those that everybody could find.

    `holder` is the holder of the player's seats, and `today` the number of the day that has not closed.
    """

    holder: str
    public: bool
    today: int


def finished_games(
    connection: Connection, visible: VisibleGames, wanted: GameFilter, limit: int, offset: int = 0
) -> list[FinishedGame]:
    """Return the finished games of a player that count, the newest first."""
    match = schema.match.c
    query = _games(visible, wanted).order_by(match.created.desc(), match.id).limit(limit).offset(offset)
    return [FinishedGame(*row) for row in connection.execute(query)]


def best_games(connection: Connection, visible: VisibleGames, limit: int) -> list[FinishedGame]:
    """Return the games that the player won giving away least per choice, of those that were reviewed."""
    found, match = schema.reviewed_seat.c, schema.match.c
    query = _games(visible, GameFilter(points=Points.WIN)).where(found.choices >= MIN_CHOICES)
    query = query.order_by(found.given_away / found.choices, found.choices.desc(), match.id).limit(limit)
    return [FinishedGame(*row) for row in connection.execute(query)]


def _games(visible: VisibleGames, wanted: GameFilter) -> Any:
    match, seat, found = schema.match.c, schema.seat, schema.reviewed_seat
    own, other = seat.alias(), seat.alias()
    beside = (other.c.match_id == own.c.match_id) & (other.c.number != own.c.number)
    reviewed = (found.c.match_id == own.c.match_id) & (found.c.seat == own.c.number)
    cost = found.c.given_away / func.nullif(found.c.choices, 0)
    sealed = match.day.is_not(None) | match.sealed_until.is_not(None)
    facts = match.id, match.game, match.created, own.c.points, match.rated, match.day, sealed, match.record
    query = select(*facts, func.coalesce(other.c.name, ""), func.coalesce(other.c.bot, ""), cost)
    query = query.select_from(
        schema.match.join(own, own.c.match_id == match.id).outerjoin(other, beside).outerjoin(found, reviewed)
    )
    query = query.where(
        own.c.holder == visible.holder, match.status == Status.OVER, own.c.points.is_not(None)
    )
    query = query.where(match.record.is_not(None), or_(match.day.is_(None), match.day < visible.today))
    if visible.public:
        query = query.where(match.open.is_(True) | match.rated.is_(True) | match.day.is_not(None))
    if wanted.game:
        query = query.where(match.game == wanted.game)
    if wanted.points is not None:
        query = query.where(own.c.points == wanted.points)
    if wanted.against:
        query = query.where(other.c.kind == (SeatKind.BOT if wanted.against == BOTS else SeatKind.PERSON))
    if wanted.rated:
        query = query.where(match.rated.is_(True))
    return query
