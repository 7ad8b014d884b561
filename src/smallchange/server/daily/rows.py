"""Deals of the day as rows, and what was scored with them.

An entry is what somebody scored with the deal of a day. The score stands at their seat (`table/model/outcome.py`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, case, func, select, update
from sqlalchemy.exc import IntegrityError

from smallchange.server.daily.days import closing_ms, opening_ms
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


class Entry(NamedTuple):
    """A deal that somebody finished in time: the table, the player and their name, and the score.

    `has_place`: it has one in the standings, as those of accounts that are older than the day have.
    """

    match: str
    holder: str
    name: str
    score: int
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


def entries(connection: Connection, day: int, game: str) -> list[Entry]:
    """Return the entries of a day that count, the best first, then those that were begun first.

    Each holder has one, of the first table: somebody who played as a guest may have signed in to an account that had
    played already.
    """
    older = (_account.created < opening_ms(day)) & (_account.state == AccountState.OPEN)
    place = case((older, 1), else_=0).label("place")
    query = select(_match.id, _seat.holder, _seat.name, _seat.score, place)
    query = query.join_from(schema.match, schema.seat)
    query = query.outerjoin(schema.account, _account.holder == _seat.holder)
    query = query.where(_match.day == day, _match.game == game, _seat.kind == SeatKind.PERSON)
    found = dict[str, Entry | None]()
    for id, holder, name, score, has_place in connection.execute(query.order_by(_match.created, _match.id)):
        found.setdefault(holder, None if score is None else Entry(id, holder, name, score, bool(has_place)))
    return sorted(filter(None, found.values()), key=lambda entry: entry.score, reverse=True)


def best_scores(connection: Connection, day: int, games: Collection[str]) -> dict[str, int]:
    """Return the best score that somebody has reached in time with the deals of a day, by game."""
    query = select(_match.game, func.max(_seat.score)).join_from(schema.match, schema.seat)
    query = query.where(_match.day == day, _match.game.in_(games), _seat.kind == SeatKind.PERSON)
    query = query.where(_seat.score.is_not(None)).group_by(_match.game)
    return {row.game: row[1] for row in connection.execute(query)}


def table_of(connection: Connection, day: int, game: str, holder: str) -> str | None:
    """Return the table on which this holder plays the deal of a day: the first, if there are two."""
    query = select(_match.id).join_from(schema.match, schema.seat)
    query = query.where(_match.day == day, _match.game == game, _seat.holder == holder)
    return connection.execute(query.order_by(_match.created, _match.id).limit(1)).scalar()


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


def days_played(connection: Connection, holder: str, most: int) -> set[int]:
    """Return the newest days, at most `most`, on which this holder finished a deal of the day in time."""
    query = select(_match.day).join_from(schema.match, schema.seat).where(_seat.holder == holder)
    query = query.where(_match.day.is_not(None), _seat.score.is_not(None))
    return set(connection.execute(query.distinct().order_by(_match.day.desc()).limit(most)).scalars())


def days_with_deals(connection: Connection, before: int, most: int) -> list[int]:
    """Return the newest days before this one on which somebody finished a deal, the newest first."""
    query = select(_match.day).join_from(schema.match, schema.seat).where(_match.day < before)
    query = query.where(_seat.score.is_not(None), _seat.kind == SeatKind.PERSON)
    return list(connection.execute(query.distinct().order_by(_match.day.desc()).limit(most)).scalars())
