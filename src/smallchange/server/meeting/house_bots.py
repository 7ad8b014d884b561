"""House bots: the levels of each game for two as accounts with fixed ratings, which accept every challenge.

They anchor the scale: a newcomer who plays one is rated against a measured strength. Their levels play here as they
were measured, so there are none on a server whose settings change what a level does.
"""

from __future__ import annotations

from sqlalchemy import Connection

from smallchange.bots.levels import MOVE_TIME_S, load_bots
from smallchange.core.game import Game, games
from smallchange.core.glicko2 import START_RATING
from smallchange.server.meeting import seek_rows as seeks
from smallchange.server.meeting.meeting_rows import find_meetings
from smallchange.server.meeting.pairing import HouseOffer
from smallchange.server.meeting.seek_rows import StoredSeek
from smallchange.server.ratings import house_bot_rows as rows
from smallchange.server.ratings import rows as ratings
from smallchange.server.ratings.anchors import Anchor, anchors
from smallchange.server.ratings.house_bot_rows import HouseBot, house_id
from smallchange.server.settings import Settings
from smallchange.server.table.live.openings import Openings
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model import new_tables
from smallchange.server.table.model.new_tables import Sitter, Wish
from smallchange.server.table.storage.store import insert_table
from smallchange.server.web.account import Account
from smallchange.server.web.errors import ErrorCode, Refused


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
                rows.put_house_bots(connection, game, list(anchors(game).values()), now)

        await self._tables.store.write("house", job)

    async def all(self) -> list[HouseBot]:
        """Return all that play here, by game, the weakest of a game first."""
        accounts = await self._tables.store.read(rows.open_house_accounts)
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
            seek = seeks.seek_of(connection, account.id, lock=True)
            if seek is not None and seek.match:
                return seek
            if seek is None or seek.until <= now or not seek.rated or wish not in seek.wishes:
                return Refused(ErrorCode.NO_SEEK)
            if not find_meetings(connection, (account.id, bot.id)).may_meet(account.id, bot.id):
                return Refused(ErrorCode.CANNOT_MEET)
            match = begin_match(connection, self._tables.openings, wish, True, (account, bot), now)
            seeks.set_match(connection, [seek.id], match)
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
