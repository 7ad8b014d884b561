"""Work that goes on beside whoever asked for it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import structlog

from .refused import Refused

log = structlog.get_logger("tasks")


class Tasks(set["asyncio.Task[None]"]):
    """What is being done; each leaves when it is."""

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.add(task)
        task.add_done_callback(self.discard)

    def cancel(self) -> None:
        for task in self:
            task.cancel()

    async def close(self) -> None:
        self.cancel()
        await asyncio.gather(*self, return_exceptions=True)


@contextmanager
def logged(**where: str) -> Iterator[None]:
    """What fails here is logged and stops nothing else; the store has logged what it refuses."""
    try:
        yield
    except Refused:
        pass
    except Exception:
        log.exception("could not look after a table", **where)
