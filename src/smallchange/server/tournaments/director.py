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
from smallchange.core.game import Game, complete_game, intern_game
from smallchange.server.database import deadlines
from smallchange.server.notifications import model as notifications
from smallchange.server.notifications.model import Notification
from smallchange.server.notifications.rows import put_notifications, settle_notifications
from smallchange.server.ratings.rows import rating_in
from smallchange.server.table import new_tables, time_control
from smallchange.server.table.bot_workers import WorkerPool
from smallchange.server.table.history import PERSON, History
from smallchange.server.table.new_tables import Sitter
from smallchange.server.table.outcome import tournament_points
from smallchange.server.table.rows import head_from_row, seats_from_rows, select_table
from smallchange.server.table.store import insert_table
from smallchange.server.table.table_service import TableService, table_rows
from smallchange.server.table.time_control import DAY_MS
from smallchange.server.tournaments import arena, league, promotion, round_robin, season, swiss
from smallchange.server.tournaments import rows as rows
from smallchange.server.tournaments.model import (
    ARENA,
    CANCELLED,
    DRAWN,
    MIN_ENTRIES,
    OPEN,
    OVER,
    ROUND_ROBIN,
    RUNNING,
    SEASON,
    SOLITAIRE,
    Pairing,
    Points,
)
from smallchange.server.tournaments.progress import NextStep, next_step
from smallchange.server.tournaments.rows import StoredEntry, StoredPairing, WholeTournament
from smallchange.server.web.background_tasks import log_errors, sweep_forever

DIRECTOR = "director"
SWEEP_PERIOD_S = 1.0
PAIRING_TIME_S = 60.0  # for the pairings of a Swiss round
SEASON_BREAK_MS = 3 * DAY_MS  # from the end of a season to the beginning of the next
MAX_QUESTIONS = 8  # of Swiss rounds that wait to be paired
log = structlog.get_logger("director")


class Done(NamedTuple):
    """A step that was taken, the holders of the accounts that were paired, and the tables that were opened to all."""

    step: str
    holders: frozenset[str] = frozenset()
    opened: tuple[str, ...] = ()


class Director:
    """Plays the role of the director. `holder` names this process."""

    def __init__(self, tables: TableService, holder: str) -> None:
        self._tables = tables
        self._holder = holder
        self._pool = WorkerPool(1, MAX_QUESTIONS)
        self._played = set[str]()  # seasons that wait for results alone, for weeks

    async def run(self) -> None:
        """Sweep until it is cancelled."""
        try:
            await sweep_forever(self.sweep, SWEEP_PERIOD_S)
        finally:
            self.close()

    def close(self) -> None:
        """Stop the process that pairs."""
        self._pool.close()

    async def sweep(self) -> int:
        """Take the steps that are due, let bots move, and return the number of steps."""
        store, now = self._tables.store, self._tables.now()
        ids = await store.read(lambda c: rows.due_tournaments(c, now))
        steps = await asyncio.gather(*map(self._advance, ids))
        if ids:
            await self._tables.all_current(await store.read(rows.bot_matches))
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
        if id in self._played and not has_results:
            return 0
        self._played.discard(id)
        if has_results:
            steps += await self._take(id, lambda c: _take_down_results(c, id))
        found = await store.read(lambda c: rows.find_tournament(c, id))
        step = next_step(found.tournament, now) if found else NextStep.WAIT
        if found is None or step == NextStep.WAIT:
            if found and found.stored.kind == SEASON and found.stored.phase == RUNNING:
                self._played.add(id)
            return steps
        pairings = await self._pair(found) if step == NextStep.OPEN_ROUND else []
        return steps + await self._take(id, lambda c: _take_step(c, found, step, pairings, now))

    async def _take(self, id: str, step: Callable[[Connection], Done | None]) -> int:
        """Take a step in one transaction, and announce it; return 0 if the tournament has changed meanwhile."""
        now = self._tables.now()

        def job(connection: Connection) -> Done | None:
            deadlines.lock_role(connection, DIRECTOR, self._holder, now)
            rows.lock_tournament(connection, id)
            return step(connection)

        done: Done | None = await self._tables.store.write(DIRECTOR, job)
        if done is None:
            return 0
        log.info("tournament", tournament=id, step=done.step)
        self._tables.on_notified(done.holders)
        await self._tables.announce(id)
        await self._tables.reload_tables(done.opened)
        return 1

    async def _pair(self, found: WholeTournament) -> list[Pairing]:
        """Return the pairings of the next round, none if nobody can be paired any more."""
        tournament = found.tournament
        if tournament.rules.kind == ARENA:
            return arena.pair_wave(tournament)
        if tournament.rules.kind == ROUND_ROBIN:
            return round_robin.pair_round(tournament, tournament.round + 1)
        if tournament.rules.kind == SEASON:
            return season.pair_round(tournament, tournament.round + 1)
        try:
            asked = swiss.question(tournament)
            return swiss.pairings(tournament, await self._pool.ask(swiss.pair_in_time, PAIRING_TIME_S, asked))
        except swiss.CannotPair:
            return []


def _take_down_results(connection: Connection, id: str) -> Done | None:
    """Store the results of matches that have ended."""
    changed = [
        rows.put_points(connection, match, _find_points(connection, match))
        for match in rows.ended_matches(connection, id)
    ]
    return Done("results") if any(changed) else None


def _find_points(connection: Connection, id: str) -> Points:
    """Return the result of a match that has ended. One that cannot be read any more is drawn."""
    found = select_table(connection, id, 0)
    if found is None:
        return DRAWN, DRAWN
    match, seats, events = found
    try:
        game = intern_game(Game(match.game, json.loads(match.options)))
    except (UnknownGame, BadOption):
        return DRAWN, DRAWN
    if game.version != match.version:
        return DRAWN, DRAWN
    history = History(head_from_row(match, game), seats_from_rows(game, seats))
    history.append(events)
    return tournament_points(history)


def _take_step(
    connection: Connection, found: WholeTournament, step: NextStep, pairings: list[Pairing], now: int
) -> Done | None:
    """Take the next step of a tournament, unless it has changed since it was found."""
    id, opened, told = found.stored.id, list[str](), frozenset[str]()
    if rows.find_tournament(connection, id) != found:
        return None
    if step == NextStep.CANCEL:
        rows.set_phase(connection, id, CANCELLED, now)
    elif step == NextStep.BEGIN:
        rows.set_phase(connection, id, RUNNING)
        if found.stored.kind == SEASON:
            rows.set_divisions(connection, id, season.assign_divisions(found.tournament))
    elif step in (NextStep.TELL_ROUND, NextStep.REMIND):
        told = _tell_league(connection, found, step, now)
    elif not pairings:
        rows.set_phase(connection, id, OVER, now)
        opened = rows.open_deals(connection, id, now)
        told = _close(connection, found, now)
    else:
        if found.stored.phase != RUNNING:
            rows.set_phase(connection, id, RUNNING)
        return Done(step.value, _open_round(connection, found, pairings, now))
    return Done(step.value, told, tuple(opened))


def _tell_league(connection: Connection, found: WholeTournament, step: NextStep, now: int) -> frozenset[str]:
    """Tell the players of a league who have not finished its deal that a round has begun, or closes soon."""
    id, round = found.stored.id, league.open_round(found.stored.rules, now)
    if step == NextStep.TELL_ROUND:
        rows.put_told(connection, id, round, now)
    else:
        rows.set_reminded(connection, id, round)
    kind = notifications.ROUND if step == NextStep.TELL_ROUND else notifications.LATE
    return _tell(connection, found, kind, round, league.find_unfinished(found.tournament, round), now)


def _close(connection: Connection, found: WholeTournament, now: int) -> frozenset[str]:
    """Tell the players of a season, league or duel that it is over, and open the next season."""
    goes_on = found.stored.kind == SEASON and _open_next_season(connection, found, now)
    if found.stored.kind not in (SEASON, *SOLITAIRE):
        return frozenset()
    kind = notifications.NEXT_SEASON if goes_on else notifications.RESULT
    players = [one.number for one in found.tournament.active]
    return _tell(connection, found, kind, found.tournament.round, players, now)


def _tell(
    connection: Connection, found: WholeTournament, kind: str, round: int, numbers: list[int], now: int
) -> frozenset[str]:
    """Notify the accounts of entries; return their holders. Notifications of earlier rounds are settled."""
    settle_notifications(connection, found.stored.id, now)
    entries = {one.number: one for one in found.entries}
    holders = [entries[number].holder for number in numbers if entries[number].account_id]
    new = [Notification(holder, found.stored.id, kind, round) for holder in holders]
    put_notifications(connection, new, now)
    return frozenset(holders)


def _open_next_season(connection: Connection, found: WholeTournament, now: int) -> bool:
    """Store the season that follows one that is over, with its entries; return False if too few go on."""
    entries = {one.number: one for one in found.entries}
    actors = rows.find_actors(connection, [one.match for one in found.pairings if one.match])
    absent = {one.number for one in found.entries if not one.bot and one.holder not in actors}
    order = promotion.next_order(found.tournament, absent)
    if len(order) < MIN_ENTRIES:
        return False
    new = found.stored._replace(
        id=new_tables.random_id(12),
        begins_at=now + SEASON_BREAK_MS,
        phase=OPEN,
        created=now,
        season=found.stored.season + 1,
        previous_id=found.stored.id,
    )
    rows.add_tournament(connection, new)
    for number, division in order:
        one = entries[number]
        rating = (
            rating_in(connection, one.account_id, new.game, new.control) if one.account_id else one.rating
        )
        rows.add_entry(connection, new.id, one.account_id, one.bot, rating, now, division)
    return True


def _open_round(
    connection: Connection, found: WholeTournament, pairings: list[Pairing], now: int
) -> frozenset[str]:
    """Store a round with its matches; return the holders of the accounts that play."""
    entries = {one.number: one for one in found.entries}
    opened, holders = [], set[str]()
    for pairing in pairings:
        match = None
        if pairing.second is not None and not pairing.walkover:
            both = entries[pairing.first], entries[pairing.second]
            match = _open_table(connection, found, both, now)
            holders |= {one.holder for one in both if one.account_id}
        opened.append(StoredPairing(pairing, match))
    rows.put_round(connection, found.stored.id, opened, now)
    if found.stored.kind == SEASON and not found.pairings:
        players = [one.number for one in found.entries if one.division]
        return frozenset(holders) | _tell(connection, found, notifications.ROUND, 1, players, now)
    return frozenset(holders)


def _open_table(
    connection: Connection, found: WholeTournament, both: tuple[StoredEntry, StoredEntry], now: int
) -> str:
    """Store the table of a pairing, and return its id."""
    stored = found.stored
    control = time_control.read(stored.control)
    assert control is not None, "a tournament has a time control"
    game = intern_game(complete_game(stored.game, stored.options))
    sitters = [Sitter(one.name, one.holder, one.bot) for one in both]
    new = new_tables.tournament_table(
        game, control, stored.rated, sitters, new_tables.random_id, now, stored.delay
    )
    table = table_rows(*new)
    begun = [
        Notification(seat.holder, table.head.id, notifications.BEGUN, new[0].ply)
        for seat in table.seats
        if seat.kind == PERSON and stored.kind != SEASON  # all its matches begin together
    ]
    insert_table(connection, table._replace(notified=begun))
    return table.head.id
