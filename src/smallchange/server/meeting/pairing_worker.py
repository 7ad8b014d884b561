"""The role of the pairer: it pairs the people who look for a game, in waves.

A wave is one transaction: it locks the seeks that wait, and stores each match together with the seeks that led to it.
So nobody is in two matches, and a process that is killed leaves no seek without its match.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from smallchange.core.game import games
from smallchange.server.database.role import Role, RoleName
from smallchange.server.meeting import seek_rows as seeks
from smallchange.server.meeting.meeting_rows import find_meetings
from smallchange.server.meeting.pairing import pair_seeks
from smallchange.server.table.live.openings import Openings
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model import new_tables
from smallchange.server.table.model.new_tables import Sitter
from smallchange.server.table.storage.store import insert_table

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
        if self._tables.store.site.is_draining or not await self._tables.store.read(seeks.has_waiting):
            return 0
        now = self._tables.now()
        done = await self.transact(lambda c: pair_waiting(c, self._tables.openings, now))
        for pairing in done:
            for id in pairing.seeks:
                await self._tables.live.announce(id)
        return len(done)


def pair_waiting(connection: Connection, openings: Openings, now: int) -> list[Pairing]:
    """Begin a match for each pair of people who may meet now, and return the pairings."""
    seeks.remove_old(connection, now)
    waiting = {one.seek.id: one for one in seeks.waiting_seeks(connection, now)}
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
        seeks.set_match(connection, ids, table.head.id)
        found.append(Pairing(table.head.id, ids))
    return found
