"""Tournaments for people: opening, entering and withdrawing. `director.py` runs them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import replace

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from smallchange import bots
from smallchange.core.errors import BadOption, UnknownGame
from smallchange.core.game import Game, complete_game, games
from smallchange.core.glicko2 import START_RATING
from smallchange.i18n.text import Text, join_texts
from smallchange.server.daily.days import pair_bot
from smallchange.server.meeting.rows import Challenge, find_meetings
from smallchange.server.meeting.view import games_for_two
from smallchange.server.ratings.anchors import open_house_accounts
from smallchange.server.ratings.rows import rating_in
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model import clock, new_tables
from smallchange.server.table.model.clock import MINUTE_MS
from smallchange.server.table.model.history import SealedDeal, Seat, SeatKind
from smallchange.server.table.model.new_tables import ADDRESS_NAME, random_id
from smallchange.server.tournaments import rows
from smallchange.server.tournaments.kinds import KINDS, kind_of, offered_kinds
from smallchange.server.tournaments.kinds.arena import hourly_arena, is_hourly
from smallchange.server.tournaments.model import (
    MAX_BOTS,
    Phase,
    Tournament,
    TournamentHead,
    TournamentOrder,
)
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.event_stream import Waiting
from smallchange.server.web.frame import PageContext
from smallchange.server.web.names import clean, has_address
from smallchange.server.web.sessions import Account, AccountRole, Visitor

MAX_NAME = 60  # characters
MAX_UNFINISHED = 5  # tournaments that an account has opened
DAY_MIN = 24 * 60
MAX_BEGIN_MIN = 30 * DAY_MIN
HOURLY_BOTS = (
    "level1",
    "level2",
    "level3",
    "greedy",
)  # those that answer at once enter the arena of the hour
MAX_HOURLY_BOTS = 3
DUEL, DUEL_MIN = "duel", 7 * DAY_MIN  # of a challenge in a game for one

BAD_KIND = Text("choose one of these kinds: {kinds}")
BAD_BEGINNING = Text("it begins in 0 to {most} minutes")
FOR_KEEPERS = Text("only moderators open tournaments for everybody")
NO_NAME = Text("give it a name")
QUICK_BOT = Text("choose a bot of this game that answers at once")


class Tournaments:
    """The tournaments of a server."""

    def __init__(self, tables: TableService, waiting: Waiting, has_hourly: bool = False) -> None:
        self._tables = tables
        self._waiting = waiting
        self._has_hourly = has_hourly
        self._hourly = ""  # the id of the newest arena of an hour that is there

    async def open_hourly(self) -> None:
        """Open the arena of this hour with some bots, unless it is there or nothing can be stored now."""
        now = self._tables.now()
        new = hourly_arena(games_for_two(), now)
        if not self._has_hourly or new.id == self._hourly:
            return
        game = Game(new.game)
        quick = [bot for bot in HOURLY_BOTS if bot in bots.names(game) and bots.level(bot, game).instant]

        def job(connection: Connection) -> None:
            openers = open_house_accounts(connection)
            if openers and rows.find_tournament(connection, new.id) is None:
                with suppress(IntegrityError), connection.begin_nested():  # another process was first
                    rows.add_tournament(connection, new._replace(opener_id=min(openers)))
                    for bot in quick[:MAX_HOURLY_BOTS]:
                        rows.add_entry(connection, new.id, None, bot, START_RATING, now)

        with suppress(Refused):  # nobody asked for it
            await self._tables.store.write("tournament", job)
            self._hourly = new.id

    async def open(self, account: Account, order: TournamentOrder) -> str:
        """Open a tournament, and return its id. Refuse one that cannot be played."""
        now = self._tables.now()
        new = _new_tournament(account, order, now)

        def job(connection: Connection) -> Refused | None:
            if rows.count_unfinished(connection, account.id) >= MAX_UNFINISHED:
                return Refused(ErrorCode.TOURNAMENT_LIMIT, most=MAX_UNFINISHED)
            rows.add_tournament(connection, new)
            if new.phase == Phase.RUNNING:  # its opener plays in it
                rows.add_entry(connection, new.id, account.id, "", START_RATING, now)
            return None

        if refused := await self._tables.store.write("tournament", job):
            raise refused
        return new.id

    async def find(self, id: str) -> Tournament:
        """Return a tournament. Refuse if there is none."""
        found = None if "\0" in id else await self._tables.store.read(lambda c: rows.find_tournament(c, id))
        if found is None:
            raise Refused(ErrorCode.NO_TOURNAMENT)
        return found

    async def of_match(self, match: str) -> tuple[str, str] | None:
        """Return the id and the name of the tournament that a match belongs to."""
        return await self._tables.store.read(lambda c: rows.tournament_of_match(c, match))

    async def on_table_page(self, live_table: LiveTable, who: Visitor, context: PageContext) -> PageContext:
        """Add the tournament that a table belongs to."""
        head = live_table.history.head
        if not head.control and not isinstance(head.origin, SealedDeal):
            return context
        return replace(context, tournament=await self.of_match(head.id))

    async def lists_for(self, account: Account | None) -> tuple[list[TournamentHead], list[TournamentHead]]:
        """Return the public tournaments, and those that an account has opened or entered."""

        def ask(connection: Connection) -> tuple[list[TournamentHead], list[TournamentHead]]:
            own = rows.tournaments_of(connection, account.id) if account else []
            public = rows.public_tournaments(connection)
            return [one for one in public if one.ended is None or not is_hourly(one)], own

        return await self._tables.store.read(ask)

    async def enter(self, account: Account, id: str) -> None:
        """Let an account enter, or come back after it has withdrawn. Entering twice has no further effect."""

        def job(connection: Connection, found: Tournament) -> None:
            own = found.entry_of(account.id)
            if own is None or not kind_of(found).may_go_on(found, self._tables.now()):
                self._refuse_late(found, new=own is None)
            if own is None:
                _refuse_barred(connection, found, account)
                rating = rating_in(connection, account.id, found.head.game, found.head.control)
                rows.add_entry(connection, id, account.id, "", rating, self._tables.now())
            else:
                rows.set_withdrawn(connection, id, own.number, False)

        await self._change(id, job)

    async def withdraw(self, account: Account, id: str) -> None:
        """Let an account withdraw. A match that it plays goes on."""

        def job(connection: Connection, found: Tournament) -> None:
            if own := found.entry_of(account.id):
                rows.set_withdrawn(connection, id, own.number, True)

        await self._change(id, job)

    async def enter_bots(self, account: Account, id: str, bot: str, count: int) -> None:
        """Enter a bot `count` times. Only the opener can, before the tournament begins."""
        if not 1 <= count <= MAX_BOTS:
            raise Refused(ErrorCode.BAD_BOT_COUNT, given=count, most=MAX_BOTS)

        def job(connection: Connection, found: Tournament) -> None:
            _refuse_others(found, account)
            game = complete_game(found.head.game, found.head.options)
            if bot not in bots.names(game) or not bots.level(bot, game).instant:
                raise Refused(ErrorCode.BAD_TOURNAMENT, why=QUICK_BOT)
            for n in range(count):
                self._refuse_late(found, new=True, more=n)
                if sum(bool(one.bot) for one in found.entries) + n >= MAX_BOTS:
                    raise Refused(ErrorCode.CANNOT_ENTER)
                rows.add_entry(connection, id, None, bot, START_RATING, self._tables.now())

        await self._change(id, job)

    async def begin(self, account: Account, id: str) -> None:
        """Let a tournament begin now. Only its opener can."""

        def job(connection: Connection, found: Tournament) -> None:
            _refuse_others(found, account)
            rows.set_beginning(connection, id, self._tables.now())

        await self._change(id, job)

    async def open_deal(self, account: Account, id: str) -> str:
        """Return the table on which an account plays the deal of a duel; it is begun if it is new.

        In a pair it is the first of both that is not over.
        """
        found, now = await self.find(id), self._tables.now()
        kind, head = kind_of(found), found.head
        game = complete_game(head.game, head.options)

        def job(connection: Connection) -> rows.DealTable | None:
            rows.lock_tournament(connection, id)
            locked = rows.find_tournament(connection, id)
            own = locked.entry_of(account.id) if locked else None
            if locked is None or own is None or own.withdrawn:
                return None
            seat = kind.open_seat(locked, own.number, now)
            return None if seat is None else rows.add_deal_table(connection, id, game, own, seat)

        closes_at = kind.closes_at(head)
        made: rows.DealTable | None = await self._tables.store.write(id, job)
        if made is None or closes_at is None:
            raise Refused(ErrorCode.NO_DEAL)
        table = new_tables.sealed_head(made.match, game, made.secret, made.seal, now, closes_at)
        sitter = Seat("", SeatKind.PERSON, account.name, holder=account.holder)
        await self._tables.openings.start_table(
            table, new_tables.deal_seats(game, made.seat, sitter, pair_bot(game))
        )
        await self._tables.live.announce(id)
        return made.match

    def follow(self, id: str) -> AsyncIterator[Tournament]:
        """Yield a tournament now, every few seconds, and at once after every change, until it is over."""
        return self._waiting.follow(id, lambda: self.find(id), lambda found: found.head.ended is not None)

    async def _change(self, id: str, change: Callable[[Connection, Tournament], None]) -> None:
        """Change a tournament, locked as it stands, and tell those who watch it."""
        await self.find(id)

        def job(connection: Connection) -> Refused | None:
            rows.lock_tournament(connection, id)
            found = rows.find_tournament(connection, id)
            assert found is not None, "a tournament is never removed"
            try:
                with connection.begin_nested():
                    change(connection, found)
            except Refused as wrong:
                return wrong
            return None

        if refused := await self._tables.store.write(id, job):
            raise refused
        await self._tables.live.announce(id)

    def _refuse_late(self, found: Tournament, new: bool, more: int = 0) -> None:
        """Refuse an entry where it is too late or there is no room."""
        kind = kind_of(found)
        full = new and not kind.has_room(found, more)
        if full or not kind.may_enter(found, self._tables.now()):
            raise Refused(ErrorCode.CANNOT_ENTER)


def _new_tournament(account: Account, order: TournamentOrder, now: int) -> TournamentHead:
    """Return a tournament as ordered. Refuse one that cannot be played."""
    game, kind, name = _read_game(order), KINDS.get(order.kind), clean(order.name, MAX_NAME)
    control = clock.read(order.time) if order.time in map(str, clock.PRESETS) else None
    reason = None
    if kind is None:
        reason = BAD_KIND.fill(kinds=join_texts([one.name for one in offered_kinds()]))
    elif not name and kind.is_timed:
        reason = NO_NAME
    elif has_address(name):
        reason = ADDRESS_NAME
    elif refusal := kind.refusal(order, game, control):
        reason = refusal
    elif not 0 <= order.begins_in <= MAX_BEGIN_MIN:
        reason = BAD_BEGINNING.fill(most=MAX_BEGIN_MIN)
    elif order.public and account.role != AccountRole.KEEPER:
        reason = FOR_KEEPERS
    if reason:
        raise Refused(ErrorCode.BAD_TOURNAMENT, why=reason)
    assert game is not None
    assert kind is not None
    head = TournamentHead(
        order.kind,
        id=random_id(12),
        name=name,
        game=game.id,
        options=game.non_default_options,
        control=order.time,
        rated=order.rated,
        public=order.public,
        begins_at=now + order.begins_in * MINUTE_MS,
        opener_id=account.id,
        created=now,
    )
    return kind.terms(head, order)


def _read_game(order: TournamentOrder) -> Game | None:
    """Return the ordered game with its options; None if there is none of this name. Refuse wrong options."""
    if order.game not in games():
        return None
    try:
        return complete_game(order.game, dict(order.options))
    except (UnknownGame, BadOption) as wrong:
        raise Refused(ErrorCode.BAD_OPTIONS, why=str(wrong)) from None


def _refuse_barred(connection: Connection, found: Tournament, account: Account) -> None:
    """Refuse an account that does not play against the only other one, as in a duel."""
    others = [one.account_id for one in found.entries if one.account_id]
    if others and kind_of(found).max_entries == 2:
        bars = find_meetings(connection, [account.id, *others])
        if not all(bars.may_meet(account.id, other) for other in others):
            raise Refused(ErrorCode.CANNOT_MEET)


def challenge_duel(connection: Connection, challenge: Challenge, now: int) -> str:
    """Store the duel of a challenge that was accepted, and return its id."""
    new = TournamentHead(
        DUEL,
        begins_at=now,
        minutes=DUEL_MIN,
        phase=Phase.RUNNING,
        id=random_id(12),
        name="",  # it is shown by those of its players, which they may change or erase
        game=challenge.wish.game,
        opener_id=challenge.challenger_id,
        created=now,
    )
    rows.add_tournament(connection, new)
    for account_id in (challenge.challenger_id, challenge.challenged_id):
        rows.add_entry(connection, new.id, account_id, "", START_RATING, now)
    return new.id


def _refuse_others(found: Tournament, account: Account) -> None:
    """Refuse everybody but the opener, and the opener once it has begun."""
    if found.head.opener_id != account.id or found.phase != Phase.OPEN:
        raise Refused(ErrorCode.NOT_OPENER)
