"""Retention: what a database holds, what is removed from it, and its records without names for `server dump`.

The role of the cleaner removes what nothing asks for any more. Tables that were abandoned are removed by
`smallchange server tables` alone.

A match that is over is never removed. Of the others a table is abandoned if nobody has moved there for long:

- *unstarted*: nobody has ever moved.
- *idle*: a match has begun.

A table stays while its clock runs, because the clock ends the match, and while another table that was forked from it
stays.

Records of finished matches are in the order of their seals, which says nothing of time or people and puts those of one
deal together. Anybody checks them by `smallchange check --site`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Engine, Select, and_, case, delete, func, or_, select, update

from smallchange.core import record
from smallchange.core.errors import BadRecord
from smallchange.core.match import Match
from smallchange.server.database import schema
from smallchange.server.database.opening import CannotOpen, lock_database, open_database
from smallchange.server.database.role import Role, RoleName, Tables
from smallchange.server.settings import SIGN_IN_PERIOD_S, Settings
from smallchange.server.table.model.clock import DAY_MS
from smallchange.server.table.model.events import Step, tag_of
from smallchange.server.table.model.outcome import Status
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import ErrorCode, Refused

OVER_KIND, RUNNING_KIND, UNSTARTED_KIND, IDLE_KIND = "over", "running", "unstarted", "idle"
ABANDONED_KINDS = (UNSTARTED_KIND, IDLE_KIND)
REMOVED_AT_ONCE = 200  # tables in one transaction, for which the moves of others wait
LEFTOVER_AGE_MS = DAY_MS  # of challenges and counted attempts that nothing asks for any more
READ_AGE_MS = 90 * DAY_MS  # of notifications that were read
UNREAD_AGE_MS = 365 * DAY_MS  # of those that were not
SESSION_AGE_MS = 365 * DAY_MS  # for which a session lasts from the last visit on
REPORT_AGE_MS = 365 * DAY_MS  # of reports since they were closed
CLEAN_PERIOD_MS = 3_600_000  # between two looks of the cleaner


class Age(NamedTuple):
    """The days without an event after which a table counts as abandoned: before its first move, and after it."""

    unstarted_days: int = 30
    idle_days: int = 365


class Holding(NamedTuple):
    """The number of tables of a kind, and of their events."""

    kind: str
    tables: int
    events: int


class Survey(NamedTuple):
    """The content of a database: its tables by kind, and its size."""

    holdings: list[Holding]
    size_bytes: int


class Removal(NamedTuple):
    """The numbers of things removed.

    `compacted`: the room was given back, for which no server may have an SQLite file open.
    """

    tables: int
    leftovers: int
    compacted: bool


class Cleaner(Role[Tables]):
    """Plays the role of the cleaner."""

    name = RoleName.CLEANER
    period_s = 10.0

    def __init__(self, tables: Tables, holder: str = "") -> None:
        super().__init__(tables, holder)
        self._cleaned = 0

    async def sweep(self) -> int:
        """Remove what is old, once an hour, and return how much it was."""
        now = self._tables.now()
        if 0 <= now - self._cleaned < CLEAN_PERIOD_MS:
            return 0
        removed = await self.transact(lambda c: remove_leftovers(c, now))
        self._cleaned = now
        return removed


def survey(settings: Settings, age: Age, now_ms: int) -> Survey:
    """Return what the database of these settings holds. Raise BadSetting or CannotOpen."""
    with open_database(settings) as opened, opened.connect() as connection:
        return Survey(holdings(connection, age, now_ms), size_bytes(connection))


def remove(settings: Settings, age: Age, now_ms: int) -> Removal:
    """Remove what was abandoned, and give its room back. Raise BadSetting or CannotOpen."""
    with open_database(settings) as opened:
        tables = sum(remove_abandoned(opened, age, now_ms))
        with opened.begin() as connection:
            leftovers = remove_leftovers(connection, now_ms)
        try:
            with lock_database(settings):
                compact(opened)
        except CannotOpen:  # a server has the file open, and uses the room itself
            return Removal(tables, leftovers, False)
        return Removal(tables, leftovers, True)


def holdings(connection: Connection, age: Age, now_ms: int) -> list[Holding]:
    """Count the tables of each kind."""
    tables = _tables(age, now_ms).subquery()
    query = select(tables.c.kind, func.count(), func.coalesce(func.sum(tables.c.events), 0))
    found = {
        row[0]: Holding(row[0], row[1], int(row[2]))
        for row in connection.execute(query.group_by(tables.c.kind))
    }
    kinds = (OVER_KIND, RUNNING_KIND, *ABANDONED_KINDS)
    return [found.get(kind, Holding(kind, 0, 0)) for kind in kinds]


def remove_abandoned(opened: Engine, age: Age, now_ms: int) -> Iterator[int]:
    """Remove the abandoned tables, some at a time, and yield how many. A server may use the database meanwhile."""
    with opened.connect() as connection:
        ids = _abandoned_ids(connection, age, now_ms)
    for first in range(0, len(ids), REMOVED_AT_ONCE):
        with opened.begin() as connection:
            batch = _lock(connection, ids[first : first + REMOVED_AT_ONCE])
            batch = _abandoned_ids(connection, age, now_ms, batch)  # somebody may have moved since
            _remove(connection, batch)
        yield len(batch)


def remove_leftovers(connection: Connection, now_ms: int) -> int:
    """Remove challenges, attempts, presses, notifications, sessions and reports that are old. Return their number."""
    before_ms = now_ms - LEFTOVER_AGE_MS
    bots = select(schema.account.c.id).where(schema.account.c.owner_id.is_not(None))
    session = schema.session.c
    old = (
        delete(schema.one_time_code).where(schema.one_time_code.c.at < before_ms),
        delete(schema.press).where(schema.press.c.at < before_ms),
        delete(schema.attempt).where(schema.attempt.c.period < before_ms // (1000 * SIGN_IN_PERIOD_S)),
        delete(schema.notification).where(schema.notification.c.read_at < now_ms - READ_AGE_MS),
        delete(schema.notification).where(schema.notification.c.at < now_ms - UNREAD_AGE_MS),
        delete(schema.session).where(session.seen < now_ms - SESSION_AGE_MS, session.account_id.not_in(bots)),
        delete(schema.report).where(schema.report.c.closed_at < now_ms - REPORT_AGE_MS),
    )
    return sum(connection.execute(statement).rowcount for statement in old)


def size_bytes(connection: Connection) -> int:
    """Return the size of the whole database."""
    if connection.dialect.name == "postgresql":
        return int(connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one())
    pages, size = (
        int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()) for name in ("page_count", "page_size")
    )
    return pages * size


def compact(opened: Engine) -> None:
    """Give the room of removed rows back. An SQLite file becomes smaller; nothing else may use it meanwhile."""
    with opened.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM")


def _tables(age: Age, now_ms: int, ids: Sequence[str] | None = None) -> Select[tuple[str, str, int]]:
    """Return the query of these tables, by default all: id, kind and number of events."""
    match, event, forked = schema.match.c, schema.event.c, schema.match.alias().c
    grouped = select(
        event.match_id,
        func.count().label("events"),
        func.sum(case((event.kind == tag_of(Step), 1), else_=0)).label("steps"),
        func.max(event.at).label("at"),
    ).group_by(event.match_id)
    events = (grouped if ids is None else grouped.where(event.match_id.in_(ids))).subquery()
    last_ms = func.coalesce(events.c.at, match.created)
    unmoved = func.coalesce(events.c.steps, 0) == 0
    stays = or_(
        match.id.in_(select(schema.deadlines.c.match_id)),
        match.id.in_(select(forked.parent).where(forked.parent.is_not(None))),
    )
    kind = case(
        (match.status == Status.OVER, OVER_KIND),
        (stays, RUNNING_KIND),
        (and_(unmoved, last_ms < now_ms - age.unstarted_days * DAY_MS), UNSTARTED_KIND),
        (last_ms < now_ms - age.idle_days * DAY_MS, IDLE_KIND),
        else_=RUNNING_KIND,
    )
    columns = (match.id, kind.label("kind"), func.coalesce(events.c.events, 0).label("events"))
    query = select(*columns).outerjoin_from(schema.match, events, events.c.match_id == match.id)
    return query if ids is None else query.where(match.id.in_(ids))


def _abandoned_ids(
    connection: Connection, age: Age, now_ms: int, ids: Sequence[str] | None = None
) -> Sequence[str]:
    """Return the ids of the abandoned ones of these tables, by default of all."""
    tables = _tables(age, now_ms, ids).subquery()
    return connection.execute(select(tables.c.id).where(tables.c.kind.in_(ABANDONED_KINDS))).scalars().all()


def _lock(connection: Connection, ids: Sequence[str]) -> Sequence[str]:
    """Let nobody move at these tables before the transaction ends. Return those that are there."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    rows = select(schema.match.c.id).where(schema.match.c.id.in_(ids)).order_by(schema.match.c.id)
    return connection.execute(rows.with_for_update()).scalars().all()


def _remove(connection: Connection, ids: Sequence[str]) -> None:
    """Remove these tables. A table that had one of them as its rematch has none any more."""
    about = (schema.deadlines, schema.event, schema.seat, schema.notification, schema.outgoing_message)
    for table in (*about, schema.remark, schema.mute, schema.planned_moves):
        connection.execute(delete(table).where(table.c.match_id.in_(ids)))
    match = schema.match.c
    connection.execute(update(schema.match).where(match.rematch.in_(ids)).values(rematch=None))
    connection.execute(delete(schema.match).where(match.id.in_(ids)))


class FinishedMatch(NamedTuple):
    """A finished match of a table: as it was stored, or of a day's deal, whose envelope is open by now."""

    table: str
    stored: str | None


async def site_records(store: Store, now_ms: int) -> AsyncIterator[Match | None]:
    """Yield every finished match, without names; None for one under former rules.

    Practice is left out, because its luck may have been known before. So are matches of a deal that has not closed,
    and those whose deal was chosen by its difficulty: their luck is no fair sample.
    """
    for found in await _finished_matches(store, now_ms):
        match = await _match(store, found)
        yield None if match is None else _without_names(match)


async def _finished_matches(store: Store, now_ms: int) -> list[FinishedMatch]:
    match = schema.match.c
    query = (
        select(match.id, match.record, match.day, match.sealed_until)
        .where(match.status == Status.OVER, match.record.is_not(None), match.parent.is_(None), match.proven)
        .where(match.day.is_(None) | ((match.day + 1) * DAY_MS <= now_ms))
        .where(match.sealed_until.is_(None) | (match.sealed_until <= now_ms))
        .where(match.difficulty == "")
        .order_by(match.seal, match.id)
    )
    rows = await store.read(lambda c: c.execute(query).all())
    return [
        FinishedMatch(id, text if day is None and until is None else None) for id, text, day, until in rows
    ]


async def _match(store: Store, found: FinishedMatch) -> Match | None:
    """Return the match; None if its rules have changed since."""
    if found.stored is not None:
        try:
            return record.read(found.stored)
        except BadRecord:
            return None
    try:
        history = await store.load(found.table)
    except Refused as refused:
        if refused.code != ErrorCode.RULES_CHANGED:
            raise
        return None
    assert history is not None
    history.sealed = False
    return history.record


def _without_names(match: Match) -> Match:
    """Return the match without the names of its players; their words stay, because the deal follows from them."""
    nameless = match.copy()
    nameless.seats = dict.fromkeys(match.seats, "")
    return nameless
