"""Group commit: one thread writes, and commits all jobs that have queued up in one transaction.

So one durable commit serves hundreds of tables. A job's future is set only after the commit. The events of a
group are inserted by one statement. Within one statement this thread runs beside the thread that plays and
draws; between two statements it waits for that thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from itertools import compress
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError

from smallchange.server.database import schema
from smallchange.server.database.opening import error_line

Job = Callable[[Connection], Any]
MAX_GROUP = 500  # jobs in one transaction
GROUP_DEADLINE_S = 2.0  # a group that takes longer is reported as unhealthy
SHUTDOWN_GRACE_S = 4.0  # for jobs that are queued when the server stops
ROW_BYTES = 200  # of a row, about, with its entries in indexes
Row = tuple[str, int, int, int, int, str | None, int, int]  # of an event, in the order of the columns

_EVENT_COLUMNS = tuple(schema.event.columns.keys())
_INSERT_INTO = f"INSERT INTO event ({', '.join(_EVENT_COLUMNS)}) SELECT "
_SQLITE = [f"json_extract(value, '$[{i}]')" for i in range(len(_EVENT_COLUMNS))]
_POSTGRESQL = [f"(value ->> {i})::{column.type}" for i, column in enumerate(schema.event.columns)]
_INSERT_NEW_EVENTS = _INSERT_INTO + ", ".join(_SQLITE) + " FROM json_each(?) WHERE true"  # all or none
_INSERT_EVENTS = {
    "sqlite": _INSERT_NEW_EVENTS + " ON CONFLICT DO NOTHING",
    "postgresql": _INSERT_INTO
    + ", ".join(_POSTGRESQL)
    + " FROM json_array_elements(%s::json) ON CONFLICT DO NOTHING",
}


class WriterStopped(RuntimeError):
    """The writer was stopped before this job was known to be committed."""


class CommitUnknown(RuntimeError):
    """The connection was lost during the commit, so it is not known whether this job is committed."""


class EventExists(RuntimeError):
    """Another process wrote one of these events."""


class Entry(NamedTuple):
    """Events in the queue, and a job to run in the same transaction. Together they write about `size` bytes."""

    key: str
    events: Sequence[Row]
    job: Job | None
    future: asyncio.Future[Any]
    size: int


class Writer:
    """A thread that takes events and jobs, and returns results after the commit.

    A job must be safe to run twice until it is committed. `key` orders a group, its events before its jobs.
    So all processes lock rows in the same order, and there is no deadlock. A job that fails is refused alone.
    If the database itself fails, the whole group is refused.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._group_errors = (
            WriterStopped,
            CommitUnknown,
            OperationalError,
            engine.dialect.loaded_dbapi.OperationalError,
        )
        self._integrity_error = engine.dialect.loaded_dbapi.IntegrityError
        self._autocommits = engine.dialect.name == "sqlite"
        self._kept: Connection | None = None
        self._jobs: queue.SimpleQueue[Entry | None] = queue.SimpleQueue()
        self._group: list[Entry] = []  # the jobs that are being written
        self._began = 0.0
        self.refused_bytes: int | None = None  # of a refused write, until as much is committed; None for none
        self._loop = asyncio.get_running_loop()
        self._closed = self._given_up = False
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(
        self, key: str, job: Job | None, events: Sequence[Row] = (), size: int = ROW_BYTES
    ) -> asyncio.Future[Any]:
        """Queue events and a job that writes about `size` bytes, and return a future.

        It gets the job's result (True without a job) once both are committed. It gets False where another
        process wrote one of the events; then nothing is stored.
        """
        if self._closed:
            raise WriterStopped
        future: asyncio.Future[Any] = self._loop.create_future()
        self._jobs.put(Entry(key, events, job, future, size + ROW_BYTES * len(events)))
        return future

    def give_up(self) -> None:
        """Refuse all jobs that are not committed yet."""
        self._closed = self._given_up = True
        left = list(self._group)
        with contextlib.suppress(queue.Empty):
            while True:
                entry = self._jobs.get_nowait()
                left += [entry] if entry else []
        self._jobs.put(None)  # the mark of `close` may be among the entries that were removed
        _settle([(entry.future, WriterStopped()) for entry in left])

    async def close(self) -> None:
        """Commit the queued jobs, then stop. Wait SHUTDOWN_GRACE_S at most."""
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join, SHUTDOWN_GRACE_S)

    @property
    def waiting(self) -> int:
        """The number of jobs queued."""
        return self._jobs.qsize()

    @property
    def is_healthy(self) -> bool:
        """Return whether no write stands refused and the current one is within its deadline."""
        late = self._group and time.monotonic() - self._began > GROUP_DEADLINE_S
        return self.refused_bytes is None and not late

    def _run(self) -> None:
        while True:
            first = self._jobs.get()
            group = [first]
            while len(group) < MAX_GROUP and group[-1] is not None:
                try:
                    group.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            self._began = time.monotonic()
            self._group = [entry for entry in group if entry and not entry.future.done()]
            if self._group:
                self._write(sorted(self._group, key=lambda entry: entry.key))
                self._group = []
            if group[-1] is None:
                self._close_kept()
                return

    def _write(self, group: list[Entry]) -> None:
        """Commit a group. If a job fails, commit each job of its group by itself."""
        parts = [group]
        while parts:
            part = parts.pop()
            size = sum(entry.size for entry in part)
            try:
                results = self._commit(part)
            except Exception as wrong:
                if isinstance(wrong, self._group_errors):
                    part, parts = sum(parts, part), []
                elif len(part) > 1:  # one of them is at fault: each for itself
                    parts = [[entry] for entry in reversed(part)]
                    continue
                exists = isinstance(wrong, EventExists)
                results = [False] if exists else [wrong] * len(part)
                if not exists:
                    self.refused_bytes = max(size, self.refused_bytes or 0)
            else:
                if self.refused_bytes is not None and size >= self.refused_bytes:
                    self.refused_bytes = None
            outcomes = [(entry.future, result) for entry, result in zip(part, results, strict=True)]
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(_settle, outcomes)

    def _commit(self, part: list[Entry]) -> list[Any]:
        """Commit a part of a group in one transaction, and return the results of its jobs."""
        if self._autocommits and not any(entry.job for entry in part):
            try:
                return self._commit_on(self._autocommitting(), part, _INSERT_NEW_EVENTS)
            except Exception as wrong:
                self._close_kept()
                if not isinstance(
                    wrong, self._integrity_error
                ):  # else find out below which event is at fault
                    raise
        with self._engine.connect() as connection:
            return self._commit_on(connection, part, _INSERT_EVENTS[connection.dialect.name])

    def _autocommitting(self) -> Connection:
        """Return a connection to SQLite, kept open, on which one statement is a transaction."""
        if self._kept is None:
            self._kept = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        return self._kept

    def _close_kept(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def _commit_on(self, connection: Connection, part: list[Entry], statement: str) -> list[Any]:
        """Commit a part of a group on this connection, its events by this statement."""
        with connection.begin() as transaction:
            # a caller that gave up while the database was silent gets nothing written any more
            waited = [not entry.future.done() for entry in part]
            events = [row for entry in compress(part, waited) for row in entry.events]
            if events and insert_events(connection, events, statement) != len(events):
                raise EventExists
            # if the events of an entry are stored, its job runs too, even if its caller has given up since
            results = [
                _run_job(entry, connection) if on else None for entry, on in zip(part, waited, strict=True)
            ]
            if self._given_up:
                raise WriterStopped
            try:
                transaction.commit()
            except DBAPIError as wrong:
                is_lost = wrong.connection_invalidated
                connection.invalidate()  # else SQLite's is used again with the transaction still open
                if is_lost:
                    raise CommitUnknown(error_line(wrong)) from wrong
                raise
        return results


def _run_job(entry: Entry, connection: Connection) -> Any:
    """Run the job, and return its result."""
    return entry.job(connection) if entry.job else True


def _settle(outcomes: list[tuple[asyncio.Future[Any], Any]]) -> None:
    """Set the futures to their results, in the event loop."""
    for future, result in outcomes:
        if future.done():
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


def insert_events(connection: Connection, rows: Sequence[Row], statement: str = "") -> int:
    """Insert the rows by one statement: those that are not stored yet, if it is not given. Return their number."""
    cursor = connection.connection.cursor()  # the driver's: a tenth of the time
    try:
        cursor.execute(
            statement or _INSERT_EVENTS[connection.dialect.name], (msgspec.json.encode(rows).decode(),)
        )
        return int(cursor.rowcount)
    finally:
        cursor.close()
