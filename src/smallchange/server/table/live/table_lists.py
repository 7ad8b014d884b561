"""Lists of tables: the lobby, a person's own tables, results of their matches; and days off, which stop all clocks."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Collection
from contextlib import AsyncExitStack
from typing import NamedTuple

from sqlalchemy import Connection

from smallchange.bots import names
from smallchange.core.game import Game, games
from smallchange.core.variants import without_idle_options
from smallchange.i18n.text import Text, plain
from smallchange.server.database.bus import Notice
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.table_service import TableService, now_ms
from smallchange.server.table.model.clock import DAY_MS
from smallchange.server.table.model.events import DaysOff, Step
from smallchange.server.table.model.history import BroughtFromOffline, History, SeatKind
from smallchange.server.table.model.outcome import Outcome, Points, outcome
from smallchange.server.table.storage import clock_rows as deadlines
from smallchange.server.table.storage.rows import event_rows
from smallchange.server.table.storage.store import PAGE_SIZE, Store
from smallchange.server.table.view.ending import outcome_text, personal_verdict
from smallchange.server.table.view.seats import bot_name, occupant, seat_label, seat_views
from smallchange.server.table.view.table_view import (
    NO_TEXT,
    ListedTable,
    LobbyView,
    SeatView,
    Tally,
    WatchedTable,
    turn_text,
)
from smallchange.server.web import phrases as p
from smallchange.server.web.errors import ErrorCode, Refused

LISTED_MS = 600_000  # for which a new table is listed though nobody is present
WAITS = Text("Waiting for a player")


async def lobby(tables: TableService, holder: str) -> LobbyView:
    """Return the lists of the first page."""
    waiting, owned, returns = await asyncio.gather(
        open_tables(tables, holder),
        tables.store.tables_of(holder, over=False, now_ms=now_ms()),
        tables.store.has_finished(holder),
    )
    found = await _histories(tables, owned)
    running = [history for history in found if not history.ending and _is_gone_on_with(history, holder)]
    rows = tuple(_table_row(history, holder) for history in running)
    return LobbyView(tuple(games()), waiting, rows, returns or bool(rows))


def _is_gone_on_with(history: History, holder: str) -> bool:
    """Return whether a running table is one to go on with: its holder has moved, or it concerns somebody else."""
    held = history.seats_of(holder)
    return (
        history.waiting
        or history.head.control is not None
        or not history.one_person
        or any(isinstance(event, Step) and event.seat in held for event in history.events)
    )


async def open_tables(tables: TableService, holder: str) -> tuple[ListedTable, ...]:
    """Return the tables of others where anybody may take a seat."""
    new = await tables.store.open_tables(now_ms() - LISTED_MS, now_ms())
    attended = tables.live.attended_ids
    waiting = [history for history in await _histories(tables, {*attended, *new}) if history.waiting]
    waiting = [history for history in waiting if not history.seats_of(holder)]
    now = now_ms()
    waiting.sort(
        key=lambda history: (
            history.head.id not in attended,
            history.head.created > now,  # opened while a clock was ahead
            -history.head.created,
            history.head.id,
        )
    )
    return tuple(_table_row(history, holder) for history in waiting[:PAGE_SIZE])


async def watchable(tables: TableService) -> list[WatchedTable]:
    """Return the running games that anybody may find and watch, the featured one first.

    That is the one with the highest ratings; then more spectators count, and the game that began first.
    """
    ids = await tables.store.running_tables(PAGE_SIZE)
    live = [table for table in (await tables.live.all_current(ids)).values() if not table.history.ending]
    found = [_watched_table(table) for table in live]
    created = {table.history.head.id: table.history.head.created for table in live}
    return sorted(
        found,
        key=lambda table: (
            -(table.points or 0),
            -table.spectators,
            created[table.listed.match],
            table.listed.match,
        ),
    )


def _watched_table(live_table: LiveTable) -> WatchedTable:
    """Return a running game as the list shows it, to everybody the same."""
    history = live_table.history
    ratings = [rating.points for rating in history.ratings if rating]
    points = sum(ratings) / len(ratings) if ratings else None
    return WatchedTable(_table_row(history, ""), live_table.view(()).scene, points, live_table.spectators)


async def mine(tables: TableService, holder: str, page: int = 1) -> tuple[list[ListedTable], bool]:
    """Return a page of a person's tables, running ones first, then the newest; and whether there are more."""
    ids = await tables.store.tables_of(holder, page, now_ms=now_ms())
    played = await tables.live.all_current(ids[:PAGE_SIZE])
    found = [
        _table_row(played[id].history, holder) if id in played else await _row_of_record(tables, id)
        for id in ids[:PAGE_SIZE]
    ]
    return [row for row in found if row], len(ids) > PAGE_SIZE


async def tallies(store: Store, holder: str) -> list[Tally]:
    """Return how many matches a person won, drew and lost, by game and opponent."""
    counts: dict[tuple[str, str | None], Counter[int]] = defaultdict(Counter)
    for id, bot, points, n in await store.results(holder):
        counts[id, bot][points] = n
    rows = []
    for game in map(Game, games()):
        for bot in (None, "", *names(game)):
            if count := counts.get((game.id, bot)):
                against = (
                    NO_TEXT if bot is None else p.AGAINST_WHOM.fill(who=bot_name(bot) if bot else p.PEOPLE)
                )
                rows.append(
                    Tally(
                        game.words.TITLE, against, count[Points.WIN], count[Points.DRAW], count[Points.LOSS]
                    )
                )
    return rows


async def results_by_game(store: Store, holder: str) -> dict[str, tuple[int, int, int]]:
    """Return how many matches a person won, drew and lost, by game, in the order of the games."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for id, _, points, n in await store.results(holder):
        counts[id][points] += n
    return {
        id: (counts[id][Points.WIN], counts[id][Points.DRAW], counts[id][Points.LOSS])
        for id in games()
        if id in counts
    }


async def _row_of_record(tables: TableService, id: str) -> ListedTable | None:
    """Return the row of a table whose rules have changed, if its record is stored."""
    found = await tables.store.stored_record(id)
    if found is None:
        return None
    title = Game(found.game).words.TITLE if found.game in games() else plain(found.game)
    return ListedTable(id, found.game, title, {}, (), NO_TEXT, p.KEPT, True, False, found.created, False)


async def _histories(tables: TableService, ids: Collection[str]) -> list[History]:
    """Return the tables as they stand, without those whose rules have changed."""
    return [live_table.history for live_table in (await tables.live.all_current(ids)).values()]


def _table_row(history: History, holder: str) -> ListedTable:
    """Return the row of a table, for its viewer."""
    held = history.seats_of(holder)
    seats = seat_views(history, held, ())
    if history.ending:
        state = _end_text(history, outcome(history.match, history.ending), held)
    elif history.waiting:
        state = WAITS
    elif history.turn in held:
        state = turn_text(history, now_ms())
    else:
        state = p.THEIR_TURN.fill(who=seat_label(seats[history.turn]))
    return ListedTable(
        history.head.id,
        history.head.game.id,
        history.head.game.words.TITLE,
        without_idle_options(history.head.game).non_default_options,
        seats,
        _opponent(seats, held),
        state,
        history.ending is not None,
        history.turn in held,
        min(history.events[-1].at if history.events else history.head.created, now_ms()),
        history.head.is_practice,
        history.head.code if history.head.open and history.waiting else None,
        history.head.control,
        history.head.rated,
        isinstance(history.head.origin, BroughtFromOffline),
    )


def _end_text(history: History, end: Outcome, held: tuple[int, ...]) -> Text:
    """Return how a match ended, beginning with whether the holder of these seats won, where that is known."""
    mine, text = personal_verdict(end, held), outcome_text(history.match, end)
    return mine + text if mine else text


def _opponent(seats: tuple[SeatView, ...], held: tuple[int, ...]) -> Text:
    """Return the holder's side and opponent, in words."""
    if len(seats) == 1 or not held:
        return NO_TEXT
    if len(held) > 1:
        return p.AT_ONE_SCREEN
    mine, other = seats[held[0]], seats[1 - held[0]]
    named = seat_label(other) if other.kind == SeatKind.PERSON and other.name else occupant(other)
    return p.AGAINST.fill(yours=mine.title, who=named)


STOCK_DAYS = 30  # in YEAR_MS
YEAR_MS = 365 * DAY_MS


class DaysLeft(NamedTuple):
    """The days that a player may still take off, and the time until which they are off, 0 for not now."""

    days: int
    until: int


async def days_left(tables: TableService, holder: str) -> DaysLeft:
    """Return the days off that a holder has left this year."""
    now = tables.now()
    taken_ms, until = await tables.store.read(lambda c: deadlines.days_off(c, holder, now - YEAR_MS))
    return DaysLeft(max(0, STOCK_DAYS - -(-taken_ms // DAY_MS)), until if until > now else 0)


async def take_days_off(tables: TableService, holder: str, days: int) -> None:
    """Stop all clocks by correspondence of a holder for so many days from now.

    No days end those that go on, and what is not used of these comes back. All tables change in one transaction; those
    that begin later ask for days off then. Refused where the stock is too small, or while days off go on.
    """
    while True:
        left = await days_left(tables, holder)
        possible = 1 <= days <= left.days and not left.until
        if not (possible or (days == 0 and left.until)):
            raise Refused(ErrorCode.NO_DAYS_OFF, n=left.days)
        now, ids = tables.now(), await tables.store.read(lambda c: deadlines.clocked_tables(c, holder))
        found = await tables.live.all_current(sorted(ids))
        async with AsyncExitStack() as locks:
            for live_table in found.values():
                await locks.enter_async_context(tables.changing(live_table))
            concerned = [table for table in found.values() if _is_concerned(table, holder)]
            if await _store(tables, holder, days, concerned, now):
                return
            for live_table in concerned:
                await tables.live.catch_up(live_table)


def _is_concerned(live_table: LiveTable, holder: str) -> bool:
    history = live_table.history
    correspondence = history.clock is not None and not history.clock.control.live
    return correspondence and history.started and not history.ending and len(history.seats_of(holder)) == 1


async def _store(tables: TableService, holder: str, days: int, concerned: list[LiveTable], now: int) -> bool:
    """Store the days off and an event at each table, all or none; return False if another process was faster."""
    events = {}
    for live_table in concerned:
        (seat,) = live_table.history.seats_of(holder)
        events[live_table] = [DaysOff(seat, now, days=days)]

    def job(connection: Connection) -> bool:
        if days:
            deadlines.put_days_off(connection, holder, now, now + days * DAY_MS)
        else:
            deadlines.end_days_off(connection, holder, now)
        for live_table, new in events.items():
            clock = live_table.history.clock_after(new)
            deadlines.put_deadline(connection, live_table.history.head.id, clock, now)
        return True

    rows = [
        row
        for live_table, new in events.items()
        for row in event_rows(live_table.history.head.id, live_table.history.ply, new)
    ]
    if not await tables.store.write(holder, job, rows):
        return False
    for live_table, new in events.items():
        live_table.append(new)
        await tables.live.publish(Notice(live_table.history.head.id, live_table.history.ply))
    return True
