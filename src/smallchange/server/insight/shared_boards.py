"""Analysis boards that several people look at: one leads, the others follow, and point at places.

Nothing is stored: every process remembers the newest boards, and the bus tells what is shown and pointed at.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
from cachetools import LRUCache

from smallchange.server.insight.analysis_view import Point, SharedBoard
from smallchange.server.table.live.live_tables import LiveTables
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.event_stream import Waiting

MAX_BOARDS = 1000  # remembered by a process
MAX_MARK = 80  # characters of what is pointed at
MAX_POINTS = 12  # on one board
POINT_MS = 5000  # for which a point is seen


_decoder = msgspec.json.Decoder(str | Point)


class SharedBoards:
    """The boards that this process remembers, by their codes."""

    def __init__(self, live: LiveTables, waiting: Waiting) -> None:
        self._live, self._waiting = live, waiting
        self._boards: LRUCache[str, SharedBoard] = LRUCache(MAX_BOARDS)
        live.on_word = self._receive

    def look(self, code: str) -> SharedBoard:
        """Return what a board shows now."""
        board, since = self._boards.get(code) or SharedBoard(), self._live.now() - POINT_MS
        return SharedBoard(board.path, tuple(point for point in board.points if point.at > since))

    async def show(self, code: str, path: str) -> None:
        """Show all who follow a board the analysis of this path."""
        await self._live.tell(code, msgspec.json.encode(path).decode())

    async def point(self, code: str, mark: str, who: str, name: str) -> None:
        """Show all who look at a board what somebody points at. Refuse where no board is shown."""
        if code not in self._boards or len(mark) > MAX_MARK:
            raise Refused(ErrorCode.NO_PAGE)
        await self._live.tell(code, msgspec.json.encode(Point(mark, who, name, self._live.now())).decode())

    async def follow(self, code: str) -> AsyncIterator[str]:
        """Yield the version of what a board shows, now and again and again."""

        async def look() -> str:
            return self.look(code).version

        async for version in self._waiting.follow(code, look, lambda version: False):
            yield version

    def _receive(self, code: str, word: str) -> None:
        told = _decoder.decode(word)
        if isinstance(told, str):
            self._boards[code] = SharedBoard(told)
        else:
            others = [point for point in self.look(code).points if point.who != told.who]
            board = self._boards.get(code) or SharedBoard()
            self._boards[code] = SharedBoard(board.path, (*others[1 - MAX_POINTS :], told))
        self._waiting.wake(code)
