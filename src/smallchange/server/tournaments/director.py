"""The role of the director: it opens the rounds of tournaments, takes down results, and ends tournaments.

Each step is one transaction: a round with its pairings and their matches, some results, or an end. A step is planned
from a tournament as it stands and is not taken if the tournament has changed meanwhile. So any number of processes may
play this role, and one that is killed leaves nothing undone or half done.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import NamedTuple

import structlog
from sqlalchemy import Connection

from smallchange.core.errors import BadOption, UnknownGame
from smallchange.core.game import Game, complete_game
from smallchange.server.database.role import Role, RoleName
from smallchange.server.notifications import model as notifications
from smallchange.server.notifications.model import Notification
from smallchange.server.notifications.rows import put_notifications, settle_notifications
from smallchange.server.table.live.bot_workers import WorkerPool
from smallchange.server.table.live.openings import table_rows
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model import clock, new_tables
from smallchange.server.table.model.events import RETURN_MS
from smallchange.server.table.model.history import History, SeatKind
from smallchange.server.table.model.new_tables import Sitter
from smallchange.server.table.model.outcome import absent_seat, has_moved, tournament_points
from smallchange.server.table.storage.clock_rows import last_outage
from smallchange.server.table.storage.rows import head_from_row, seats_from_rows, select_table
from smallchange.server.table.storage.store import insert_table
from smallchange.server.tournaments import rows
from smallchange.server.tournaments.kinds import kind_of
from smallchange.server.tournaments.kinds.kind import is_live
from smallchange.server.tournaments.model import (
    DRAWN,
    LOST,
    Entry,
    NextStep,
    Pairing,
    Phase,
    Points,
    Tournament,
)
from smallchange.server.web.background_tasks import log_errors

MAX_QUESTIONS = 8  # of rounds that wait to be paired by another process
log = structlog.get_logger("director")


class Done(NamedTuple):
    """A step that was taken, the holders to notify, and the tables that were opened to all."""

    step: str
    holders: frozenset[str] = frozenset()
    opened: tuple[str, ...] = ()


class Director(Role[TableService]):
    """Plays the role of the director."""

    name = RoleName.DIRECTOR

    def __init__(self, tables: TableService, holder: str = "") -> None:
        super().__init__(tables, holder)
        self._pool = WorkerPool(1, MAX_QUESTIONS)
        self._is_resting = False  # after an outage, so that people come back before a round opens
        self._waiting = set[
            str
        ]()  # tournaments of several matches at once that wait for results alone, for weeks

    async def stop(self) -> None:
        """Stop the process that pairs."""
        self._pool.close()

    async def sweep(self) -> int:
        """Take the steps that are due, let bots move, and return the number of steps."""
        store, now = self._tables.store, self._tables.now()
        if self._tables.live.is_away(now):
            return 0  # what was to begin or to end in the outage is put off first
        since = await store.read(lambda c: last_outage(c, now))
        self._is_resting = now - since < RETURN_MS
        ids = await store.read(lambda c: rows.due_tournaments(c, now))
        steps = await asyncio.gather(*map(self._advance, ids))
        if ids:
            await self._tables.live.all_current(await store.read(rows.bot_matches))
        return sum(steps)

    async def _advance(self, id: str) -> int:
        """Advance a tournament, and return the number of steps. An error concerns it alone."""
        with log_errors(tournament=id):
            return await self.advance(id)
        return 0

    async def advance(self, id: str) -> int:
        """Take down new results of a tournament, then take its next step; return the number of steps."""
        store, now = self._tables.store, self._tables.now()
        steps = 0
        has_results = bool(await store.read(lambda c: rows.ended_matches(c, id)))
        if id in self._waiting and not has_results:
            return 0
        self._waiting.discard(id)
        if has_results:
            steps += await self._take(id, lambda c: _take_down_results(c, id))
        found = await store.read(lambda c: rows.find_tournament(c, id))
        step = kind_of(found).next_step(found, now) if found else NextStep.WAIT
        if found is None or step == NextStep.WAIT:
            if found and found.phase == Phase.RUNNING and not kind_of(found).is_one_by_one(found.head):
                self._waiting.add(id)
            return steps
        if step == NextStep.OPEN_ROUND and self._is_resting:
            return steps
        pairings = await self._pair(found) if step == NextStep.OPEN_ROUND else []
        return steps + await self._take(id, lambda c: _take_step(c, found, step, pairings, now))

    async def _take(self, id: str, step: Callable[[Connection], Done | None]) -> int:
        """Take a step in one transaction, and announce it; return 0 if the tournament has changed meanwhile."""

        def job(connection: Connection) -> Done | None:
            rows.lock_tournament(connection, id)
            return step(connection)

        done = await self.transact(job)
        if done is None:
            return 0
        log.info("tournament", tournament=id, step=done.step)
        self._tables.live.on_told(done.holders)
        await self._tables.live.announce(id)
        await self._tables.live.reload(done.opened)
        return 1

    async def _pair(self, found: Tournament) -> list[Pairing]:
        """Return the pairings of the next round, none if nobody can be paired any more."""
        return await kind_of(found).pair(found, self._pool.ask)


def _take_down_results(connection: Connection, id: str) -> Done | None:
    """Store the results of matches that have ended.

    A live match to which neither player came gives no points. Some kinds pair an absent player no more.
    """
    found = rows.find_tournament(connection, id)
    assert found is not None, "a tournament is never removed"
    changed = []
    for match in rows.ended_matches(connection, id):
        history = _read_match(connection, match)
        points: Points = (DRAWN, DRAWN) if history is None else tournament_points(history)
        absent = None if history is None else absent_seat(history)
        if history is not None and absent is not None:
            gone = [absent]
            if is_live(found.head) and not _has_come(connection, history, 1 - absent):
                gone, points = [0, 1], (LOST, LOST)
            for seat in gone if kind_of(found).drops_absent else ():
                rows.set_withdrawn(connection, id, rows.find_entry(connection, match, seat), True)
        changed.append(rows.put_points(connection, match, points, absent is not None))
    return Done("results") if any(changed) else None


def _has_come(connection: Connection, history: History, seat: int) -> bool:
    """Return whether the player of a seat came to a match."""
    is_bot = history.seats[seat].kind == SeatKind.BOT
    return is_bot or has_moved(history, seat) or rows.has_come(connection, history.head.id, seat)


def _read_match(connection: Connection, id: str) -> History | None:
    """Return a match that has ended; None for one that cannot be read any more, which is drawn."""
    found = select_table(connection, id, 0)
    if found is None:
        return None
    match, seats, events = found
    try:
        game = Game(match.game, json.loads(match.options))
    except (UnknownGame, BadOption):
        return None
    if game.version != match.version:
        return None
    history = History(head_from_row(match, game), seats_from_rows(game, seats))
    history.append(events)
    return history


def _take_step(
    connection: Connection, found: Tournament, step: NextStep, pairings: list[Pairing], now: int
) -> Done | None:
    """Take the next step of a tournament, unless it has changed since it was found."""
    id, opened, notified = found.head.id, list[str](), frozenset[str]()
    if rows.find_tournament(connection, id) != found:
        return None
    if step == NextStep.CANCEL:
        rows.set_phase(connection, id, Phase.CANCELLED, now)
    elif step == NextStep.ANNOUNCE:
        rows.put_announced(connection, id, now)
        notified = _notify(connection, found, notifications.DEAL, _players_due(found), now)
    elif step == NextStep.REMIND:
        rows.set_reminded(connection, id)
        notified = _notify(connection, found, notifications.LATE, _players_due(found), now)
    elif not pairings:
        rows.set_phase(connection, id, Phase.OVER, now)
        opened = rows.open_deals(connection, id, now)
        if not found.head.control:
            notified = _notify(connection, found, notifications.RESULT, found.active, now)
    else:
        rows.set_phase(connection, id, Phase.RUNNING)
        notified = _open_round(connection, found, pairings, now)
    return Done(step.value, notified, tuple(opened))


def _players_due(found: Tournament) -> list[Entry]:
    """Return the active entries that have not finished the deal."""
    finished = kind_of(found).find_finished(found)
    return [one for one in found.active if one.number not in finished]


def _notify(
    connection: Connection, found: Tournament, topic: str, entries: list[Entry], now: int
) -> frozenset[str]:
    """Notify the accounts of entries; return their holders. Their earlier notifications of it are settled."""
    settle_notifications(connection, found.head.id, now)
    holders = [one.holder for one in entries if one.account_id]
    put_notifications(connection, [Notification(holder, found.head.id, topic, 0) for holder in holders], now)
    return frozenset(holders)


def _open_round(
    connection: Connection, found: Tournament, pairings: list[Pairing], now: int
) -> frozenset[str]:
    """Store a round with its matches; return the holders of the accounts that play."""
    entries = {one.number: one for one in found.entries}
    opened, holders = [], set[str]()
    for pairing in pairings:
        if pairing.second is not None and not pairing.walkover:
            both = entries[pairing.first], entries[pairing.second]
            pairing = pairing._replace(match=_open_table(connection, found, both, now))
            holders |= {one.holder for one in both if one.account_id}
        opened.append(pairing)
    rows.put_round(connection, found.head.id, opened, now)
    return frozenset(holders)


def _open_table(connection: Connection, found: Tournament, both: tuple[Entry, Entry], now: int) -> str:
    """Store the table of a pairing, and return its id."""
    head = found.head
    control = clock.read(head.control)
    assert control is not None, "a tournament has a time control"
    game = complete_game(head.game, head.options)
    sitters = [Sitter(one.name, one.holder, one.bot) for one in both]
    new = new_tables.tournament_table(
        game, control, head.rated, sitters, new_tables.random_id, now, head.public
    )
    table = table_rows(*new)
    begun = [
        Notification(seat.holder, table.head.id, notifications.BEGUN, new[0].ply)
        for seat in table.seats
        if seat.kind == SeatKind.PERSON
    ]
    insert_table(connection, table)
    put_notifications(connection, begun, now)
    return table.head.id
