"""The deal of the day: begin today's, and say how one did among all who played it.

A day's deal is made when somebody first asks for it. A bot plays it too, at a table of its own: par.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache

from sqlalchemy import Connection

from smallchange import bots
from smallchange.core.commitment import Envelope
from smallchange.core.errors import BadOption
from smallchange.core.game import Game
from smallchange.i18n.text import Text
from smallchange.server.daily import rows as rows
from smallchange.server.daily.days import (
    closing_ms,
    daily_game,
    daily_games,
    day_number,
    opening_ms,
    streak,
    table_id,
)
from smallchange.server.daily.model import DailyCard, DailyPlace, DailyStandings
from smallchange.server.daily.rows import DailyDeal, Entry
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model.history import Head, History, Seat, SeatKind
from smallchange.server.table.model.new_tables import person_name, random_id
from smallchange.server.table.model.origins import Daily
from smallchange.server.table.model.outcome import outcome
from smallchange.server.table.storage.store import Store
from smallchange.server.table.view.ending import outcome_text, score_text
from smallchange.server.web.errors import ErrorCode, Refused

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
        return table or await self._start(deal, Seat("", SeatKind.PERSON, person_name(name), holder=holder))

    async def cards(self, holder: str) -> list[DailyCard]:
        """Return today's deals as this holder stands at them."""
        return [await self._card(await self._todays_deal(game), holder) for game in daily_games()]

    async def best_today(self) -> list[tuple[Text, Text]]:
        """Return the best results so far with today's deals for one: the game's title and the score in words."""
        day, ids = self.today, daily_games()
        best = await self._store.read(lambda c: rows.best_scores(c, day, ids))
        words = {id: Game(id).words for id in ids if id in best}
        return [(said.TITLE, score_text(said, best[id])) for id, said in words.items()]

    async def _card(self, deal: DailyDeal, holder: str) -> DailyCard:
        def ask(connection: Connection) -> tuple[str | None, list[Entry]]:
            table = rows.table_of(connection, deal.day, deal.game, holder)
            return table, rows.entries(connection, deal.day, deal.game)

        match, entries = await self._store.read(ask)
        history = (await self._tables.live.current(match, holder)).history if match else None
        verdict = _verdict(history) if history else None
        card = DailyCard(deal.day, _game(deal), match, verdict, finished=len(entries))
        if verdict is None:
            return card
        card = card._replace(par=await self._par(deal))
        own = next((entry for entry in entries if entry.holder == holder), None)
        if own is None:
            return card
        scores = [entry.score for entry in entries if entry.has_place]
        place = 1 + sum(other > own.score for other in scores) if own.has_place else 0
        worse = sum(other < own.score for other in scores)
        return card._replace(place=place, entries=len(scores), worse=worse, counts=True)

    async def standings(self, day: int, holder: str) -> list[DailyStandings]:
        """Return the standings of a day. Refused before it has closed, and if nobody has played."""
        now = self._tables.now()
        closes_at = await self._store.read(lambda c: rows.closing_ms_of(c, day))
        if now < closes_at or self._tables.live.is_away(now):
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
        entries = sorted(entries, key=lambda entry: not entry.has_place)
        listed = entries[:MAX_LISTED]
        tables = await self._tables.live.all_current([entry.match for entry in listed])
        scores = [entry.score for entry in entries]
        places = []
        for entry in listed:
            verdict = _verdict(tables[entry.match].history) if entry.match in tables else None
            if verdict:
                place = 1 + scores.index(entry.score) if entry.has_place else 0
                places.append(DailyPlace(place, entry.match, entry.name, verdict, entry.holder == holder))
        par = await self._par(deal)
        return DailyStandings(_game(deal), len(entries), tuple(places), par, _par_table(deal))

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
            deal = await self._store.read(lambda c: rows.find_deal(c, day, game))
            if deal is None:
                envelope = Envelope.create()
                assert envelope.secret is not None
                options = json.dumps(daily_game(game, day).non_default_options)
                new = DailyDeal(day, game, options, envelope.secret, envelope.seal)
                deal = await self._store.write("", lambda c: rows.add_deal(c, new))
            if self._store.site.is_draining:
                return deal  # the bot begins once games may
            self._deals = {key: one for key, one in self._deals.items() if key[0] == day}
            self._deals[day, game] = deal
            await self._start_par(deal)
        return self._deals[day, game]

    async def _start_par(self, deal: DailyDeal) -> None:
        """Let the best bot begin the deal at its own table, unless it has."""
        best = bots.best_bot(_game(deal))
        if not best.install_advice:
            await self._start(deal, Seat("", SeatKind.BOT, best.name, best.name, holder=SeatKind.BOT))

    async def _start(self, deal: DailyDeal, sitter: Seat) -> str:
        """Start the table on which somebody plays the deal, unless there is one, and return its id."""
        game, now = _game(deal), max(self._tables.now(), opening_ms(deal.day))
        id, code = table_id(deal.secret, sitter.holder), random_id(16)
        head = Head(id, game, game.version, deal.secret, deal.seal, code, now, Daily(deal.day))
        return await self._tables.openings.start_table(head, (replace(sitter, player=game.seats[0]),))

    async def _par(self, deal: DailyDeal) -> Text | None:
        """Return how the bot ended; None while it plays, and where it cannot."""
        id = _par_table(deal)
        try:
            found = await self._tables.live.all_current([id])
        except Refused as wrong:
            if wrong.code != ErrorCode.NO_TABLE:
                raise
            return None
        return _verdict(found[id].history) if id in found else None


def _game(deal: DailyDeal) -> Game:
    """Return the game of a deal. Refused if its rules have changed since."""
    try:
        return _game_with(deal.game, deal.options)
    except BadOption:
        raise Refused(ErrorCode.NO_PAGE) from None


@lru_cache(64)
def _game_with(id: str, options: str) -> Game:
    """Return the game of this id, given its options as JSON."""
    return Game(id, json.loads(options))


def _par_table(deal: DailyDeal) -> str:
    """Return the id of the table on which the bot plays."""
    return table_id(deal.secret, SeatKind.BOT)


def _verdict(history: History) -> Text | None:
    """Return how a match ended, in words; None before its end."""
    return outcome_text(history.match, outcome(history.match, history.ending)) if history.ending else None
