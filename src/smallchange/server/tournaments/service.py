"""Tournaments for people: opening, entering and withdrawing. `director.py` runs them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import Connection

from smallchange import bots
from smallchange.core.errors import BadOption, UnknownGame
from smallchange.core.game import Game, complete_game, games, intern_game
from smallchange.i18n.text import Text
from smallchange.server.accounts.rows import KEEPER, Account
from smallchange.server.daily.days import daily_games, duel_games
from smallchange.server.meeting.challenge_rows import Challenge
from smallchange.server.meeting.followers import Followers
from smallchange.server.meeting.meeting_rows import find_meetings
from smallchange.server.ratings.glicko2 import START_RATING
from smallchange.server.ratings.rows import rating_in
from smallchange.server.table import new_tables, time_control
from smallchange.server.table.history import PERSON, History, Seat
from smallchange.server.table.new_tables import random_id
from smallchange.server.table.table_service import TableService
from smallchange.server.table.time_control import MINUTE_MS
from smallchange.server.tournaments import league, swiss
from smallchange.server.tournaments import rows as rows
from smallchange.server.tournaments.model import (
    ARENA,
    DUEL,
    KINDS,
    LEAGUE,
    MAX_BOTS,
    OPEN,
    RUNNING,
    SEASON,
    SOLITAIRE,
    SWISS,
)
from smallchange.server.tournaments.progress import has_room, may_enter
from smallchange.server.tournaments.rows import StoredTournament, WholeTournament
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.typed_text import clean

MAX_NAME = 60  # characters
MAX_UNFINISHED = 5  # tournaments that an account has opened
MIN_ROUNDS, MAX_ROUNDS = 2, 11
MIN_ARENA_MIN, MAX_ARENA_MIN = 5, 240
DAY_MIN = 24 * 60
MAX_BEGIN_MIN = 30 * DAY_MIN

MIN_ROUND_MIN, MAX_ROUND_DAYS = 15, 14  # of a league and a duel
DUEL_MIN = 7 * DAY_MIN  # for a duel by a challenge

FOR_TWO = Text("choose a game for two")
FOR_ONE = Text("a league needs a game for one")
FOR_DUEL = Text("a duel needs a game with luck")
BAD_KIND = Text("choose round robin, season, Swiss, arena, league or duel")
BAD_LEAGUE_ROUNDS = Text(
    "a league has {least} to {most} rounds, a duel one, each of {minutes} minutes to {days} days"
)
NO_LEAGUE_BOTS = Text("only people play in a league or duel")
NO_SWISS = Text("this server lacks the package that pairs Swiss tournaments")
BAD_TIME = Text("choose one of the offered times for the moves")
ARENA_LIVE = Text("an arena needs a time control of minutes")
SEASON_SLOW = Text("a season needs a time control of days")
BAD_ROUNDS = Text("a Swiss has {least} to {most} rounds")
BAD_MINUTES = Text("an arena lasts {least} to {most} minutes")
BAD_BEGINNING = Text("it begins in 0 to {most} minutes")
FOR_KEEPERS = Text("only keepers open tournaments for everybody")
NO_NAME = Text("give it a name")
QUICK_BOT = Text("choose a bot of this game that answers at once")


class TournamentOrder(NamedTuple):
    """A tournament as its opener orders it.

    `rounds` counts in a Swiss and a league. `minutes` are those of an arena, or of each round of a league. `options`
    are those of the game. `begins_in` is in minutes. `delay` is the number of moves by which spectators are behind.
    """

    name: str
    kind: str
    game: str
    time: str
    rounds: int = 5
    minutes: int = 60
    begins_in: int = 10
    rated: bool = True
    public: bool = False
    options: Mapping[str, Any] = {}
    delay: int = 0


class Tournaments:
    """The tournaments of a server."""

    def __init__(self, tables: TableService, followers: Followers) -> None:
        self._tables = tables
        self._followers = followers

    async def open(self, account: Account, order: TournamentOrder) -> str:
        """Open a tournament, and return its id. Refuse one that cannot be played."""
        now = self._tables.now()
        new = _new_tournament(account, order, now)

        def job(connection: Connection) -> Refused | None:
            if rows.count_unfinished(connection, account.id) >= MAX_UNFINISHED:
                return Refused(ErrorCode.TOURNAMENT_LIMIT, most=MAX_UNFINISHED)
            rows.add_tournament(connection, new)
            if new.kind == DUEL:
                rows.add_entry(connection, new.id, account.id, "", START_RATING, now)
            return None

        if refused := await self._tables.store.write("tournament", job):
            raise refused
        return new.id

    async def find(self, id: str) -> WholeTournament:
        """Return a tournament. Refuse if there is none."""
        found = None if "\0" in id else await self._tables.store.read(lambda c: rows.find_tournament(c, id))
        if found is None:
            raise Refused(ErrorCode.NO_TOURNAMENT)
        return found

    async def of_match(self, match: str) -> tuple[str, str] | None:
        """Return the id and the name of the tournament that a match belongs to."""
        return await self._tables.store.read(lambda c: rows.tournament_of_match(c, match))

    async def own_turns(self, found: WholeTournament, account: Account | None) -> dict[str, History]:
        """Return the matches of a season in which it is the turn of an account, by their ids."""
        own = found.entry_of(account.id) if account and found.stored.kind == SEASON else None
        if own is None:
            return {}
        turns = dict[str, History]()
        for one in found.pairings_of(own.number):
            if one.match and one.pairing.points is None:
                with suppress(Refused):  # it may have ended and be gone
                    history = (await self._tables.current(one.match, own.holder)).history
                    if not history.ending and history.turn in history.seats_of(own.holder):
                        turns[one.match] = history
        return turns

    async def lists_for(
        self, account: Account | None
    ) -> tuple[list[StoredTournament], list[StoredTournament]]:
        """Return the public tournaments, and those that an account has opened or entered."""

        def ask(connection: Connection) -> tuple[list[StoredTournament], list[StoredTournament]]:
            own = rows.tournaments_of(connection, account.id) if account else []
            return rows.public_tournaments(connection), own

        return await self._tables.store.read(ask)

    async def enter(self, account: Account, id: str) -> None:
        """Let an account enter, or come back after it has withdrawn. Entering twice has no further effect."""

        def job(connection: Connection, found: WholeTournament) -> None:
            own = found.entry_of(account.id)
            self._refuse_late(found, new=own is None)
            if own is None:
                _refuse_barred(connection, found, account)
                rating = rating_in(connection, account.id, found.stored.game, found.stored.control)
                rows.add_entry(connection, id, account.id, "", rating, self._tables.now())
            else:
                rows.set_withdrawn(connection, id, own.number, False)

        await self._change(id, job)

    async def withdraw(self, account: Account, id: str) -> None:
        """Let an account withdraw. A match that it plays goes on."""

        def job(connection: Connection, found: WholeTournament) -> None:
            if own := found.entry_of(account.id):
                rows.set_withdrawn(connection, id, own.number, True)

        await self._change(id, job)

    async def enter_bots(self, account: Account, id: str, bot: str, count: int) -> None:
        """Enter a bot so many times. Only the opener can, before the tournament begins."""
        if not 1 <= count <= MAX_BOTS:
            raise Refused(ErrorCode.BAD_BOT_COUNT, given=count, most=MAX_BOTS)

        def job(connection: Connection, found: WholeTournament) -> None:
            _refuse_others(found, account)
            game = intern_game(complete_game(found.stored.game, found.stored.options))
            if found.stored.kind in SOLITAIRE:
                raise Refused(ErrorCode.BAD_TOURNAMENT, why=NO_LEAGUE_BOTS)
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

        def job(connection: Connection, found: WholeTournament) -> None:
            _refuse_others(found, account)
            rows.set_beginning(connection, id, self._tables.now())

        await self._change(id, job)

    async def play(self, account: Account, id: str) -> str:
        """Return the table on which an account plays the deal of the round that is open; it is begun if it is new.

        In a pair it is the first of both that is not over.
        """
        found, now = await self.find(id), self._tables.now()
        rules = found.stored.rules
        round = league.open_round(rules, now) if found.stored.kind in SOLITAIRE else 0

        game = intern_game(complete_game(found.stored.game, found.stored.options))

        def job(connection: Connection) -> rows.OpenPlay | None:
            rows.lock_tournament(connection, id)
            stored = rows.find_tournament(connection, id)
            own = stored.entry_of(account.id) if stored else None
            if stored is None or own is None or own.withdrawn or stored.stored.phase != RUNNING:
                return None
            return rows.add_play(connection, stored, game, round, own)

        made: rows.OpenPlay | None = None
        if 1 <= round <= rules.rounds:
            made = await self._tables.store.write(id, job)
        if made is None:
            raise Refused(ErrorCode.NO_DEAL)
        closes_at = league.closing_ms(rules, round)
        head = new_tables.sealed_head(made.match, game, made.secret, made.seal, now, closes_at)
        sitter = Seat("", PERSON, account.name, holder=account.holder)
        await self._tables.start_table(head, new_tables.deal_seats(game, made.seat, sitter))
        await self._tables.announce(id)
        return made.match

    def follow(self, id: str) -> AsyncIterator[WholeTournament]:
        """Yield a tournament now, every few seconds, and at once after every change, until it is over."""
        return self._followers.follow(id, lambda: self.find(id), lambda found: found.stored.ended is not None)

    async def _change(self, id: str, change: Callable[[Connection, WholeTournament], None]) -> None:
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
        await self._tables.announce(id)

    def _refuse_late(self, found: WholeTournament, new: bool, more: int = 0) -> None:
        """Refuse an entry where it is too late or there is no room."""
        tournament = found.tournament
        full = new and not has_room(tournament, more)
        if full or not may_enter(tournament, self._tables.now()):
            raise Refused(ErrorCode.CANNOT_ENTER)


def _new_tournament(account: Account, order: TournamentOrder, now: int) -> StoredTournament:
    """Return a tournament as ordered. Refuse one that cannot be played."""
    game = _read_game(order)
    limits = {"least": MIN_ROUNDS, "most": MAX_ROUNDS}, {"least": MIN_ARENA_MIN, "most": MAX_ARENA_MIN}
    is_league = order.kind in SOLITAIRE
    control = time_control.read(order.time) if order.time in map(str, time_control.PRESETS) else None
    round_limits = {"least": 1, "most": MAX_ROUNDS, "minutes": MIN_ROUND_MIN, "days": MAX_ROUND_DAYS}
    is_long = MIN_ROUND_MIN <= order.minutes <= MAX_ROUND_DAYS * DAY_MIN and (
        order.kind == DUEL or 1 <= order.rounds <= MAX_ROUNDS
    )
    name = clean(order.name, MAX_NAME)
    wrong = (
        (not name and order.kind != DUEL, NO_NAME),
        (order.kind not in KINDS, BAD_KIND),
        (order.kind == LEAGUE and (game is None or game.id not in daily_games()), FOR_ONE),
        (order.kind == DUEL and (game is None or game.id not in duel_games()), FOR_DUEL),
        (not is_league and (game is None or len(game.seats) != 2), FOR_TWO),
        (order.kind == SWISS and not swiss.is_installed(), NO_SWISS),
        (is_league and not is_long, BAD_LEAGUE_ROUNDS.fill(**round_limits)),
        (not is_league and control is None, BAD_TIME),
        (order.kind == ARENA and control is not None and not control.live, ARENA_LIVE),
        (order.kind == SEASON and control is not None and control.live, SEASON_SLOW),
        (order.kind == SWISS and not MIN_ROUNDS <= order.rounds <= MAX_ROUNDS, BAD_ROUNDS.fill(**limits[0])),
        (
            order.kind == ARENA and not MIN_ARENA_MIN <= order.minutes <= MAX_ARENA_MIN,
            BAD_MINUTES.fill(**limits[1]),
        ),
        (not 0 <= order.begins_in <= MAX_BEGIN_MIN, BAD_BEGINNING.fill(most=MAX_BEGIN_MIN)),
        (order.public and account.role != KEEPER, FOR_KEEPERS),
    )
    if reason := next((why for is_wrong, why in wrong if is_wrong), None):
        raise Refused(ErrorCode.BAD_TOURNAMENT, why=reason)
    assert game is not None
    return StoredTournament(
        id=random_id(12),
        name=name,
        kind=order.kind,
        game=game.id,
        options=game.non_default_options,
        control="" if is_league else order.time,
        rated=order.rated and not is_league,
        public=order.public,
        rounds=1 if order.kind == DUEL else order.rounds if order.kind in (SWISS, LEAGUE) else 0,
        minutes=order.minutes if order.kind in (ARENA, *SOLITAIRE) else 0,
        begins_at=now if order.kind == DUEL else now + order.begins_in * MINUTE_MS,
        phase=RUNNING if order.kind == DUEL else OPEN,
        opener_id=account.id,
        created=now,
        delay=0 if is_league else new_tables.check_delay(order.delay, game),
        season=1 if order.kind == SEASON else 0,
    )


def _read_game(order: TournamentOrder) -> Game | None:
    """Return the ordered game with its options; None if there is none of this name. Refuse wrong options."""
    if order.game not in games():
        return None
    try:
        return intern_game(complete_game(order.game, dict(order.options)))
    except (UnknownGame, BadOption) as wrong:
        raise Refused(ErrorCode.BAD_OPTIONS, why=str(wrong)) from None


def _refuse_barred(connection: Connection, found: WholeTournament, account: Account) -> None:
    """Refuse an account that does not play against the other one of a duel."""
    others = [one.account_id for one in found.entries if one.account_id]
    if found.stored.kind == DUEL and others:
        bars = find_meetings(connection, [account.id, *others])
        if not all(bars.may_meet(account.id, other) for other in others):
            raise Refused(ErrorCode.CANNOT_MEET)


def challenge_duel(connection: Connection, challenge: Challenge, now: int) -> str:
    """Store the duel of a challenge that was accepted, and return its id."""
    new = StoredTournament(
        id=random_id(12),
        name="",  # it is shown by those of its players, which they may change or erase
        kind=DUEL,
        game=challenge.wish.game,
        options={},
        control="",
        rated=False,
        public=False,
        rounds=1,
        minutes=DUEL_MIN,
        begins_at=now,
        phase=RUNNING,
        opener_id=challenge.challenger_id,
        created=now,
    )
    rows.add_tournament(connection, new)
    for account_id in (challenge.challenger_id, challenge.challenged_id):
        rows.add_entry(connection, new.id, account_id, "", START_RATING, now)
    return new.id


def _refuse_others(found: WholeTournament, account: Account) -> None:
    """Refuse everybody but the opener, and the opener once it has begun."""
    if found.stored.opener_id != account.id or found.stored.phase != OPEN:
        raise Refused(ErrorCode.NOT_OPENER)
