"""Events of an account, for programs: challenges, and tables that wait for it. And what the first page shows live.

A stream watches every running table of the account, so its seats are present for as long as it is open.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from smallchange.server.daily.service import DailyDeals
from smallchange.server.meeting.challenges import Challenges
from smallchange.server.meeting.rows import Challenge
from smallchange.server.table.live import table_lists
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model import command_events
from smallchange.server.table.model.history import History
from smallchange.server.table.view.table_view import OnNow
from smallchange.server.web.background_tasks import SingleFlight
from smallchange.server.web.event_stream import Waiting
from smallchange.server.web.sessions import Account

MAX_WATCHED_TABLES = 100  # by one stream; the oldest are left first


class AccountEvent(NamedTuple):
    """A challenge to an account, or else a table that waits for it to move or to answer an offer."""

    challenge: Challenge | None
    live_table: LiveTable | None = None


class AccountEvents:
    """The events of all accounts."""

    def __init__(self, tables: TableService, challenges: Challenges, waiting: Waiting) -> None:
        self._tables = tables
        self._challenges = challenges
        self._waiting = waiting

    async def follow(self, account: Account) -> AsyncIterator[list[AccountEvent]]:
        """Yield the events that wait for an account, and then new ones as they come. A list may be empty.

        A table is an event once for each ply at which it waits.
        """
        watched: dict[str, LiveTable] = {}
        known: dict[str, int] = {}  # ply by table, and 0 by challenge

        def notify() -> None:
            self._waiting.wake(account.id)

        async def look() -> list[AccountEvent]:
            await self._watch_running(account, watched, notify)
            events = []
            for challenge in await self._challenges.waiting(account):
                if challenge.challenged_id == account.id and challenge.id not in known:
                    known[challenge.id] = 0
                    events.append(AccountEvent(challenge))
            for id, live_table in watched.items():
                history = live_table.history
                if waits(history, account.holder) and known.get(id, -1) < history.ply:
                    known[id] = history.ply
                    events.append(AccountEvent(None, live_table))
            return events

        try:
            async for events in self._waiting.follow(account.id, look, lambda events: False):
                yield events
        finally:
            for live_table in watched.values():
                self._tables.live.leave(live_table, notify, live_table.history.seats_of(account.holder))

    async def _watch_running(
        self, account: Account, watched: dict[str, LiveTable], notify: Callable[[], None]
    ) -> None:
        """Watch the account's running tables; at first the newest that are over too, for a rematch may be offered."""
        over, now_ms = not watched, self._tables.now()
        found = await self._tables.store.tables_of(account.holder, over=over, now_ms=now_ms)
        new = await self._tables.live.all_current([id for id in reversed(found) if id not in watched])
        for id, live_table in new.items():
            self._tables.live.watch(live_table, notify, live_table.history.seats_of(account.holder))
            watched[id] = live_table
        for id in list(watched)[: max(0, len(watched) - MAX_WATCHED_TABLES)]:
            live_table = watched.pop(id)
            self._tables.live.leave(live_table, notify, live_table.history.seats_of(account.holder))


def waits(history: History, holder: str) -> bool:
    """Return whether a table waits for this holder to move or to answer an offer."""
    held = history.seats_of(holder)
    return history.turn in held or command_events.may_answer(history, held)


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
