"""The odds of all moves of a position, for the analysis board: worked out once, with low priority, and kept a while."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from smallchange.bots.analysis import MoveOdds
from smallchange.core.game import Position
from smallchange.server.table.bot_workers import BotWorkers
from smallchange.server.web.background_tasks import BackgroundTasks
from smallchange.server.web.errors import Refused

MAX_POSITIONS_KEPT = 512
SHORT_WAIT_S = 0.7  # for which an answer is waited for, before the page says that it takes longer

Key = tuple[object, str]


class Analyses:
    """The last positions that were analysed, and those that are being analysed."""

    def __init__(self, bots: BotWorkers) -> None:
        self._bots = bots
        self._found: OrderedDict[Key, list[MoveOdds]] = OrderedDict()
        self._running: dict[Key, asyncio.Event] = {}
        self._tasks = BackgroundTasks()

    def is_known(self, position: Position) -> bool:
        """Return whether the odds are there, or are being worked out."""
        return _key(position) in self._found or _key(position) in self._running

    async def moves(self, position: Position) -> list[MoveOdds] | None:
        """Return the odds of all moves, best first; None if they take longer than a short wait, or failed."""
        key = _key(position)
        if key not in self._found:
            if key not in self._running:
                self._running[key] = asyncio.Event()
                self._tasks.begin(self._work(key, position))
            try:
                async with asyncio.timeout(SHORT_WAIT_S):
                    await self._running[key].wait()
            except TimeoutError:
                return None
        return self._found.get(key)

    async def _work(self, key: Key, position: Position) -> None:
        try:
            self._found[key] = await self._bots.survey(position)
        except Refused:
            return
        finally:
            self._running.pop(key).set()
        while len(self._found) > MAX_POSITIONS_KEPT:
            self._found.popitem(last=False)

    async def close(self) -> None:
        await self._tasks.close()


def _key(position: Position) -> Key:
    return position.game, str(position)
