"""Nobody waits for the database without end: a PostgreSQL that hangs lets even its own timeouts pass."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

import structlog

from smallchange.web.refused import Refused

SLOW = 10.0  # seconds
T = TypeVar("T")
log = structlog.get_logger("store")


async def in_time(answer: Awaitable[T]) -> T:
    """What the database answers; Refused if it takes too long. Then it is not asked any more, unless it has
    been: so nobody knows what came of it."""
    try:
        async with asyncio.timeout(SLOW):
            return await answer
    except TimeoutError:
        log.error("the database does not answer")
        raise Refused("late") from None
