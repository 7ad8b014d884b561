"""The services that pages, forms, calls and sockets of tables need, whatever other features there are."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence

from smallchange.server.settings import Settings
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.hints import Hints
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model.commands import Command, word_of
from smallchange.server.web.errors import Refused
from smallchange.server.web.frame import PageContext
from smallchange.server.web.metrics import DONE
from smallchange.server.web.services import SharedServices
from smallchange.server.web.sessions import Visitor

OnTablePage = Callable[[LiveTable, Visitor, PageContext], Awaitable[PageContext]]


class TableServices(SharedServices):
    """The tables and their hints. `on_table_page` are features that add to the context of a table's page."""

    on_table_page: Sequence[OnTablePage] = ()

    def __init__(self, settings: Settings, tables: TableService, bots: BotWorkers) -> None:
        super().__init__(settings)
        self.tables = tables
        self.site = tables.store.site
        self.hints = Hints(bots, tables.live, self.limits)
        gauge = self.metrics.add_gauge
        gauge("tables_watched", "Tables with a subscription", lambda: tables.live.watched_count)
        gauge("writes_waiting", "Jobs queued for the writer", lambda: tables.store.writer.waiting)

    async def execute(self, holder: str, command: Command, lag_ms: int = 0) -> int:
        """Execute a command, and measure it. Return the ply of its event.

        `lag_ms` is the delay of the sender's network.
        """
        began = time.perf_counter()
        outcome = "fault"
        try:
            ply = await self.tables.submit(holder, command, lag_ms)
            outcome = DONE
            return ply
        except Refused as refused:
            outcome = refused.code
            raise
        finally:
            self.metrics.count_command(word_of(type(command)), outcome, time.perf_counter() - began)

    async def announce_shutdown(self) -> None:
        self.tables.store.begin_shutdown()
        await super().announce_shutdown()
