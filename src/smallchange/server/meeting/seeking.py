"""Seeks: somebody with an account looks for an opponent, in several games and at several speeds at once.

A seek is a row, so it lasts though the page closes: for a live game until shortly after, for one by correspondence for
days. The role `PairingWorker` pairs them, in waves.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from typing import NamedTuple

from sqlalchemy import Connection

from smallchange.core.game import games
from smallchange.server.database.role import Role, RoleName
from smallchange.server.meeting import rows
from smallchange.server.meeting.pairing import pair_seeks
from smallchange.server.meeting.rows import SoughtWish, StoredSeek, find_meetings
from smallchange.server.table.live.openings import Openings
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model import clock, new_tables
from smallchange.server.table.model.clock import DAY_MS, MINUTE_MS
from smallchange.server.table.model.new_tables import Sitter, Wish
from smallchange.server.table.storage.store import insert_table
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.event_stream import Waiting
from smallchange.server.web.sessions import Account

MAX_WISHES = 40
MAX_SOUGHT = 12  # wishes of others in a list
LIVE_SEEK_MS = 60 * MINUTE_MS
SLOW_SEEK_MS = 7 * DAY_MS
TOUCH_PERIOD_MS = 5_000  # between notes that the page of a seek is there


class Seeks:
    """The seeks of all accounts."""

    def __init__(self, tables: TableService, waiting: Waiting) -> None:
        self._tables = tables
        self._waiting = waiting

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
        return await self._tables.store.read(lambda c: rows.count_seeks(c, now))

    def follow(self, account: Account, id: str) -> AsyncIterator[StoredSeek | None]:
        """Yield a seek now, every few seconds, and as soon as it is paired; last None if it is gone."""

        async def look() -> StoredSeek | None:
            seek = await self.of(account)
            return seek if seek and seek.id == id else None

        return self._waiting.follow(id, look, lambda seek: seek is None or seek.match is not None)


def _is_live(wish: Wish) -> bool:
    control = clock.read(wish.time)
    return control is not None and control.live


MAX_PAIRS = 100  # of a wave, for which the moves of others wait


class Pairing(NamedTuple):
    """A match that a wave has begun, and the seeks that led to it."""

    match: str
    seeks: tuple[str, str]


class PairingWorker(Role[TableService]):
    """Plays the role of the pairer."""

    name = RoleName.PAIRER

    async def sweep(self) -> int:
        """Pair the people who may meet now, announce it to them, and return the number of pairings."""
        if self._tables.store.site.is_draining or not await self._tables.store.read(rows.has_waiting):
            return 0
        now = self._tables.now()
        done = await self.transact(lambda c: pair_waiting(c, self._tables.openings, now))
        for pairing in done:
            for id in pairing.seeks:
                await self._tables.live.announce(id)
        return len(done)


def pair_waiting(connection: Connection, openings: Openings, now: int) -> list[Pairing]:
    """Begin a match for each pair of people who may meet now, and return the pairings."""
    rows.remove_old(connection, now)
    waiting = {one.seek.id: one for one in rows.waiting_seeks(connection, now)}
    known = games()
    offered = [
        one.seek._replace(wishes=tuple(wish for wish in one.seek.wishes if wish.game in known))
        for one in waiting.values()
    ]
    bars = find_meetings(connection, [one.account.id for one in waiting.values()], now, quick=True)
    found = []
    for pair in pair_seeks(offered, now, bars.may_meet)[:MAX_PAIRS]:
        ids = pair.first.id, pair.second.id
        first, second = (waiting[id].account for id in ids)
        sitters = Sitter(first.name, first.holder), Sitter(second.name, second.holder)
        new = new_tables.pair_up(pair.wish, pair.first.rated, sitters, new_tables.random_id, now)
        table = openings.rows(*new)
        insert_table(connection, table)
        rows.set_seek_matches(connection, ids, table.head.id)
        found.append(Pairing(table.head.id, ids))
    return found
