"""The deal of the day: begin today's, and say how one did among all who played it.

A day's deal is made when somebody first asks for it. A bot plays it too, at tables of its own: par. A game for two
has a duplicate pair: everybody plays a game from each side, against the same bot.
"""

from __future__ import annotations

import json
from functools import lru_cache

from sqlalchemy import Connection

from smallchange import bots
from smallchange.core.commitment import Envelope
from smallchange.core.errors import BadOption
from smallchange.core.game import Game, intern_game
from smallchange.i18n.text import Text
from smallchange.server.daily import rows as rows
from smallchange.server.daily.days import (
    DealScore,
    closing_ms,
    daily_game,
    daily_games,
    day_number,
    opening_ms,
    pair_bot,
    paired_games,
    seal_of,
    seat_secret,
    streak,
    table_id,
)
from smallchange.server.daily.model import DailyCard, DailyGame, DailyPlace, DailyStandings
from smallchange.server.daily.rows import DailyDeal, DailyTable, Entry
from smallchange.server.daily.view import pair_verdict
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model.history import Head, History, Seat, SeatKind
from smallchange.server.table.model.new_tables import deal_seats, person_name, random_id
from smallchange.server.table.model.origins import Daily
from smallchange.server.table.model.outcome import margins, outcome, points
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
        """Return the table on which this holder plays today's deal; it is begun where there is none.

        In a pair it is the first of both that is not over.
        """
        deal = await self._todays_deal(game)
        tables = await self._store.read(lambda c: rows.tables_of(c, deal.day, game, holder))
        seats = range(len(_game(deal).seats))
        seat = next((seat for seat in seats if seat not in tables or not tables[seat].is_over), 0)
        if seat in tables:
            return tables[seat].match
        return await self._start(deal, seat, Seat("", SeatKind.PERSON, person_name(name), holder=holder))

    async def cards(self, holder: str) -> list[DailyCard]:
        """Return today's deals as this holder stands at them."""
        games = (*daily_games(), *paired_games())
        return [await self._card(await self._todays_deal(game), holder) for game in games]

    async def best_today(self) -> list[tuple[Text, Text]]:
        """Return the best results so far with today's deals for one: the game's title and the score in words."""
        day, ids = self.today, daily_games()
        best = await self._store.read(lambda c: rows.best_scores(c, day, ids))
        words = {id: Game(id).words for id in ids if id in best}
        return [(said.TITLE, score_text(said, best[id])) for id, said in words.items()]

    async def _card(self, deal: DailyDeal, holder: str) -> DailyCard:
        game = _game(deal)
        players = game.seats

        def ask(connection: Connection) -> tuple[dict[int, DailyTable], list[Entry]]:
            tables = rows.tables_of(connection, deal.day, deal.game, holder)
            return tables, rows.entries(connection, deal.day, deal.game, len(players))

        tables, entries = await self._store.read(ask)
        games = []
        for seat, player in enumerate(players):
            match = tables[seat].match if seat in tables else None
            history = (await self._tables.live.current(match, holder)).history if match else None
            games.append(DailyGame(player, match, _verdict(history) if history else None))
        own = next((entry for entry in entries if entry.holder == holder), None)
        result = own.result if own else None
        card = DailyCard(deal.day, game, tuple(games), finished=len(entries), opponent=pair_bot(game))
        if not card.is_over:
            return card
        card = card._replace(par=await self._par(deal), verdict=_deal_verdict(games[0].verdict, result, game))
        if result is None:
            return card
        places = [entry.result for entry in entries if entry.has_place]
        place = 1 + sum(other > result for other in places) if own and own.has_place else 0
        worse = sum(other < result for other in places)
        return card._replace(place=place, entries=len(places), worse=worse, counts=True)

    async def standings(self, day: int, holder: str) -> list[DailyStandings]:
        """Return the standings of a day. Refused before it has closed, and if nobody has played."""
        now = self._tables.now()
        closes_at = await self._store.read(lambda c: rows.closing_ms_of(c, day))
        if now < closes_at or self._tables.live.is_away(now):
            raise Refused(ErrorCode.SEALED)
        found = []
        for game in (*daily_games(), *paired_games()):
            deal, entries = await self._day(day, game)
            if deal and entries:
                found.append(await self._standings(deal, entries, holder))
        if not found:
            raise Refused(ErrorCode.NO_PAGE)
        return found

    async def _standings(self, deal: DailyDeal, entries: list[Entry], holder: str) -> DailyStandings:
        entries = sorted(entries, key=lambda entry: not entry.has_place)
        listed, game = entries[:MAX_LISTED], _game(deal)
        tables = await self._tables.live.all_current([match for entry in listed for match in entry.matches])
        results = [entry.result for entry in entries]
        places = []
        for entry in listed:
            played = [tables[match].history for match in entry.matches if match in tables]
            verdict = _deal_verdict(_verdict(played[0]), entry.result, game) if played else None
            if verdict:
                place = 1 + results.index(entry.result) if entry.has_place else 0
                places.append(DailyPlace(place, entry.matches, entry.name, verdict, entry.holder == holder))
        par_matches = tuple(_par_table(deal, seat) for seat in range(len(game.seats)))
        par = await self._par(deal)
        return DailyStandings(game, len(entries), tuple(places), par, par_matches, pair_bot(game))

    async def streak(self, holder: str) -> int:
        """Return on how many days in a row this holder has finished a deal of the day."""
        pairs = paired_games()
        days = await self._store.read(lambda c: rows.days_played(c, holder, pairs, MAX_STREAK_DAYS))
        return streak(days, self.today)

    async def archive(self) -> list[int]:
        """Return the newest days that have closed and were played, the newest first."""
        pairs = paired_games()
        return await self._store.read(lambda c: rows.days_with_deals(c, self.today, pairs, MAX_ARCHIVED_DAYS))

    async def _day(self, day: int, game: str) -> tuple[DailyDeal | None, list[Entry]]:
        """Return the deal of a day, None if nobody asked for it that day, and its entries."""
        seats = 2 if game in paired_games() else 1
        return await self._store.read(
            lambda c: (rows.find_deal(c, day, game), rows.entries(c, day, game, seats))
        )

    async def _todays_deal(self, game: str) -> DailyDeal:
        """Return today's deal, made now if nobody has asked for it before, and let the bot play it."""
        if game not in (*daily_games(), *paired_games()):
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
        """Let the best bot begin the deal at its own tables, unless it has."""
        game = _game(deal)
        best = bots.best_bot(game)
        if not best.install_advice:
            for seat in range(len(game.seats)):
                await self._start(
                    deal, seat, Seat("", SeatKind.BOT, best.name, best.name, holder=SeatKind.BOT)
                )

    async def _start(self, deal: DailyDeal, seat: int, sitter: Seat) -> str:
        """Start the table on which somebody plays the deal from a seat, unless there is one, and return its id."""
        game = _game(deal)
        secret = seat_secret(deal.secret, game, seat)
        seal = seal_of(secret)
        now = max(self._tables.now(), opening_ms(deal.day))
        id, code = table_id(secret, sitter.holder), random_id(16)
        head = Head(id, game, game.version, secret, seal, code, now, Daily(deal.day))
        return await self._tables.openings.start_table(head, deal_seats(game, seat, sitter, pair_bot(game)))

    async def _par(self, deal: DailyDeal) -> Text | None:
        """Return how the bot ended; None while it plays, and where it cannot."""
        game, result = _game(deal), DealScore(0, 0)
        verdict: Text | None = None
        for seat in range(len(game.seats)):
            history = await self._par_history(deal, seat)
            verdict = _verdict(history) if history else None
            counted = points(history)[seat] if history else None
            if history is None or verdict is None or counted is None:
                return None
            result = DealScore(result.points + counted, result.score + margins(history.match)[seat])
        return _deal_verdict(verdict, result, game)

    async def _par_history(self, deal: DailyDeal, seat: int) -> History | None:
        id = _par_table(deal, seat)
        try:
            found = await self._tables.live.all_current([id])
        except Refused as wrong:
            if wrong.code != ErrorCode.NO_TABLE:
                raise
            return None
        return found[id].history if id in found else None


def _game(deal: DailyDeal) -> Game:
    """Return the game of a deal. Refused if its rules have changed since."""
    try:
        return _game_with(deal.game, deal.options)
    except BadOption:
        raise Refused(ErrorCode.NO_PAGE) from None


@lru_cache(64)
def _game_with(id: str, options: str) -> Game:
    """Return the game of this id, given its options as JSON."""
    return intern_game(Game(id, json.loads(options)))


def _par_table(deal: DailyDeal, seat: int) -> str:
    """Return the id of the table on which the bot plays from a seat."""
    return table_id(seat_secret(deal.secret, _game(deal), seat), SeatKind.BOT)


def _verdict(history: History) -> Text | None:
    """Return how a match ended, in words; None before its end."""
    return outcome_text(history.match, outcome(history.match, history.ending)) if history.ending else None


def _deal_verdict(verdict: Text | None, result: DealScore | None, game: Game) -> Text | None:
    """Return how a deal ended: in a pair by its result, else by how its match did."""
    if len(game.seats) == 1:
        return verdict
    return None if result is None else pair_verdict(result.points, result.score, len(game.seats))
