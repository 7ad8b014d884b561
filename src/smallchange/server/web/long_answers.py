"""Long answers, one at a time and with a pause after each, so that nobody's move waits for several of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

LONG_STEPS = 1000  # of a match, whose page takes several milliseconds
PAUSE_FACTOR = 3
MAX_PAUSE_S = 0.05


class LongAnswers:
    """The turns in which long answers are made.

    After each there is a pause PAUSE_FACTOR times as long as it took, but MAX_PAUSE_S at most, in which moves are
    made at their usual speed.
    """

    def __init__(self) -> None:
        self._free = asyncio.Lock()

    @asynccontextmanager
    async def turn(self, steps: int) -> AsyncIterator[None]:
        """Wait for a turn to make an answer about a match of so many steps; a short one needs none."""
        if steps < LONG_STEPS:
            yield
            return
        loop = asyncio.get_running_loop()
        await self._free.acquire()
        begun_s = loop.time()
        try:
            yield
        finally:
            pause_s = min(PAUSE_FACTOR * (loop.time() - begun_s), MAX_PAUSE_S)
            loop.call_later(pause_s, self._free.release)
