"""Deals of the day as rows, and what was scored with them.

An entry is what somebody scored with the deal of a day: at one table, or at the two of a pair. The score stands at
their seat (`table/model/outcome.py`), in a pair with the points.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, case, func, select, update
from sqlalchemy.exc import IntegrityError

from smallchange.server.daily.days import DealScore, closing_ms, opening_ms
from smallchange.server.database import schema
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.model.outcome import Status
from smallchange.server.table.model.time_control import DAY_MS, MINUTE_MS
from smallchange.server.web.account import AccountState

MAX_PUT_OFF_MS = 60 * MINUTE_MS  # by which a day closes later after an outage
_daily, _match, _seat, _account = schema.daily.c, schema.match.c, schema.seat.c, schema.account.c


class DailyDeal(NamedTuple):
    """A row of the table `daily`: the deal of a game on a day. `options` are JSON."""

    day: int
    game: str
    options: str
    secret: bytes
    seal: str


class DailyTable(NamedTuple):
    """A table on which somebody plays the deal of a day."""

    match: str
    is_over: bool


class Entry(NamedTuple):
    """A deal that somebody finished in time: the tables by seat, the player and their name, and the result.

    `has_place`: it has one in the standings, as those of accounts that are older than the day have.
    """

    matches: tuple[str, ...]
    holder: str
    name: str
    result: DealScore
    has_place: bool


def find_deal(connection: Connection, day: int, game: str) -> DailyDeal | None:
    """Return the deal of a day, if somebody has asked for it."""
    query = select(schema.daily).where(_daily.day == day, _daily.game == game)
    row = connection.execute(query).first()
    return DailyDeal(*row) if row else None


def add_deal(connection: Connection, deal: DailyDeal) -> DailyDeal:
    """Store the deal of a day unless there is one, and return the stored one."""
    with connection.begin_nested() as nested:
        try:
            connection.execute(schema.daily.insert(), deal._asdict())
        except IntegrityError:
            nested.rollback()
    found = find_deal(connection, deal.day, deal.game)
    assert found is not None
    return found


def entries(connection: Connection, day: int, game: str, seats: int) -> list[Entry]:
    """Return the entries of a day that count, the best first, then those that were begun first.

    `seats` are those of the game: a pair counts when both of its games do. Each holder has one entry, of the first
    table at each seat: somebody who played as a guest may have signed in to an account that had played already.
    """
    older = (_account.created < opening_ms(day)) & (_account.state == AccountState.OPEN)
    place = case((older, 1), else_=0).label("place")
    query = select(_match.id, _seat.holder, _seat.name, _seat.number, _seat.points, _seat.score, place)
    query = query.join_from(schema.match, schema.seat)
    query = query.outerjoin(schema.account, _account.holder == _seat.holder)
    query = query.where(_match.day == day, _match.game == game, _seat.kind == SeatKind.PERSON)
    played: dict[str, dict[int, Any]] = {}
    for row in connection.execute(query.order_by(_match.created, _match.id)):
        played.setdefault(row.holder, {}).setdefault(row.number, row)
    found = [
        _entry(rows)
        for rows in played.values()
        if len(rows) == seats and all(row.score is not None for row in rows.values())
    ]
    return sorted(found, key=lambda entry: entry.result, reverse=True)


def _entry(rows: dict[int, Any]) -> Entry:
    in_order = [rows[number] for number in sorted(rows)]
    points = sum(row.points for row in in_order) if len(in_order) > 1 else 0
    result = DealScore(points, sum(row.score for row in in_order))
    first = in_order[0]
    return Entry(tuple(row.id for row in in_order), first.holder, first.name, result, bool(first.place))


def best_scores(connection: Connection, day: int, games: Collection[str]) -> dict[str, int]:
    """Return the best score that somebody has reached in time with the deals of a day, by game."""
    query = select(_match.game, func.max(_seat.score)).join_from(schema.match, schema.seat)
    query = query.where(_match.day == day, _match.game.in_(games), _seat.kind == SeatKind.PERSON)
    query = query.where(_seat.score.is_not(None)).group_by(_match.game)
    return {row.game: row[1] for row in connection.execute(query)}


def tables_of(connection: Connection, day: int, game: str, holder: str) -> dict[int, DailyTable]:
    """Return the tables on which this holder plays the deal of a day, by seat: the first, if there are two."""
    query = select(_seat.number, _match.id, _match.status).join_from(schema.match, schema.seat)
    query = query.where(_match.day == day, _match.game == game, _seat.holder == holder)
    found: dict[int, DailyTable] = {}
    for number, id, status in connection.execute(query.order_by(_match.created, _match.id)):
        found.setdefault(number, DailyTable(id, status == Status.OVER))
    return found


def put_off(connection: Connection, since: int, now: int) -> list[str]:
    """Put off the end of the days that fell into an outage, where a game goes on; return their tables."""
    changed = list[str]()
    until = func.coalesce(_match.sealed_until, (_match.day + 1) * DAY_MS)
    missed = (until > since) & (until <= now)
    goes_on = select(_match.day, until).join_from(schema.match, schema.seat)
    goes_on = goes_on.where(missed, _match.status == Status.PLAYING, _seat.kind == SeatKind.PERSON)
    for day, closes_at in connection.execute(goes_on.distinct()).all():
        new = min(closes_at + now - since, now + MAX_PUT_OFF_MS)
        connection.execute(update(schema.match).where(_match.day == day).values(sealed_until=new))
        changed += connection.execute(select(_match.id).where(_match.day == day)).scalars()
    return changed


def closing_ms_of(connection: Connection, day: int) -> int:
    """Return when a day closes or has closed, which an outage may have put off."""
    put_off_to = select(func.max(_match.sealed_until)).where(_match.day == day)
    return int(connection.execute(put_off_to).scalar() or closing_ms(day))


def days_played(connection: Connection, holder: str, pairs: Collection[str], most: int) -> set[int]:
    """Return the newest days, at most `most`, on which this holder finished a deal of the day in time.

    `pairs` are the games that are played from both sides.
    """
    query = select(_match.day).join_from(schema.match, schema.seat).where(_seat.holder == holder)
    query = query.where(_match.day.is_not(None), _seat.score.is_not(None)).group_by(_match.day, _match.game)
    query = query.having(_is_whole(pairs)).distinct().order_by(_match.day.desc()).limit(most)
    return set(connection.execute(query).scalars())


def days_with_deals(connection: Connection, before: int, pairs: Collection[str], most: int) -> list[int]:
    """Return the newest days before this one on which somebody finished a deal, the newest first."""
    query = select(_match.day).join_from(schema.match, schema.seat).where(_match.day < before)
    query = query.where(_seat.score.is_not(None), _seat.kind == SeatKind.PERSON)
    query = query.group_by(_match.day, _match.game, _seat.holder).having(_is_whole(pairs))
    query = query.distinct().order_by(_match.day.desc()).limit(most)
    return list(connection.execute(query).scalars())


def _is_whole(pairs: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that every seat of the game was played."""
    return func.count(_seat.number.distinct()) == case((_match.game.in_(pairs), 2), else_=1)
