"""Followers: requests that wait until something with an id changes, such as a seek or a challenge."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from smallchange.server.table.live.table_service import TableService

T = TypeVar("T")
LOOK_PERIOD_S = 5.0  # between looks at something whose notice may have been lost


class Followers:
    """All requests that wait. `streams` are woken when the server stops, which `closing` says."""

    def __init__(self, tables: TableService, streams: set[asyncio.Event], closing: asyncio.Event) -> None:
        self._streams = streams
        self._closing = closing
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        tables.live.on_notice = self.wake

    async def follow(
        self, id: str, look: Callable[[], Awaitable[T]], is_over: Callable[[T], bool]
    ) -> AsyncIterator[T]:
        """Yield what `look` returns: now, every few seconds, and after every notice about the id, until it is over."""
        news = asyncio.Event()
        self._streams.add(news)
        self._waiting[id].add(news)
        try:
            while not self._closing.is_set():
                found = await look()
                yield found
                if is_over(found):
                    return
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), LOOK_PERIOD_S)
                news.clear()
        finally:
            self._streams.discard(news)
            self._waiting[id].discard(news)
            if not self._waiting[id]:
                del self._waiting[id]

    def wake(self, id: str) -> None:
        """Let those who wait for this id look again."""
        for news in self._waiting.get(id, ()):
            news.set()
