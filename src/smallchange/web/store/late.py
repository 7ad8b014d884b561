"""Nobody waits for the database without end: a PostgreSQL that hangs lets even its own timeouts pass."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import structlog

from smallchange.web.refused import Refused

SLOW = 10.0  # seconds
T = TypeVar("T")
log = structlog.get_logger("store")


async def in_time(answer: asyncio.Future[T]) -> T:
    """What the database answers; Refused if it takes too long. Then it is not asked any more, unless it has
    been: so nobody knows what came of it."""
    late = asyncio.get_running_loop().call_later(SLOW, answer.cancel)
    try:
        return await answer
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():  # it is who asked that is ended
            raise
        log.error("the database does not answer")
        raise Refused("late") from None
    finally:
        late.cancel()
