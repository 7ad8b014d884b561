"""Challenges: an account asks another by name for a match, which begins when it is accepted, by house bots at once.

House bots are the levels of each game for two as accounts with fixed ratings. They anchor the scale: a newcomer who
plays one is rated against a measured strength. Their levels play here as they were measured, so there are none on a
server whose settings change what a level does.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import nullcontext

from sqlalchemy import Connection

from smallchange.bots.levels import MOVE_TIME_S, load_bots
from smallchange.core.game import Game, games
from smallchange.core.glicko2 import START_RATING
from smallchange.i18n.text import Text
from smallchange.server.accounts.rows import account_by_id
from smallchange.server.daily.days import daily_games, paired_games
from smallchange.server.meeting import rows
from smallchange.server.meeting.pairing import HouseOffer
from smallchange.server.meeting.rows import Challenge, StoredSeek, find_meetings
from smallchange.server.notifications.model import CHALLENGED, Notification
from smallchange.server.notifications.rows import put_notifications, settle_notifications
from smallchange.server.ratings import rows as ratings
from smallchange.server.ratings.anchors import (
    Anchor,
    HouseBot,
    anchors,
    house_id,
    open_house_accounts,
    put_house_bots,
)
from smallchange.server.settings import Settings
from smallchange.server.table.live.openings import Openings
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model import clock, new_tables
from smallchange.server.table.model.clock import DAY_MS, MINUTE_MS
from smallchange.server.table.model.new_tables import Sitter, Wish
from smallchange.server.table.storage.store import insert_table
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.event_stream import Waiting
from smallchange.server.web.limits import Limits
from smallchange.server.web.sessions import Account


class HouseBots:
    """The house bots of this site."""

    def __init__(self, tables: TableService, settings: Settings) -> None:
        self._tables = tables
        self._settings = settings

    async def open(self) -> None:
        """Create those that are not there yet."""
        now = self._tables.now()

        def job(connection: Connection) -> None:
            for game in map(Game, games()):
                put_house_bots(connection, game, list(anchors(game).values()), now)

        await self._tables.store.write("house", job)

    async def all(self) -> list[HouseBot]:
        """Return all that play here, by game, the weakest of a game first."""
        accounts = await self._tables.store.read(open_house_accounts)
        return [
            HouseBot(account, game.id, anchor)
            for game in map(Game, games())
            for anchor in self._playable(game)
            if (account := accounts.get(house_id(game.id, anchor.level)))
        ]

    def find(self, account: Account) -> HouseBot | None:
        """Return the house bot with this account; None for any other account, and for one that does not play here."""
        game, level = (str(account.preferences.get(name, "")) for name in ("game", "level"))
        if not account.is_house or game not in games():
            return None
        found = next((one for one in self._playable(Game(game)) if one.level == level), None)
        return HouseBot(account, game, found) if found else None

    async def offer(self, account: Account, seek: StoredSeek) -> HouseOffer | None:
        """Return the house bot nearest in rating to somebody who looks for a rated game; None where there is none.

        It plays the first game of the seek that has house bots, at the first time for it.
        """
        if not seek.rated:
            return None
        found = await self.all()
        wish = next((wish for wish in seek.wishes if any(bot.game == wish.game for bot in found)), None)
        if wish is None:
            return None
        standings = await self._tables.store.read(lambda c: ratings.standings_of(c, account.id))
        own = {(one.game, one.speed): one.standing.rating.points for one in standings}
        points = own.get((wish.game, wish.speed), START_RATING)
        bots = [bot for bot in found if bot.game == wish.game]
        return HouseOffer(min(bots, key=lambda bot: abs(bot.anchor.points - points)), wish)

    async def answer_seek(self, account: Account, bot: Account, time: str) -> str:
        """Begin a rated game against a house bot in answer to the seek of an account; return the id of its table.

        A seek leads to one table: once it is paired, that is its table. Refuse a game or time that was not looked for.
        """
        house = self.find(bot)
        if house is None:
            raise Refused(ErrorCode.CANNOT_MEET)
        wish, now = Wish(house.game, time), self._tables.now()

        def job(connection: Connection) -> Refused | StoredSeek:
            seek = rows.seek_of(connection, account.id, lock=True)
            if seek is not None and seek.match:
                return seek
            if seek is None or seek.until <= now or not seek.rated or wish not in seek.wishes:
                return Refused(ErrorCode.NO_SEEK)
            if not find_meetings(connection, (account.id, bot.id)).may_meet(account.id, bot.id):
                return Refused(ErrorCode.CANNOT_MEET)
            match = begin_match(connection, self._tables.openings, wish, True, (account, bot), now)
            rows.set_seek_matches(connection, [seek.id], match)
            return seek._replace(match=match)

        self._tables.openings.refuse_while_draining()
        answered: Refused | StoredSeek = await self._tables.store.write("seek", job)
        if isinstance(answered, Refused):
            raise answered
        await self._tables.live.announce(answered.id)
        assert answered.match is not None
        return answered.match

    def _playable(self, game: Game) -> list[Anchor]:
        """Return the anchors of a game whose levels play here as they were measured, the weakest first."""
        settings, levels = self._settings, load_bots(game)
        is_usual = not settings.bot_simulations and settings.bot_seconds >= MOVE_TIME_S
        return [
            anchor
            for anchor in anchors(game).values()
            if levels[anchor.level].instant or (is_usual and not levels[anchor.level].install_advice)
        ]


def begin_match(
    connection: Connection,
    openings: Openings,
    wish: Wish,
    rated: bool,
    accounts: tuple[Account, Account],
    now: int,
) -> str:
    """Store a table for two accounts, and return its id. The second of them is not notified."""
    first, second = (sitter(one) for one in accounts)
    new = new_tables.pair_up(wish, rated, (first, second), new_tables.random_id, now)
    table = openings.rows(*new, second.holder)
    insert_table(connection, table)
    return table.head.id


def sitter(account: Account) -> Sitter:
    """Return an account as it takes a seat: a house bot with the level that plays for it."""
    bot = str(account.preferences["level"]) if account.is_house else ""
    return Sitter(account.name, account.holder, bot)


MAX_CHALLENGES = 20  # of an account, that wait for an answer
LIVE_CHALLENGE_MS = 60 * MINUTE_MS
SLOW_CHALLENGE_MS = 7 * DAY_MS
UNRATED_BOTS = Text(
    "a game of two bots is rated only if one of them is a house bot, and a game of a bot and its owner never is."
)


OpenDuel = Callable[[Connection, Challenge, int], str]  # stores the duel of a challenge, and returns its id


class Challenges:
    """The challenges of all accounts."""

    def __init__(
        self,
        tables: TableService,
        waiting: Waiting,
        house: HouseBots,
        open_duel: OpenDuel,
        limits: Limits,
    ) -> None:
        self._tables = tables
        self._waiting = waiting
        self._house = house
        self._open_duel = open_duel
        self._limits = limits

    async def challenge(
        self, account: Account, other: Account, wish: Wish, rated: bool, address: str
    ) -> Challenge:
        """Send a challenge. A game with a house bot begins at once, so it counts as a table of the address."""
        with self._limits.opening_table(address) if other.is_house else nullcontext():
            return await self.send(account, other, wish, rated)

    async def send(self, account: Account, other: Account, wish: Wish, rated: bool) -> Challenge:
        """Challenge another account. Refused where the two may not meet, or too many challenges wait.

        In a game for one the challenge is to a duel, in one for two without a time to a duplicate pair: both have no
        time control and are not rated. A bot challenges only bots and its owner. A house bot accepts at once, in its
        own game.
        """
        is_duel = wish.game in daily_games() or (wish.game in paired_games() and not wish.time)
        if is_duel and not account.is_bot and not other.is_bot:
            if wish.time:
                new_tables.check_preset(wish.time)
            wish, rated = Wish(wish.game, ""), False
        else:
            new_tables.check_wish(wish)
        if other.is_house:
            self._check_house(other, wish)
        if account.is_bot and not other.is_bot and account.owner_id != other.id:
            raise Refused(ErrorCode.BOT_ACCOUNT)
        now, control = self._tables.now(), clock.read(wish.time)
        lasts = LIVE_CHALLENGE_MS if control and control.live else SLOW_CHALLENGE_MS
        new = Challenge(
            new_tables.random_id(12),
            account.id,
            other.id,
            wish,
            rated,
            now,
            now + lasts,
            False,
            None,
            account.name,
            other.name,
        )

        def job(connection: Connection) -> Refused | Challenge:
            bars = rows.find_meetings(connection, (account.id, other.id), now)
            if refused := _meeting_refusal(bars, account.id, other.id, rated):
                return refused
            if rows.count_challenges(connection, account.id, now) >= MAX_CHALLENGES:
                return Refused(ErrorCode.CHALLENGE_LIMIT, most=MAX_CHALLENGES)
            if other.is_house:
                match = begin_match(connection, self._tables.openings, wish, rated, (account, other), now)
                rows.add_challenge(connection, new._replace(match=match))
                return new._replace(match=match)
            rows.add_challenge(connection, new)
            put_notifications(connection, [Notification(other.holder, new.id, CHALLENGED, 0)], now)
            return new

        sent: Refused | Challenge = await self._tables.store.write("challenge", job)
        if isinstance(sent, Refused):
            raise sent
        if not other.is_house:
            await self._tables.live.announce(other.id)
            self._tables.live.on_told((other.holder,))
        return sent

    def _check_house(self, other: Account, wish: Wish) -> None:
        """Refuse a challenge of a house bot that does not play here, or to another game than its own."""
        house = self._house.find(other)
        if house is None:
            raise Refused(ErrorCode.CANNOT_MEET)
        if wish.game != house.game:
            raise Refused(ErrorCode.BAD_WISH, given=wish.game, accepted=[house.game])

    async def waiting(self, account: Account) -> list[Challenge]:
        """Return the challenges of an account and to it that wait for an answer."""
        now = self._tables.now()
        return await self._tables.store.read(lambda c: rows.waiting_challenges(c, account.id, now))

    async def find(self, account: Account, id: str) -> Challenge:
        """Return a challenge of this account or to it. Refuse if there is none."""
        found = await self._tables.store.read(lambda c: rows.find_challenge(c, id))
        if found is None or account.id not in (found.challenger_id, found.challenged_id):
            raise Refused(ErrorCode.NO_CHALLENGE)
        return found

    async def answer(self, account: Account, id: str, yes: bool) -> str | None:
        """Accept a challenge and return the id of its match, or decline it. Its sender can only withdraw it."""
        found = await self.find(account, id)
        now = self._tables.now()
        if yes:
            self._tables.openings.refuse_while_draining()

        def job(connection: Connection) -> Refused | str | None:
            stored = rows.find_challenge(connection, id, lock=True)
            if stored is not None and stored.match and yes:
                return stored.match  # it is accepted already
            if stored is None or not stored.is_waiting(now):
                return Refused(ErrorCode.NO_CHALLENGE)
            settle_notifications(connection, id, now)
            if account.id == stored.challenger_id:
                rows.remove_challenge(connection, id)
                return None
            if not yes:
                rows.set_declined(connection, id)
                return None
            return self._begin(connection, stored, now)

        answered: Refused | str | None = await self._tables.store.write("challenge", job)
        if isinstance(answered, Refused):
            raise answered
        challenged = await self._tables.store.read(lambda c: account_by_id(c, found.challenged_id))
        self._tables.live.on_told((challenged.holder,) if challenged else ())
        for changed in (id, found.challenger_id, found.challenged_id):
            await self._tables.live.announce(changed)
        return answered

    def follow(self, account: Account, id: str) -> AsyncIterator[Challenge | None]:
        """Yield a challenge now, every few seconds, and as soon as it is answered; last None if it is gone."""

        async def look() -> Challenge | None:
            try:
                return await self.find(account, id)
            except Refused as wrong:
                if wrong.code != ErrorCode.NO_CHALLENGE:
                    raise
                return None

        now = self._tables.now
        return self._waiting.follow(id, look, lambda found: found is None or not found.is_waiting(now()))

    def _begin(self, connection: Connection, found: Challenge, now: int) -> Refused | str:
        """Begin the match of a challenge, and return its id."""
        both = found.challenger_id, found.challenged_id
        bars = rows.find_meetings(connection, both, now)
        if refused := _meeting_refusal(bars, *both, found.rated):
            return refused
        if found.is_duel:
            duel = self._open_duel(connection, found, now)
            rows.set_challenge_match(connection, found.id, duel)
            return duel
        first, second = (account_by_id(connection, id) for id in both)
        assert first is not None
        assert second is not None
        match = begin_match(connection, self._tables.openings, found.wish, found.rated, (first, second), now)
        rows.set_challenge_match(connection, found.id, match)
        return match

    async def set_block(self, account: Account, other: Account, on: bool) -> None:
        """Let an account block another, or no longer. Neither follows the other then."""

        def job(connection: Connection) -> None:
            rows.set_block(connection, account.id, other.id, on)
            if on:
                rows.end_follows(connection, account.id, other.id)

        if account.id != other.id:
            await self._tables.store.write("block", job)

    async def has_block(self, account: Account, other: Account) -> bool:
        """Return whether an account blocks another."""
        return await self._tables.store.read(lambda c: rows.has_block(c, account.id, other.id))

    async def set_follow(self, account: Account, other: Account, on: bool) -> None:
        """Let an account follow another, or no longer. The other is not told."""

        def job(connection: Connection) -> Refused | None:
            if on and rows.has_block(connection, other.id, account.id):
                return Refused(ErrorCode.CANNOT_MEET)
            well = rows.set_follow(connection, account.id, other.id, on)
            return None if well else Refused(ErrorCode.OWNED_LIMIT, most=rows.MAX_FOLLOWED)

        if account.id == other.id:
            raise Refused(ErrorCode.CANNOT_MEET)
        refused = await self._tables.store.write("follow", job)
        if refused is not None:
            raise refused

    async def has_follow(self, account: Account, other: Account) -> bool:
        """Return whether an account follows another."""
        return await self._tables.store.read(lambda c: rows.has_follow(c, account.id, other.id))

    async def followed_names(self, account: Account) -> list[str]:
        """Return the names of the accounts that an account rows."""
        return await self._tables.store.read(lambda c: rows.followed_names(c, account.id))


def _meeting_refusal(bars: rows.Meetings, first: str, second: str, rated: bool) -> Refused | None:
    """Return the refusal of a match between two accounts; None if they may play it."""
    if bars.are_busy(frozenset((first, second))):
        return Refused(ErrorCode.BOT_LIMIT, most=rows.MAX_BOT_MATCHES)
    if not bars.may_meet(first, second):
        return Refused(ErrorCode.CANNOT_MEET)
    if rated and not bars.may_be_rated(first, second):
        return Refused(ErrorCode.CANNOT_RATE, why=UNRATED_BOTS)
    return None
