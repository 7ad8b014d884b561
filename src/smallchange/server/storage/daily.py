"""Deals of the day as rows, and what was scored with them.

An entry is a table that plays the deal of a day; its score stands at its seat (`table/outcome.py`).
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from smallchange.server.table.history import PERSON

from . import schema

_daily, _match, _seat = schema.daily.c, schema.match.c, schema.seat.c


class DailyDeal(NamedTuple):
    """A row of the table `daily`: the deal of a game on a day. `options` are JSON."""

    day: int
    game: str
    options: str
    secret: bytes
    seal: str

    @property
    def non_default_options(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        found: dict[str, Any] = json.loads(self.options)
        return found


class Entry(NamedTuple):
    """A finished table of a day: its id, its player and their name, and the score by the rules."""

    match: str
    holder: str
    name: str
    score: int


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

    Each holder has one, the first: somebody who played as a guest may have signed in to an account that had
    played already.
    """
    query = select(_match.id, _seat.holder, _seat.name, _seat.score).join(schema.seat)
    query = query.where(
        _match.day == day, _match.game == game, _seat.kind == PERSON, _seat.score.is_not(None)
    )
    first: dict[str, Entry] = {}
    for row in connection.execute(query.order_by(_match.created, _match.id)):
        first.setdefault(row.holder, Entry(*row))
    return sorted(first.values(), key=lambda entry: -entry.score)


def table_of(connection: Connection, day: int, game: str, holder: str) -> str | None:
    """Return the id of the table on which this holder plays the deal of a day: the first, if there are two."""
    query = select(_match.id).join(schema.seat)
    query = query.where(_match.day == day, _match.game == game, _seat.holder == holder)
    found: str | None = connection.execute(query.order_by(_match.created, _match.id).limit(1)).scalar()
    return found


def days_played(connection: Connection, holder: str, most: int) -> set[int]:
    """Return the newest days, at most `most`, on which this holder finished a deal of the day in time."""
    query = select(_match.day).join(schema.seat)
    query = query.where(_seat.holder == holder, _match.day.is_not(None), _seat.score.is_not(None))
    query = query.distinct().order_by(_match.day.desc()).limit(most)
    return set(connection.execute(query).scalars())


def days_with_deals(connection: Connection, before: int, most: int) -> list[int]:
    """Return the newest days before this one that somebody has played, the newest first."""
    query = select(_match.day).join(schema.seat)
    query = query.where(_match.day < before, _seat.score.is_not(None), _seat.kind == PERSON)
    query = query.group_by(_match.day).order_by(_match.day.desc()).limit(most)
    return list(connection.execute(query).scalars())
