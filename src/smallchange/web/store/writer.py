"""The one thread that writes. It commits whatever has queued up in one transaction, so that a durable commit
costs hundreds of tables together what it costs one; who asked is told only after the commit.

The events of all of them are inserted by one statement: between two statements this thread waits for the
thread that plays and draws, while inside one both go on."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from itertools import compress
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError

from .engine import why
from .events import Row, insert

Job = Callable[[Connection], Any]
GROUP = 500  # the most jobs in one transaction
LATE = 2.0  # seconds after which a group is late
LAST = 4.0  # seconds for what is queued when the server stops


class Stopped(RuntimeError):
    """The writer was stopped before it was known whether this job is committed."""


class Unsure(RuntimeError):
    """The line to the database ended at the commit: nobody knows whether this job is committed."""


class Taken(RuntimeError):
    """Somebody else wrote one of these events."""


class Entry(NamedTuple):
    """Events in the queue, and what else is to be done with them."""

    key: str
    events: Sequence[Row]
    job: Job | None
    future: asyncio.Future[Any]


class Writer:
    """Events and jobs in, results out after the commit. A job must be safe to run twice until it is
    committed.

    `key` orders a group, its events before its jobs: all processes lock rows in the same order, so none waits
    in a circle. What fails is refused alone; where the database itself fails, the whole group is.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._for_all = (Stopped, Unsure, OperationalError, engine.dialect.loaded_dbapi.OperationalError)
        self._jobs: queue.SimpleQueue[Entry | None] = queue.SimpleQueue()
        self._group: list[Entry] = []  # what is being written
        self._began = 0.0
        self._failed = False  # the last write
        self._loop = asyncio.get_running_loop()
        self._closed = self._given_up = False
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(self, key: str, job: Job | None, events: Sequence[Row] = ()) -> asyncio.Future[Any]:
        """The job's result, once it is committed, True without one; False, and nothing done, where somebody
        else wrote one of the events."""
        if self._closed:
            raise Stopped
        future: asyncio.Future[Any] = self._loop.create_future()
        self._jobs.put(Entry(key, events, job, future))
        return future

    def give_up(self) -> None:
        """Refuse whatever is not committed yet."""
        self._closed = self._given_up = True
        left = list(self._group)
        with contextlib.suppress(queue.Empty):
            while True:
                entry = self._jobs.get_nowait()
                left += [entry] if entry else []
        self._jobs.put(None)  # what `close` put there may be among what was taken
        _settle([(entry.future, Stopped()) for entry in left])

    async def close(self) -> None:
        """Commit what is queued, then stop; a database that does not answer is not waited for."""
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join, LAST)

    @property
    def waiting(self) -> int:
        """How many jobs are queued."""
        return self._jobs.qsize()

    @property
    def well(self) -> bool:
        """Was the last write committed, and is the one in hand not late?"""
        return not self._failed and not (self._group and time.monotonic() - self._began > LATE)

    def _run(self) -> None:
        while True:
            first = self._jobs.get()
            group = [first]
            while len(group) < GROUP and group[-1] is not None:
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
                return

    def _write(self, group: list[Entry]) -> None:
        parts = [group]
        while parts:
            part = parts.pop()
            try:
                results = self._committed(part)
            except Exception as wrong:
                if isinstance(wrong, self._for_all):
                    part, parts = sum(parts, part), []
                elif len(part) > 1:  # one of them is at fault: each for itself
                    parts = [[entry] for entry in reversed(part)]
                    continue
                taken = isinstance(wrong, Taken)
                results = [False] if taken else [wrong] * len(part)
                self._failed = not taken
            else:
                self._failed = False
            told = [(entry.future, result) for entry, result in zip(part, results, strict=True)]
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                self._loop.call_soon_threadsafe(_settle, told)

    def _committed(self, part: list[Entry]) -> list[Any]:
        with self._engine.connect() as connection, connection.begin() as transaction:
            # nothing is done any more for who has given up while the database was silent
            waited = [not entry.future.done() for entry in part]
            events = [row for entry in compress(part, waited) for row in entry.events]
            if events and insert(connection, events) != len(events):
                raise Taken
            # whose events are stored has all the rest done, even who has given up meanwhile
            results = [
                _done(entry, connection) if on else None for entry, on in zip(part, waited, strict=True)
            ]
            if self._given_up:
                raise Stopped
            try:
                transaction.commit()
            except DBAPIError as wrong:
                if wrong.connection_invalidated:
                    raise Unsure(why(wrong)) from wrong
                raise
        return results


def _done(entry: Entry, connection: Connection) -> Any:
    """What comes of a job."""
    return entry.job(connection) if entry.job else True


def _settle(told: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in told:
        if future.done():
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
