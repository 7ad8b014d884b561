"""The one thread that writes. It commits whatever has queued up in one transaction, so that a durable commit
costs hundreds of tables together what it costs one; who asked is told only after the commit."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Engine

Job = Callable[[Connection], Any]
GROUP = 500  # the most jobs in one transaction


class Stopped(RuntimeError):
    """The writer was stopped before this job was committed; nothing was changed."""


class Writer:
    """Jobs in, results out after the commit. A job must be safe to run twice until it is committed, and must
    leave nothing behind when it returns False (it does so by `ON CONFLICT DO NOTHING`).

    `key` orders the jobs of a group: all processes lock rows in the same order, so none waits in a circle.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: queue.SimpleQueue[tuple[str, Job, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(self, key: str, job: Job) -> asyncio.Future[Any]:
        """The job's result, once it is committed."""
        if self._closed:
            raise Stopped("the server is stopping; nothing was changed")
        future: asyncio.Future[Any] = self._loop.create_future()
        self._jobs.put((key, job, future))
        return future

    async def close(self) -> None:
        """Commit what is queued, then stop."""
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    @property
    def waiting(self) -> int:
        """How many jobs are queued."""
        return self._jobs.qsize()

    def _run(self) -> None:
        while True:
            first = self._jobs.get()
            group = [first]
            while len(group) < GROUP and group[-1] is not None:
                try:
                    group.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            jobs = [job for job in group if job is not None]
            if jobs:
                self._write(jobs)
            if group[-1] is None:
                return

    def _write(self, group: list[tuple[str, Job, asyncio.Future[Any]]]) -> None:
        group.sort(key=lambda entry: entry[0])
        try:
            with self._engine.begin() as connection:
                results = [job(connection) for _, job, _ in group]
        except Exception as wrong:
            if len(group) == 1:
                self._tell([(group[0][2], wrong)])
                return
            for entry in group:  # one of them is at fault: each for itself
                self._write([entry])
            return
        self._tell([(future, result) for (_, _, future), result in zip(group, results, strict=True)])

    def _tell(self, told: list[tuple[asyncio.Future[Any], Any]]) -> None:
        self._loop.call_soon_threadsafe(_settle, told)


def _settle(told: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in told:
        if future.done():
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
