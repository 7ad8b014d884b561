"""Suspicions: what players from one network did, computed when a keeper asks. Nothing follows from it by itself."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, func, select

from smallchange.server.database import schema
from smallchange.server.table.model.events import Step, tag_of
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.model.time_control import DAY_MS

DAYS = 7  # of deals that are looked at
MAX_LISTED = 50
MIN_SHARED = 0.75  # of the steps of a deal that two players took alike
_account, _sighting = schema.account, schema.sighting


class SharedNetwork(NamedTuple):
    """Two accounts that came from one network, and their rated games: how many the first one won."""

    first: str
    second: str
    games: int
    won: int


class RepeatedDeal(NamedTuple):
    """A deal of the day or of a league that two players from one network played alike, the first one first.

    A guest has no name.
    """

    day: int
    game: str
    first: str
    second: str
    match: str


def shared_networks(connection: Connection) -> list[SharedNetwork]:
    """Return the pairs of accounts from one network that played rated games with each other, the most games first."""
    one, two = schema.rating_change.alias(), schema.rating_change.alias()
    first, second = _account.alias(), _account.alias()
    here, there = _sighting.alias(), _sighting.alias()
    same = select(here.c.network).where(
        here.c.holder == first.c.holder, there.c.holder == second.c.holder, here.c.network == there.c.network
    )
    won = func.sum(case((one.c.gain > 0, 1), else_=0))
    source = one.join(two, (two.c.match_id == one.c.match_id) & (one.c.account_id < two.c.account_id))
    source = source.join(first, first.c.id == one.c.account_id).join(second, second.c.id == two.c.account_id)
    query = select(first.c.name, second.c.name, func.count().label("games"), won).select_from(source)
    query = query.where(same.exists()).group_by(first.c.id, first.c.name, second.c.id, second.c.name)
    query = query.order_by(func.count().desc(), first.c.name, second.c.name).limit(MAX_LISTED)
    return [SharedNetwork(*row) for row in connection.execute(query)]


def repeated_deals(connection: Connection, today: int) -> list[RepeatedDeal]:
    """Return the deals of the last days that two players from one network played alike, the newest first."""
    match, seat, play = schema.match.c, schema.seat.c, schema.league_play.c
    query = select(
        *(match.id, match.day, match.game, match.created, play.tournament_id, play.round),
        *(seat.holder, seat.number, _account.c.name, _sighting.c.network),
    )
    query = query.join_from(schema.match, schema.seat).join(_sighting, _sighting.c.holder == seat.holder)
    query = query.outerjoin(_account, _account.c.holder == seat.holder)
    query = query.outerjoin(schema.league_play, play.match_id == match.id)
    is_of_league = play.round.is_not(None) & (match.created >= (today - DAYS + 1) * DAY_MS)
    query = query.where((match.day > today - DAYS) | is_of_league)
    query = query.where(seat.kind == SeatKind.PERSON, seat.score.is_not(None))
    groups = defaultdict[tuple[object, ...], list[Any]](list)
    for row in connection.execute(query.order_by(match.created, match.id)):
        groups[row.day, row.tournament_id, row.round, row.game, row.number, row.network].append(row)
    found = dict[tuple[str, str], RepeatedDeal]()
    for rows in groups.values():
        lines = {row.id: _line(connection, row.id) for row in rows} if len(rows) > 1 else {}
        for one, other in combinations(rows, 2):
            if other.name and one.holder != other.holder and _is_alike(lines[one.id], lines[other.id]):
                day = other.created // DAY_MS if other.day is None else other.day
                found[one.id, other.id] = RepeatedDeal(day, other.game, one.name or "", other.name, other.id)
    return sorted(found.values(), reverse=True)[:MAX_LISTED]


def _line(connection: Connection, id: str) -> list[int]:
    """Return the actions of the steps of a table."""
    event = schema.event.c
    query = select(event.action).where(event.match_id == id, event.kind == tag_of(Step)).order_by(event.ply)
    return list(connection.execute(query).scalars())


def _is_alike(one: list[int], other: list[int]) -> bool:
    """Return whether two lines begin alike, and go on so for most of the longer one.

    >>> _is_alike([1, 2, 3, 4], [1, 2, 3, 5]), _is_alike([1, 2, 3, 4], [1, 3, 2, 4])
    (True, False)
    """
    pairs = enumerate(zip(one, other, strict=False))
    alike = next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
    return alike >= MIN_SHARED * max(len(one), len(other), 1)
