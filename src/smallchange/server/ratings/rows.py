"""Ratings as rows: matches that wait to be rated, the changes by each match, and the newest ratings."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, Float, cast, delete, func, insert, select, text

from smallchange.core.glicko2 import PROVISIONAL_DEVIATION, START_RATING, Rating, after_time
from smallchange.server.database import schema
from smallchange.server.ratings.standings import (
    Board,
    RatedMatch,
    Standing,
    standings_after,
)
from smallchange.server.table.live.ports import Change, Opening
from smallchange.server.table.model import clock
from smallchange.server.table.model.history import Head, SeatRating
from smallchange.server.table.model.outcome import Points
from smallchange.server.table.storage.store import Write
from smallchange.server.web.sessions import AccountRole, AccountState

MAX_LEADERS = 50  # on a leaderboard
MAX_READ_LEADERS = 500  # of them some have not played for long, so that their ratings are uncertain again
LISTED_MATCHES = (30, 20, 10, 5)  # at least so many games has an account on a leaderboard, by its traffic
MAX_GRAPH_POINTS = 200  # the newest games of a rating on its graph
MAX_RATED_AT_ONCE = 50  # matches in one transaction, for which the moves of others wait
_PUT_UNRATED = text(
    "INSERT INTO unrated_match (match_id, at) VALUES (:id, :at) ON CONFLICT (match_id) DO NOTHING"
)
_PUT_RATING = text(
    "INSERT INTO rating (account_id, game, speed, points, deviation, volatility, at, matches) "
    "VALUES (:account_id, :game, :speed, :points, :deviation, :volatility, :at, :matches) "
    "ON CONFLICT (account_id, game, speed) DO UPDATE SET points = excluded.points, "
    "deviation = excluded.deviation, volatility = excluded.volatility, at = excluded.at, "
    "matches = excluded.matches"
)


class Leader(NamedTuple):
    """A place on a leaderboard: the name of an account, and its standing now."""

    name: str
    standing: Standing


class Leaderboard(NamedTuple):
    """The best accounts in a game at a speed, and how many rated games an account needs to be listed."""

    least_matches: int
    leaders: list[Leader]


class RatedPoint(NamedTuple):
    """A rating after a match that ended at a time in milliseconds since 1970."""

    at: int
    points: float
    deviation: float


class BoardStanding(NamedTuple):
    """The standing of an account in a game at a speed."""

    game: str
    speed: str
    standing: Standing


def put_unrated(connection: Connection, id: str, at: int) -> None:
    """Store that a rated match has ended and waits to be rated."""
    connection.execute(_PUT_UNRATED, {"id": id, "at": at})


def write_change(change: Change) -> Write | None:
    """Return what to store of a change of a table: that it has ended and waits to be rated."""
    ended = change.stage.rated_at if change.stage else None
    return (
        None if ended is None else lambda connection: put_unrated(connection, change.history.head.id, ended)
    )


def write_opening(opening: Opening) -> Write | None:
    """Return what to store of a new table: that its deal has ended it, and it waits to be rated."""
    id, ended = opening.history.head.id, opening.stage.rated_at
    return None if ended is None else lambda connection: put_unrated(connection, id, ended)


def has_unrated(connection: Connection) -> bool:
    """Return whether a match waits to be rated."""
    return connection.execute(select(schema.unrated_match.c.match_id).limit(1)).first() is not None


def rate_waiting(connection: Connection) -> list[str]:
    """Rate the matches that wait, in the order of their ends; return their ids. One process at a time may do so."""
    change = schema.rating_change
    waiting = select(schema.unrated_match.c.match_id).order_by(
        schema.unrated_match.c.at, schema.unrated_match.c.match_id
    )
    ids = list(connection.execute(waiting.limit(MAX_RATED_AT_ONCE)).scalars())
    number = int(connection.execute(select(func.max(change.c.number))).scalar() or 0)
    for id in ids:
        is_rated = connection.execute(select(change.c.seat).where(change.c.match_id == id)).first()
        match = None if is_rated else _rated_match(connection, id)
        if match is not None:
            number += 1
            _rate(connection, id, number, match)
        connection.execute(delete(schema.unrated_match).where(schema.unrated_match.c.match_id == id))
    return ids


def _rate(connection: Connection, id: str, number: int, match: RatedMatch) -> None:
    """Store both ratings after a match."""
    first, second = match.boards
    before = _find_standing(connection, first), _find_standing(connection, second)
    after = standings_after(*before, match)
    for seat, (board, old, new) in enumerate(zip(match.boards, before, after, strict=True)):
        row = {"account_id": board.account, "game": board.game, "speed": board.speed} | new.rating._asdict()
        gain = new.rating.points - old.rating.points
        by_match = {"match_id": id, "seat": seat, "number": number, "at": match.at, "gain": gain}
        connection.execute(insert(schema.rating_change), row | by_match)
        connection.execute(_PUT_RATING, row | {"at": new.at, "matches": new.matches})


def _rated_match(connection: Connection, id: str) -> RatedMatch | None:
    """Return a match as it counts, None if it counts for nobody, or if a player has no account."""
    return next(iter(_rated_matches(connection, schema.match.c.id == id).values()), None)


def _rated_matches(connection: Connection, where: Any) -> dict[int, RatedMatch]:
    """Return rated matches by the numbers of their changes, which are 0 before."""
    match, change = schema.match, schema.rating_change
    seats, accounts = (
        [schema.seat.alias(), schema.seat.alias()],
        [schema.account.alias(), schema.account.alias()],
    )
    at = func.coalesce(change.c.at, schema.unrated_match.c.at)
    roles = accounts[0].c.role, accounts[1].c.role
    facts = match.c.id, match.c.game, match.c.control, accounts[0].c.id, accounts[1].c.id
    query = select(func.coalesce(change.c.number, 0), *facts, seats[0].c.points, at, *roles)
    source: Any = match
    for i, (seat, account) in enumerate(zip(seats, accounts, strict=True)):
        source = source.join(seat, (seat.c.match_id == match.c.id) & (seat.c.number == i))
        source = source.join(account, account.c.holder == seat.c.holder)
    source = source.outerjoin(schema.unrated_match, schema.unrated_match.c.match_id == match.c.id)
    source = source.outerjoin(change, (change.c.match_id == match.c.id) & (change.c.seat == 0))
    counts = match.c.rated.is_(True) & seats[0].c.points.is_not(None)
    rows = connection.execute(query.select_from(source).where(counts, where).order_by(change.c.number)).all()
    found = {}
    for number, id, game, control, first, second, points, at, *roles_found in rows:
        match_found = RatedMatch(game, _speed(control), (first, second), points / Points.WIN, at)
        anchors = [
            _anchor(connection, id, seat, board) if role == AccountRole.HOUSE else None
            for seat, (role, board) in enumerate(zip(roles_found, match_found.boards, strict=True))
        ]
        found[number] = match_found._replace(anchors=(anchors[0], anchors[1]))
    return found


def _anchor(connection: Connection, id: str, seat: int, board: Board) -> Rating:
    """Return the fixed rating of a house bot: as it was when the match was rated, else as it is."""
    row = schema.rating_change.c
    query = select(row.points, row.deviation, row.volatility).where(row.match_id == id, row.seat == seat)
    rated = connection.execute(query).first()
    return Rating(*rated) if rated else _find_standing(connection, board).rating


def _speed(control: str) -> str:
    found = clock.read(control)
    assert found is not None, "a rated match has a time control"
    return found.speed


def _find_standing(connection: Connection, board: Board) -> Standing:
    """Return the newest standing on a board; the first one where there is none."""
    row = schema.rating.c
    of_board = (row.account_id == board.account) & (row.game == board.game) & (row.speed == board.speed)
    found = connection.execute(select(schema.rating).where(of_board)).first()
    return _read_standing(found) if found else Standing()


def _read_standing(row: Any) -> Standing:
    return Standing(Rating(row.points, row.deviation, row.volatility), row.at, row.matches)


def standings_of(connection: Connection, account_id: str) -> list[BoardStanding]:
    """Return the standings of an account, those with the most matches first."""
    row = schema.rating.c
    query = select(schema.rating).where(row.account_id == account_id)
    query = query.order_by(row.matches.desc(), row.game, row.speed)
    return [
        BoardStanding(found.game, found.speed, _read_standing(found)) for found in connection.execute(query)
    ]


def rating_in(connection: Connection, account_id: str, game: str, time: str) -> float:
    """Return the points of an account in a game at the speed of a time control; "" is none."""
    control = clock.read(time)
    standings = standings_of(connection, account_id) if control else []
    own = [one for one in standings if control and (one.game, one.speed) == (game, control.speed)]
    return own[0].standing.rating.points if own else START_RATING


def rating_history(connection: Connection, board: Board) -> list[RatedPoint]:
    """Return the newest ratings of an account on a board, the oldest of them first."""
    row = schema.rating_change.c
    query = select(row.at, row.points, row.deviation).where(
        row.account_id == board.account, row.game == board.game, row.speed == board.speed
    )
    newest = connection.execute(query.order_by(row.number.desc()).limit(MAX_GRAPH_POINTS))
    return [RatedPoint(*found) for found in newest][::-1]


def leaderboard(connection: Connection, game: str, speed: str, now: int) -> Leaderboard:
    """Return the best accounts whose rating is certain enough now, the best first, without the house bots.

    The more games are played, the more an account needs: as many as a full leaderboard of accounts has, of
    LISTED_MATCHES.
    """
    row = schema.rating.c
    counts = [func.count().filter(row.matches >= n) for n in LISTED_MATCHES]
    accounts = connection.execute(select(*counts).where(row.game == game, row.speed == speed)).one()
    least = next(
        (n for n, found in zip(LISTED_MATCHES, accounts, strict=True) if found >= MAX_LEADERS),
        LISTED_MATCHES[-1],
    )
    return Leaderboard(least, _leaders(connection, game, speed, now, least))


def _leaders(connection: Connection, game: str, speed: str, now: int, least: int) -> list[Leader]:
    row, account = schema.rating.c, schema.account.c
    query = select(account.name, schema.rating).join(schema.account, account.id == row.account_id)
    query = query.where(
        row.game == game,
        row.speed == speed,
        row.matches >= least,
        row.deviation <= PROVISIONAL_DEVIATION,
        account.state == AccountState.OPEN,
        account.role != AccountRole.HOUSE,
    )
    rows = connection.execute(query.order_by(row.points.desc(), row.account_id).limit(MAX_READ_LEADERS))
    found = []
    for one in rows:
        standing = _read_standing(one)
        rating = after_time(standing.rating, now - standing.at)
        if not rating.provisional:
            found.append(Leader(one.name, standing._replace(rating=rating)))
    return found[:MAX_LEADERS]


def seat_ratings(connection: Connection, head: Head) -> tuple[SeatRating | None, ...]:
    """Return the ratings at a rated table, by seat: after the match with their gain, before it the newest.

    A seat that is free has none. At a table without a clock nobody has one.
    """
    if head.control is None:
        return ()
    seat, account, change, rating = schema.seat, schema.account, schema.rating_change, schema.rating
    points = func.coalesce(change.c.points, rating.c.points, cast(Rating().points, Float(53)))
    deviation = func.coalesce(change.c.deviation, rating.c.deviation, cast(Rating().deviation, Float(53)))
    of_board = (rating.c.account_id == account.c.id) & (rating.c.game == schema.match.c.game)
    source = (
        seat.join(schema.match, schema.match.c.id == seat.c.match_id)
        .outerjoin(account, account.c.holder == seat.c.holder)
        .outerjoin(change, (change.c.match_id == seat.c.match_id) & (change.c.seat == seat.c.number))
        .outerjoin(rating, of_board & (rating.c.speed == head.control.speed))
    )
    query = select(account.c.id, points, deviation, change.c.gain, account.c.role).select_from(source)
    rows = connection.execute(query.where(seat.c.match_id == head.id).order_by(seat.c.number))
    return tuple(
        SeatRating(*row[1:4], row[4] == AccountRole.HOUSE, row[2] > PROVISIONAL_DEVIATION) if row[0] else None
        for row in rows
    )
