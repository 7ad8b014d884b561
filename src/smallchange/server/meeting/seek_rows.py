"""Seeks as rows: people who look for a game, one row for an account."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update

from smallchange.server.database import schema
from smallchange.server.meeting.meeting_rows import find_meetings
from smallchange.server.meeting.pairing import Seek
from smallchange.server.table.model import time_control
from smallchange.server.table.model.new_tables import Wish
from smallchange.server.web.account import Account

ABSENT_MS = 30_000  # without a sign of its page, after which a seek of a live game stands still
MAX_SOUGHT_SEEKS = 200  # the newest, whose wishes are listed
KEPT_MS = 60 * 60_000  # for which a seek that is over still leads to its match

_seek = schema.seek.c


class StoredSeek(NamedTuple):
    """A row of the table `seek`. `match` is the match that it led to, None while it waits."""

    id: str
    account_id: str
    wishes: tuple[Wish, ...]
    rated: bool
    since: int
    until: int
    seen: int
    match: str | None


class SoughtWish(NamedTuple):
    """A wish that other people wait for, and their number."""

    wish: Wish
    rated: bool
    people: int


class WaitingSeek(NamedTuple):
    """A seek that can be paired, and its account."""

    seek: Seek
    account: Account


def put_seek(connection: Connection, new: StoredSeek) -> None:
    """Store a seek in place of any other of its account."""
    connection.execute(delete(schema.seek).where(_seek.account_id == new.account_id))
    row = new._asdict() | {"wishes": json.dumps(new.wishes), "match_id": new.match}
    del row["match"]
    connection.execute(insert(schema.seek), row)


def seek_of(connection: Connection, account_id: str, lock: bool = False) -> StoredSeek | None:
    """Return the seek of an account. `lock`: nobody else changes it before the transaction ends."""
    query = select(schema.seek).where(_seek.account_id == account_id)
    return _read(connection.execute(query.with_for_update() if lock else query).first())


def remove_seek(connection: Connection, account_id: str) -> bool:
    """Remove the seek of an account, unless it was paired. Return whether there was one."""
    waiting = (_seek.account_id == account_id) & _seek.match_id.is_(None)
    return connection.execute(delete(schema.seek).where(waiting)).rowcount == 1


def note_seen(connection: Connection, id: str, now: int) -> None:
    """Store that the page of a seek is there."""
    connection.execute(update(schema.seek).where(_seek.id == id).values(seen=now))


def has_waiting(connection: Connection) -> bool:
    """Return whether there is more than one seek that waits."""
    waiting = select(_seek.id).where(_seek.match_id.is_(None)).limit(2)
    return len(connection.execute(waiting).all()) == 2


def count_waiting(connection: Connection, now: int) -> int:
    """Return the number of seeks that wait."""
    query = select(func.count()).select_from(schema.seek).where(_seek.match_id.is_(None), _seek.until > now)
    return int(connection.execute(query).scalar_one())


def remove_old(connection: Connection, now: int) -> None:
    """Remove the seeks that have lapsed."""
    lapsed = and_(_seek.match_id.is_(None), _seek.until <= now)
    connection.execute(delete(schema.seek).where(or_(lapsed, _seek.until <= now - KEPT_MS)))


def waiting_seeks(connection: Connection, now: int) -> list[WaitingSeek]:
    """Return the seeks that can be paired now, the oldest first, and let nobody else change them meanwhile.

    Of a seek whose page has gone only the games by correspondence count.
    """
    query = select(schema.seek).where(_seek.match_id.is_(None), _seek.until > now)
    query = query.order_by(_seek.since, _seek.id).with_for_update(skip_locked=True)
    stored = [found for row in connection.execute(query) if (found := _read(row))]
    of_account = schema.account.c.id.in_([one.account_id for one in stored])
    rows = connection.execute(select(schema.account).where(of_account))
    accounts = {row.id: Account(**{name: getattr(row, name) for name in Account._fields}) for row in rows}
    points = _points(connection, list(accounts))
    waiting = []
    for one in stored:
        wishes = _open_wishes(one, now)
        seek = Seek(one.id, one.account_id, wishes, one.rated, one.since, points[one.account_id])
        waiting.append(WaitingSeek(seek, accounts[one.account_id]))
    return waiting


def sought_wishes(connection: Connection, account_id: str | None, now: int) -> list[SoughtWish]:
    """Return what other people look for whom this account, if any, may meet: what most wish first."""
    query = select(schema.seek).where(_seek.match_id.is_(None), _seek.until > now)
    query = query.order_by(_seek.since.desc(), _seek.id).limit(MAX_SOUGHT_SEEKS)
    stored = [found for row in connection.execute(query) if (found := _read(row))]
    if account_id is not None:
        stored = [one for one in stored if one.account_id != account_id]
        bars = find_meetings(connection, [account_id, *(one.account_id for one in stored)], quick=True)
        stored = [one for one in stored if bars.may_meet(account_id, one.account_id)]
    counts = Counter((wish, one.rated) for one in stored for wish in _open_wishes(one, now))
    order = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    return [SoughtWish(wish, rated, people) for (wish, rated), people in order]


def _open_wishes(one: StoredSeek, now: int) -> tuple[Wish, ...]:
    """Return the wishes that can be fulfilled now: of a seek whose page has gone, the games by correspondence."""
    present = now - one.seen <= ABSENT_MS
    return tuple(wish for wish in one.wishes if present or not _is_live(wish))


def set_match(connection: Connection, ids: Sequence[str], match: str) -> None:
    """Store that these seeks led to a match."""
    connection.execute(update(schema.seek).where(_seek.id.in_(ids)).values(match_id=match))


def _points(connection: Connection, accounts: Sequence[str]) -> dict[str, dict[tuple[str, str], float]]:
    """Return the ratings of these accounts in points, by game and speed."""
    rating = schema.rating.c
    query = select(rating.account_id, rating.game, rating.speed, rating.points)
    found: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
    for row in connection.execute(query.where(rating.account_id.in_(accounts))):
        found[row.account_id][row.game, row.speed] = row.points
    return found


def _is_live(wish: Wish) -> bool:
    control = time_control.read(wish.time)
    return control is not None and control.live


def _read(row: Any) -> StoredSeek | None:
    if row is None:
        return None
    wishes = tuple(Wish(*one) for one in json.loads(row.wishes))
    return StoredSeek(row.id, row.account_id, wishes, row.rated, row.since, row.until, row.seen, row.match_id)
