"""Notifications for the pages: how many are unread, their list, and the next game that waits for a player."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from cachetools import TTLCache

from smallchange.server.accounts.service import Accounts
from smallchange.server.notifications import rows as rows
from smallchange.server.notifications.model import KINDS, ListedNotification, is_shared
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model import command_events
from smallchange.server.table.model.history import History
from smallchange.server.table.storage import deadline_rows as deadlines
from smallchange.server.table.storage.store import Store
from smallchange.server.web.account import Account
from smallchange.server.web.frame import PageContext
from smallchange.server.web.sessions import Visitor

SOON_MS = 1_800_000  # a clock that runs out before then is of a game that is played now
CACHE_S = 5.0  # for which a count may lack what another process has stored
MAX_CACHED_COUNTS = 10_000
MAX_LISTED = 100


class Notifications:
    """The notifications of all visitors. `account` is the visitor's, None for a guest."""

    def __init__(self, store: Store, tables: TableService, accounts: Accounts) -> None:
        self._store = store
        self._tables = tables
        self._accounts = accounts
        self._counts: TTLCache[str, int] = TTLCache(MAX_CACHED_COUNTS, CACHE_S)
        tables.live.on_told = self._forget

    async def unread(self, holder: str, account: Account | None) -> int:
        """Return the number of lines of unread notifications, as it was at most CACHE_S ago."""
        number = self._counts.get(holder)
        if number is not None:
            return number
        number = await self._store.read(lambda c: rows.count_unread(c, holder, muted_kinds(account)))
        self._counts[holder] = number
        return number

    async def find_waiting(self, holder: str, at: str) -> tuple[bool, History | None]:
        """Return whether a game of this player is played now, and the one that waits for a move, but for `at`."""
        until = self._tables.now() + SOON_MS
        ids = await self._store.read(lambda c: deadlines.clocked_tables(c, holder, until))
        found = await self._tables.live.all_current([id for id in ids if id != at])
        waiting = [
            table.history for table in found.values() if table.history.turn in table.history.seats_of(holder)
        ]
        return bool(ids), min(waiting, key=_deadline, default=None)

    async def newest(self, holder: str, account: Account | None) -> list[ListedNotification]:
        """Return the newest notifications, the unread ones first."""
        muted = muted_kinds(account)
        found = await self._store.read(lambda c: rows.list_notifications(c, holder, muted, MAX_LISTED))
        return rows.list_lines(found)

    async def mark_read(self, holder: str, account: Account | None, match: str | None = None) -> int:
        """Mark all notifications as read, or those of one table or tournament, and return how many are unread then."""
        if await self.unread(holder, account):
            now = self._tables.now()
            if await self._store.write(holder, lambda c: rows.mark_read(c, holder, now, match)):
                self._counts.pop(holder, None)
        return await self.unread(holder, account)

    async def on_table_page(self, live_table: LiveTable, who: Visitor, context: PageContext) -> PageContext:
        """Mark the notifications of a table as read, whose page is looked at."""
        if not who.unread:
            return context
        unread = await self.mark_read(who.holder, who.account, live_table.history.head.id)
        return replace(context, unread=unread)

    async def mute(self, account: Account, kinds: Iterable[str]) -> None:
        """Switch off these kinds of notification for an account, and all others on."""
        chosen = set(kinds)
        muted = ",".join(kind for kind in KINDS if kind in chosen)
        await self._accounts.save_settings(account, {"muted": muted})
        self._counts.pop(account.holder, None)

    async def next_waiting(self, holder: str, after: str = "") -> str | None:
        """Return the id of the next table where another person waits for this one, the longest wait first.

        `after` is the table that was looked at last: the walk goes on behind it, and begins again at its end.
        """
        ids = await self._waiting_ids(holder)
        if after in ids:
            place = ids.index(after) + 1
            ids = ids[place:] + ids[: place - 1]
        return ids[0] if ids else None

    async def _waiting_ids(self, holder: str) -> list[str]:
        owned = await self._store.tables_of(holder, over=False, now_ms=self._tables.now())
        found = await self._tables.live.all_current(owned)
        waiting = [table.history for table in found.values() if waits_for(table.history, holder)]
        waiting.sort(key=lambda history: (history.events[-1].at if history.events else 0, history.head.id))
        return [history.head.id for history in waiting]

    def _forget(self, holders: Collection[str]) -> None:
        """Drop the counts of holders whose notifications have changed."""
        for holder in holders:
            self._counts.pop(holder, None)


def _deadline(history: History) -> int:
    return (history.clock and history.clock.deadline) or 0


def waits_for(history: History, holder: str) -> bool:
    """Return whether another person at a table waits for this one to move or to answer."""
    held = history.seats_of(holder)
    if history.ending or not is_shared(history.seats):
        return False
    return history.turn in held or command_events.may_answer(history, held)


def muted_kinds(account: Account | None) -> tuple[str, ...]:
    """Return the kinds of notification that an account has switched off; a guest has switched off nothing."""
    return rows.muted_kinds(account.settings) if account else ()
