"""The store: reads and writes tables as rows. Nothing is acknowledged before it is durable."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import structlog
from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from smallchange.core.errors import BadOption, UnknownGame
from smallchange.core.game import Game
from smallchange.server.database import schema
from smallchange.server.database.group_commit import (
    GROUP_DEADLINE_S,
    ROW_BYTES,
    SHUTDOWN_GRACE_S,
    CommitUnknown,
    Job,
    Row,
    Writer,
    WriterStopped,
    insert_events,
)
from smallchange.server.database.opening import connections, disconnect, engine, error_line, migrate
from smallchange.server.database.site_state import Site
from smallchange.server.table.model.clock import Clock
from smallchange.server.table.model.commands import Remarks
from smallchange.server.table.model.events import NOBODY, Event
from smallchange.server.table.model.history import Head, History, Seat, SeatKind
from smallchange.server.table.model.outcome import Stage, Status
from smallchange.server.table.model.plans import Plan
from smallchange.server.table.storage.clock_rows import missing_days_off, put_deadline
from smallchange.server.table.storage.plan_rows import find_plans
from smallchange.server.table.storage.rows import (
    StoredRecord,
    event_rows,
    find_remarks,
    head_from_row,
    match_row,
    seat_row,
    seats_from_rows,
    select_table,
)
from smallchange.server.web.errors import ErrorCode, Refused

T = TypeVar("T")
Write = Callable[[Connection], None]  # in the transaction of a change
PAGE_SIZE = 50  # tables in a list
LATEST_MS = 2**53  # a time that never comes
PROBE_BYTES = 20_000  # at least: a row may need a new page in each of its indexes
ANSWER_TIMEOUT_S = 10.0  # a PostgreSQL that hangs may ignore its own timeouts
NUL = "\0"  # PostgreSQL has no text with it, and a query for one is an error
log = structlog.get_logger("store")


class NewSitter(NamedTuple):
    """A person who takes a seat, in the same transaction as the event of it."""

    number: int
    seat: Seat


class TableRows(NamedTuple):
    """A new table with its first events, as it is stored, whole or not at all. `writes` are those of features."""

    head: Head
    seats: Sequence[Seat]
    events: Sequence[Event]
    stage: Stage
    clock: Clock | None = None
    writes: Sequence[Write] = ()

    @property
    def size(self) -> int:
        """The number of bytes that are written, about."""
        return ROW_BYTES * (1 + len(self.seats) + len(self.events)) + len(self.stage.record or "")


class Store:
    """One database. All writes go through one writer; reads have their own threads."""

    def __init__(self, url: str) -> None:
        self._engine = engine(url)
        self._failed = (SQLAlchemyError, self._engine.dialect.loaded_dbapi.Error)
        self._connections = connections(self._engine)
        self.site = Site()
        self.uncertain: set[str] = set()  # tables whose last change may or may not be committed

    async def open(self) -> None:
        """Migrate the database, and start the writer. Call it in the running event loop."""
        await asyncio.to_thread(migrate, self._engine)
        self._readers = ThreadPoolExecutor(2, "reader")
        self.writer = Writer(self._engine)

    def begin_shutdown(self) -> None:
        """Refuse all jobs that the database has not answered within SHUTDOWN_GRACE_S from now."""
        asyncio.get_running_loop().call_later(SHUTDOWN_GRACE_S, self._give_up)

    def _give_up(self) -> None:
        self.writer.give_up()
        for connection in list(self._connections):
            disconnect(connection)

    async def close(self) -> None:
        await self.writer.close()
        self._give_up()
        self._readers.shutdown()
        self._engine.dispose()

    async def create(self, new: TableRows, rematch_of: str | None = None) -> str:
        """Store a new table with its first events, whole or not at all, and return its id.

        If it is a rematch of a table that has a rematch already, store nothing and return the id of that
        rematch. A table of a sealed deal that is stored already stays as it is.
        """
        head = new.head

        def job(connection: Connection) -> str:
            if rematch_of is not None:
                row = schema.match.c.id == rematch_of
                free = row & schema.match.c.rematch.is_(None)
                noted = connection.execute(update(schema.match).where(free).values(rematch=head.id))
                if noted.rowcount != 1:
                    return str(connection.execute(select(schema.match.c.rematch).where(row)).scalar_one())
            if head.closes_at is not None and _is_stored(connection, head.id):
                return head.id
            insert_table(connection, new)
            return head.id

        made: str = await self.write(rematch_of or head.id, job, size=new.size)
        return made

    async def append(
        self,
        id: str,
        ply: int,
        events: Sequence[Event],
        sitter: NewSitter | None = None,
        stage: Stage | None = None,
        clock: Clock | None = None,
        writes: Sequence[Write] = (),
    ) -> bool:
        """Store the events of a table from number `ply` on, all or none, and the stage and clock that they lead to.

        `writes` of features are in the same transaction.

        Return False if another process wrote event `ply`.
        """

        def job(connection: Connection) -> bool:
            if sitter is not None:
                at = (schema.seat.c.match_id == id) & (schema.seat.c.number == sitter.number)
                connection.execute(
                    update(schema.seat).where(at).values(seat_row(id, sitter.number, sitter.seat))
                )
            if stage is not None:
                row = schema.match.c.id == id
                brought = {"status": stage.status, "record": stage.record}
                connection.execute(update(schema.match).where(row).values(brought))
                for i, (points, score) in enumerate(zip(stage.points, stage.scores, strict=True)):
                    at = (schema.seat.c.match_id == id) & (schema.seat.c.number == i)
                    connection.execute(update(schema.seat).where(at).values(points=points, score=score))
            if clock is not None:
                put_deadline(connection, id, clock, events[-1].at)
            for write in writes:
                write(connection)
            return True

        extra = sitter or stage or clock or writes
        size = ROW_BYTES + (len(stage.record or "") if stage else 0)
        done: bool = await self.write(id, job if extra else None, event_rows(id, ply, events), size)
        return done

    async def load(self, id: str) -> History | None:
        """Return a table as it stands, replayed from its rows; None if it does not exist.

        Refuse a table whose rules have changed.
        """
        if NUL in id:
            return None
        rows = await self.read(lambda c: select_table(c, id, 0))
        if rows is None:
            return None
        match, seats, events = rows
        try:
            game = Game(match.game, json.loads(match.options))
        except (UnknownGame, BadOption):
            raise Refused(ErrorCode.RULES_CHANGED, was=match.version) from None
        if game.version != match.version:
            raise Refused(ErrorCode.RULES_CHANGED, was=match.version)
        history = History(head_from_row(match, game), seats_from_rows(game, seats))
        history.rematch = match.rematch
        history.append(events)
        if len(history.seats) > 1:
            history.remarks, history.plans = await self.asides(id)
        return history

    async def asides(self, id: str) -> tuple[Remarks, dict[int, Plan]]:
        """Return what was said at a table by set phrases, and the plans of its seats."""
        return await self.read(lambda c: (find_remarks(c, id), find_plans(c, id)))

    async def load_news(self, history: History) -> tuple[list[Event], tuple[Seat, ...], str | None]:
        """Return the events, seats and rematch that other processes have written since `history`."""
        rows = await self.read(lambda c: select_table(c, history.head.id, history.ply))
        assert rows is not None
        match, seats, events = rows
        return events, seats_from_rows(history.head.game, seats), match.rematch

    async def newest_plies(self, ids: Sequence[str]) -> dict[str, tuple[int, str | None]]:
        """Return the number of events of each of these tables, and the id of its rematch."""
        match, event = schema.match.c, schema.event.c
        n = select(func.coalesce(func.max(event.ply) + 1, 0)).where(event.match_id == match.id)
        query = select(match.id, n.scalar_subquery(), match.rematch).where(match.id.in_(ids))
        return await self.read(lambda c: {r[0]: (r[1], r[2]) for r in c.execute(query)})

    async def by_code(self, code: str) -> str | None:
        """Return the id of the table with this code in its join link, which may be typed in capitals."""
        if NUL in code:
            return None
        query = select(schema.match.c.id).where(schema.match.c.code == code.lower())
        return await self.read(lambda c: c.execute(query).scalar())

    async def open_tables(self, since_ms: int, now_ms: int) -> list[str]:
        """Return the ids of the newest tables in the lobby with a free seat, opened between these times.

        Both are in milliseconds since 1970. Tables that were opened while a clock was ahead are left out.
        """
        match = schema.match.c
        query = select(match.id).where(
            match.status == Status.WAITING, match.open.is_(True), match.created.between(since_ms, now_ms)
        )
        query = query.order_by(match.created.desc(), match.id).limit(PAGE_SIZE)
        return await self.read(lambda c: list(c.execute(query).scalars()))

    async def running_tables(self, limit: int) -> list[str]:
        """Return the ids of listed or rated tables with a clock, those first whose deadline is next.

        So live games come before those by correspondence; bots have no deadline, and come last.
        """
        match, due = schema.match.c, schema.deadlines.c
        query = select(match.id).outerjoin(schema.deadlines, due.match_id == match.id)
        public = match.open.is_(True) | match.rated.is_(True)
        query = query.where(match.status == Status.PLAYING, match.control.is_not(None), public)
        query = query.order_by(due.at.is_(None), due.at, match.id).limit(limit)
        return await self.read(lambda c: list(c.execute(query).scalars()))

    async def tables_of(
        self, holder: str, page: int = 1, over: bool = True, now_ms: int = LATEST_MS
    ) -> list[str]:
        """Return the ids of a holder's tables: running ones first, then the newest.

        There are PAGE_SIZE of them, and one more if more follow. Tables that are over are left out unless
        `over`. A table that was opened while a clock was ahead of `now_ms` comes last.
        """
        match, seat = schema.match.c, schema.seat.c
        query = select(match.id).where(match.id.in_(select(seat.match_id).where(seat.holder == holder)))
        query = query if over else query.where(match.status != Status.OVER)
        query = query.order_by(
            match.status == Status.OVER, match.created > now_ms, match.created.desc(), match.id
        )
        query = query.limit(PAGE_SIZE + 1).offset(PAGE_SIZE * (page - 1))
        return await self.read(lambda c: list(c.execute(query).scalars()))

    async def results(self, holder: str) -> list[tuple[str, str | None, int, int]]:
        """Return the results of a holder's matches, counted.

        A row has the game, the bot on the other side ("" for a person, None in a game for one), the points,
        and the number of matches.
        """
        seat, other = schema.seat, schema.seat.alias()
        beside = (other.c.match_id == seat.c.match_id) & (other.c.number != seat.c.number)
        kind = (schema.match.c.game, other.c.bot, seat.c.points)
        query = select(*kind, func.count()).select_from(schema.match).join(seat).outerjoin(other, beside)
        query = query.where(seat.c.holder == holder, seat.c.points.is_not(None)).group_by(*kind)
        return await self.read(lambda c: [(*row,) for row in c.execute(query)])

    async def has_played(self, holder: str, game: str) -> bool:
        """Return whether a holder has a seat at a table of a game."""
        query = select(schema.seat.c.number).join(schema.match)
        query = query.where(schema.seat.c.holder == holder, schema.match.c.game == game).limit(1)
        return await self.read(lambda c: c.execute(query).scalar()) is not None

    async def has_finished(self, holder: str) -> bool:
        """Return whether a holder has a seat at a table that is over."""
        query = select(schema.seat.c.number).join(schema.match)
        query = query.where(schema.seat.c.holder == holder, schema.match.c.status == Status.OVER).limit(1)
        return await self.read(lambda c: c.execute(query).scalar()) is not None

    async def sealed_until(self, id: str) -> int | None:
        """Return the time until which a table is sealed, as it is stored now."""
        query = select(schema.match.c.sealed_until).where(schema.match.c.id == id)
        return await self.read(lambda c: c.execute(query).scalar())

    async def stored_record(self, id: str) -> StoredRecord | None:
        """Return the stored record of a match that has ended, even if its rules are gone; else None.

        Records of sealed deals are not among them: their envelopes were still closed.
        """
        match = schema.match.c
        query = select(match.game, match.created, match.record).where(
            match.id == id, match.record.is_not(None), match.day.is_(None), match.sealed_until.is_(None)
        )
        row = await self.read(lambda c: c.execute(query).first())
        return row and StoredRecord(*row)

    async def last_name(self, holder: str) -> str:
        """Return the name that a holder used last.

        Practice tables do not count, because they have the names of other people.
        """
        match, seat = schema.match.c, schema.seat.c
        query = select(seat.name).join(schema.match, match.id == seat.match_id)
        query = (
            query.where(seat.holder == holder, seat.name != "", match.parent.is_(None))
            .order_by(match.created.desc())
            .limit(1)
        )
        return await self.read(lambda c: c.execute(query).scalar()) or ""

    async def is_healthy(self) -> bool:
        """Return whether the database answers and can store, as much at once as it has refused last."""
        try:
            async with asyncio.timeout(GROUP_DEADLINE_S):
                if not self.writer.is_healthy:
                    size = self.writer.refused_bytes or 0
                    await self.write("", lambda c: _fill_probe(c, size), size=size)
                    await self.write("", _empty_probe)
                return await self.read(lambda c: c.execute(select(1)).scalar()) == 1
        except TimeoutError:
            log.error("the database does not answer")
            return False

    async def write(
        self, key: str, job: Job | None, events: Sequence[Row] = (), size: int = ROW_BYTES
    ) -> Any:
        """Return the result of a job, which writes about `size` bytes, once it is committed.

        Refuse it if it was not committed, or if that is not known.
        """
        try:
            result = await _within_timeout(self.writer.submit(key, job, events, size))
        except Refused:  # it took too long
            self.uncertain.add(key)
            raise
        except WriterStopped:
            raise Refused(ErrorCode.SHUTTING_DOWN) from None
        except CommitUnknown as wrong:
            log.error("lost the database while it stored", why=str(wrong))
            self.uncertain.add(key)
            raise Refused(ErrorCode.OUTCOME_UNKNOWN) from None
        except self._failed as wrong:
            log.error("could not store", why=error_line(wrong))
            raise Refused(ErrorCode.NOT_STORED) from None
        except Exception:
            log.exception("could not store")
            raise Refused(ErrorCode.NOT_STORED) from None
        self.uncertain.discard(key)  # there is one writer, so all earlier jobs are over
        return result

    async def read(self, ask: Callable[[Connection], T]) -> T:
        """Return the answer of the database to a query. Refuse if it does not answer."""

        def read() -> T:
            try:
                with self._engine.connect() as connection:
                    return ask(connection)
            except self._failed as wrong:
                log.error("could not read", why=error_line(wrong))
                raise Refused(ErrorCode.NOT_STORED) from wrong

        try:
            asked = asyncio.get_running_loop().run_in_executor(self._readers, read)
        except RuntimeError:  # the readers have ended
            raise Refused(ErrorCode.SHUTTING_DOWN) from None
        return await _within_timeout(asked)


def insert_table(connection: Connection, new: TableRows) -> None:
    """Store a new table with its first events, and the days off of its players."""
    head, seats, events, stage, clock, writes = new
    connection.execute(schema.match.insert(), match_row(head, stage.status, stage.record))
    rows = [seat_row(head.id, i, seat) for i, seat in enumerate(seats)]
    came = zip(rows, stage.points, stage.scores, strict=True)
    counted = [row | {"points": points, "score": score} for row, points, score in came]
    connection.execute(schema.seat.insert(), counted)
    if clock is not None and not any(seat.kind == SeatKind.OPEN for seat in seats):
        off = missing_days_off(connection, seats, clock, head.created)
        for event in off:
            clock = clock.after(event.moment(NOBODY if clock.running is None else clock.running))
        events = [*events, *off]
    if events:
        insert_events(connection, event_rows(head.id, 0, events))
    if clock is not None:
        put_deadline(connection, head.id, clock, events[-1].at if events else head.created)
    for write in writes:
        write(connection)


def _is_stored(connection: Connection, id: str) -> bool:
    """Return whether a table with this id exists."""
    return connection.execute(select(schema.match.c.id).where(schema.match.c.id == id)).first() is not None


def _fill_probe(connection: Connection, size: int) -> None:
    """Write `size` bytes that mean nothing, and more than finds room on pages that are there."""
    connection.execute(schema.probe.insert(), {"filling": "." * max(size, PROBE_BYTES)})


def _empty_probe(connection: Connection) -> None:
    """Remove them, in another transaction: SQLite does not write pages that are free at its end."""
    connection.execute(delete(schema.probe))


async def _within_timeout(answer: asyncio.Future[T]) -> T:
    """Return the answer of the database, or raise Refused after ANSWER_TIMEOUT_S.

    The query may have reached the database by then, so its outcome is unknown.
    """
    timeout = asyncio.get_running_loop().call_later(ANSWER_TIMEOUT_S, answer.cancel)
    try:
        return await answer
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():  # the request itself was cancelled
            raise
        log.error("the database does not answer")
        raise Refused(ErrorCode.OUTCOME_UNKNOWN) from None
    finally:
        timeout.cancel()
