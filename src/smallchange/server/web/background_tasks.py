"""Background tasks: work that goes on after the request that began it, or that several wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import structlog

from smallchange.server.database.role import Role
from smallchange.server.web.errors import Refused

log = structlog.get_logger("tasks")


class BackgroundTasks(set["asyncio.Task[None]"]):
    """A set of running tasks. A task removes itself when it is done."""

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task."""
        task = asyncio.create_task(work)
        self.add(task)
        task.add_done_callback(self.discard)

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self:
            task.cancel()

    async def close(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        self.cancel()
        await asyncio.gather(*self, return_exceptions=True)


async def play(role: Role[Any]) -> None:
    """Play a role until it is cancelled: sweep at once as long as there was anything to do, else after its period."""
    try:
        while True:
            with log_errors(role=role.name):
                while await role.sweep():
                    await role.note_played()
                await role.note_played()
            await asyncio.sleep(role.period_s)
    finally:
        with log_errors(role=role.name):
            await role.stop()


@contextmanager
def log_errors(**context: str) -> Iterator[None]:
    """Log any error of the work in the context, and go on. Refusals of the store are logged there."""
    try:
        yield
    except Refused:
        pass
    except Exception:
        log.exception("a background task failed", **context)


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SingleFlight(dict[K, "asyncio.Task[V]"]):
    """The work under way, by its key."""

    async def do(self, key: K, work: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Return the result of the work, which is begun unless it is under way. It goes on if a caller is cancelled."""
        task = self.get(key)
        if task is None:
            task = self[key] = asyncio.create_task(work())
            task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    def _forget(self, key: K, done: asyncio.Task[V]) -> None:
        self.pop(key, None)
        if not done.cancelled():
            done.exception()  # all its callers may have gone

    async def close(self) -> None:
        """Cancel all work, and wait until it has ended."""
        running = list(self.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
