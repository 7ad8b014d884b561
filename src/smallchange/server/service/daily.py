"""The deal of the day: begin today's, and say how one did among all who played it.

A day's deal is made when somebody first asks for it. A bot plays it too, at a table of its own: par.
"""

from __future__ import annotations

import json

from sqlalchemy import Connection

from smallchange import bots
from smallchange.core.commitment import Envelope
from smallchange.core.errors import BadOption
from smallchange.core.game import Game, intern_game
from smallchange.i18n.text import Text
from smallchange.server.storage import daily as rows
from smallchange.server.storage.daily import DailyDeal, Entry
from smallchange.server.storage.store import Store
from smallchange.server.table.daily import (
    closing_ms,
    daily_game,
    daily_games,
    day_number,
    opening_ms,
    streak,
    table_id,
)
from smallchange.server.table.errors import ErrorCode, Refused
from smallchange.server.table.history import BOT, PERSON, Head, History, Seat
from smallchange.server.table.new_tables import person_name, random_id
from smallchange.server.table.outcome import outcome
from smallchange.server.view.ending import outcome_text
from smallchange.server.view.model import DailyCard, DailyPlace, DailyStandings

from .table_service import TableService

MAX_STREAK_DAYS = 1000
MAX_ARCHIVED_DAYS = 30
MAX_LISTED = 50  # entries


class DailyDeals:
    """The deals of all days."""

    def __init__(self, store: Store, tables: TableService) -> None:
        self._store = store
        self._tables = tables
        self._deals: dict[tuple[int, str], DailyDeal] = {}

    @property
    def today(self) -> int:
        """The number of the day that it is now, in UTC."""
        return day_number(self._tables.now())

    @property
    def closes_in_ms(self) -> int:
        """The time until today closes, in milliseconds."""
        return closing_ms(self.today) - self._tables.now()

    async def play(self, holder: str, name: str, game: str) -> str:
        """Return the table on which this holder plays today's deal; it is begun where there is none."""
        deal = await self._todays_deal(game)
        table = await self._store.read(lambda c: rows.table_of(c, deal.day, game, holder))
        if table is not None:
            return table
        seat = Seat(Game(game).seats[0], PERSON, person_name(name), holder=holder)
        return await self._tables.start_table(self._head(deal, table_id(deal.secret, holder)), (seat,))

    async def cards(self, holder: str) -> list[DailyCard]:
        """Return today's deals as this holder stands at them."""
        return [await self._card(await self._todays_deal(game), holder) for game in daily_games()]

    async def _card(self, deal: DailyDeal, holder: str) -> DailyCard:
        def ask(connection: Connection) -> tuple[str | None, list[Entry]]:
            return rows.table_of(connection, deal.day, deal.game, holder), rows.entries(
                connection, deal.day, deal.game
            )

        match, entries = await self._store.read(ask)
        verdict = _verdict((await self._tables.live_table(match)).history) if match else None
        score = next((entry.score for entry in entries if entry.holder == holder), None)
        place = 0 if score is None else 1 + sum(entry.score > score for entry in entries)
        worse = 0 if score is None else sum(entry.score < score for entry in entries)
        par = await self._par(deal) if verdict else None
        return DailyCard(deal.day, _game(deal), match, verdict, place, len(entries), worse, par)

    async def standings(self, day: int, holder: str) -> list[DailyStandings]:
        """Return the standings of a day. Refused before it has closed, and if nobody has played."""
        if day >= self.today:
            raise Refused(ErrorCode.SEALED)
        found = []
        for game in daily_games():
            deal, entries = await self._day(day, game)
            if deal and entries:
                found.append(await self._standings(deal, entries, holder))
        if not found:
            raise Refused(ErrorCode.NO_PAGE)
        return found

    async def _standings(self, deal: DailyDeal, entries: list[Entry], holder: str) -> DailyStandings:
        listed = entries[:MAX_LISTED]
        tables = await self._tables.all_current([entry.match for entry in listed])
        scores = [entry.score for entry in entries]
        places = [
            DailyPlace(
                1 + scores.index(entry.score), entry.match, entry.name, verdict, entry.holder == holder
            )
            for entry in listed
            if entry.match in tables and (verdict := _verdict(tables[entry.match].history))
        ]
        return DailyStandings(
            _game(deal), len(entries), tuple(places), await self._par(deal), _par_table(deal)
        )

    async def streak(self, holder: str) -> int:
        """Return on how many days in a row this holder has finished a deal of the day."""
        days = await self._store.read(lambda c: rows.days_played(c, holder, MAX_STREAK_DAYS))
        return streak(days, self.today)

    async def archive(self) -> list[int]:
        """Return the newest days that have closed and were played, the newest first."""
        return await self._store.read(lambda c: rows.days_with_deals(c, self.today, MAX_ARCHIVED_DAYS))

    async def _day(self, day: int, game: str) -> tuple[DailyDeal | None, list[Entry]]:
        """Return the deal of a day, None if nobody asked for it that day, and its entries."""
        return await self._store.read(lambda c: (rows.find_deal(c, day, game), rows.entries(c, day, game)))

    async def _todays_deal(self, game: str) -> DailyDeal:
        """Return today's deal, made now if nobody has asked for it before, and let the bot play it."""
        if game not in daily_games():
            raise Refused(ErrorCode.NO_PAGE)
        day = self.today
        if (day, game) not in self._deals:
            envelope = Envelope.create()
            assert envelope.secret is not None
            options = json.dumps(daily_game(game, day).non_default_options)
            new = DailyDeal(day, game, options, envelope.secret, envelope.seal)

            def job(connection: Connection) -> DailyDeal:
                return rows.add_deal(connection, new)

            self._deals = {key: deal for key, deal in self._deals.items() if key[0] == day}
            self._deals[day, game] = await self._store.write("", job)
            await self._start_par(self._deals[day, game])
        return self._deals[day, game]

    async def _start_par(self, deal: DailyDeal) -> None:
        """Let the best bot begin the deal at its own table, unless it has."""
        game = _game(deal)
        best = bots.best_bot(game)
        if not best.install_advice:
            seat = Seat(game.seats[0], BOT, best.name, best.name, holder=BOT)
            await self._tables.start_table(self._head(deal, _par_table(deal)), (seat,))

    async def _par(self, deal: DailyDeal) -> Text | None:
        """Return how the bot ended; None while it plays, and where it cannot."""
        try:
            return _verdict((await self._tables.live_table(_par_table(deal))).history)
        except Refused as wrong:
            if wrong.code not in (ErrorCode.NO_TABLE, ErrorCode.RULES_CHANGED):
                raise
            return None

    def _head(self, deal: DailyDeal, id: str) -> Head:
        game = _game(deal)
        code, now = random_id(16), max(self._tables.now(), opening_ms(deal.day))
        return Head(id, game, game.version, deal.secret, deal.seal, False, code, now, day=deal.day)


def _game(deal: DailyDeal) -> Game:
    """Return the game of a deal. Refused if its rules have changed since."""
    try:
        return intern_game(Game(deal.game, deal.non_default_options))
    except BadOption:
        raise Refused(ErrorCode.NO_PAGE) from None


def _par_table(deal: DailyDeal) -> str:
    """Return the id of the bot's table."""
    return table_id(deal.secret, BOT)


def _verdict(history: History) -> Text | None:
    """Return how a match ended, in words; None before its end."""
    return outcome_text(history.match, outcome(history.match, history.ending)) if history.ending else None
