"""Work that several may ask for at once, and that is done once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SingleFlight(dict[K, "asyncio.Task[V]"]):
    """The work under way, by its key."""

    async def do(self, key: K, work: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Return the result of the work, which is begun unless it is under way. It goes on if a caller is cancelled."""
        task = self.get(key)
        if task is None:
            task = self[key] = asyncio.create_task(work())
            task.add_done_callback(lambda _: self.pop(key, None))
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Cancel all work, and wait until it has ended."""
        running = list(self.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
