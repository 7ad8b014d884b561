"""Seeks: somebody with an account looks for an opponent, in several games and at several speeds at once.

A seek is a row, so it lasts though the page closes: for a live game until shortly after, for one by correspondence for
days. `pairing_worker.py` pairs the seeks.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection

from sqlalchemy import Connection

from smallchange.server.meeting import seek_rows as rows
from smallchange.server.meeting.followers import Followers
from smallchange.server.meeting.seek_rows import SoughtWish, StoredSeek
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model import new_tables, time_control
from smallchange.server.table.model.new_tables import Wish
from smallchange.server.table.model.time_control import DAY_MS, MINUTE_MS
from smallchange.server.web.account import Account
from smallchange.server.web.errors import ErrorCode, Refused

MAX_WISHES = 40
MAX_SOUGHT = 12  # wishes of others in a list
LIVE_SEEK_MS = 60 * MINUTE_MS
SLOW_SEEK_MS = 7 * DAY_MS
TOUCH_PERIOD_MS = 5_000  # between notes that the page of a seek is there


class Seeks:
    """The seeks of all accounts."""

    def __init__(self, tables: TableService, followers: Followers) -> None:
        self._tables = tables
        self._followers = followers

    async def begin(self, account: Account, wishes: Collection[Wish], rated: bool) -> StoredSeek:
        """Look for an opponent, in place of any earlier seek. Refuse wishes that nobody can fulfil."""
        self._tables.openings.refuse_while_draining()
        if not 1 <= len(wishes) <= MAX_WISHES:
            raise Refused(ErrorCode.BAD_MESSAGE, why=f"there must be 1 to {MAX_WISHES} wishes")
        for wish in wishes:
            new_tables.check_wish(wish)
        now = self._tables.now()
        lasts = LIVE_SEEK_MS if all(map(_is_live, wishes)) else SLOW_SEEK_MS
        id = new_tables.random_id(12)
        seek = StoredSeek(id, account.id, tuple(wishes), rated, now, now + lasts, now, None)
        await self._tables.store.write("seek", lambda c: rows.put_seek(c, seek))
        return seek

    async def of(self, account: Account) -> StoredSeek | None:
        """Return the seek of an account as it stands, and note that its page is there; None if there is none."""
        now = self._tables.now()
        seek = await self._tables.store.read(lambda c: rows.seek_of(c, account.id))
        if seek is None or (seek.match is None and seek.until <= now):
            return None
        if seek.match is None and now - seek.seen >= TOUCH_PERIOD_MS:
            await self._tables.store.write("seek", lambda c: rows.note_seen(c, seek.id, now))
        return seek

    async def withdraw(self, account: Account) -> None:
        """Look for nobody any more."""

        def job(connection: Connection) -> bool:
            return rows.remove_seek(connection, account.id)

        await self._tables.store.write("seek", job)

    async def wishes_of_others(self, account: Account | None) -> list[SoughtWish]:
        """Return what others look for, what most wish first."""
        now = self._tables.now()
        id = account.id if account else None
        found = await self._tables.store.read(lambda c: rows.sought_wishes(c, id, now))
        return found[:MAX_SOUGHT]

    async def count(self) -> int:
        """Return how many people look for a game."""
        now = self._tables.now()
        return await self._tables.store.read(lambda c: rows.count_waiting(c, now))

    def follow(self, account: Account, id: str) -> AsyncIterator[StoredSeek | None]:
        """Yield a seek now, every few seconds, and as soon as it is paired; last None if it is gone."""

        async def look() -> StoredSeek | None:
            seek = await self.of(account)
            return seek if seek and seek.id == id else None

        return self._followers.follow(id, look, lambda seek: seek is None or seek.match is not None)


def _is_live(wish: Wish) -> bool:
    control = time_control.read(wish.time)
    return control is not None and control.live
