"""The signs of life on the first page: a running game, and the best results of the day so far."""

from __future__ import annotations

from smallchange.server.daily.service import DailyDeals
from smallchange.server.table.live import table_lists
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.view.table_view import OnNow
from smallchange.server.web.background_tasks import SingleFlight

FRESH_MS = 2000  # for which everybody is shown the same


class SignsOfLife:
    """The signs of life, read for all visitors together."""

    def __init__(self, tables: TableService, daily: DailyDeals) -> None:
        self._tables, self._daily = tables, daily
        self._found, self._at = OnNow(), 0
        self._reading = SingleFlight[str, None]()

    async def read(self) -> OnNow:
        """Return the running game and the best results of the day, at most FRESH_MS old."""
        if abs(self._tables.now() - self._at) > FRESH_MS:
            await self._reading.do("", self._read)
        return self._found

    async def _read(self) -> None:
        running = await table_lists.watchable(self._tables)
        best = await self._daily.best_today()
        self._found, self._at = OnNow(running[0] if running else None, tuple(best)), self._tables.now()
