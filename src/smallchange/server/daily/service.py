"""The deal of the day and its entries, as rows: begin today's, and say how one did among all who played it.

A day's deal is made when somebody first asks for it. A bot plays it too, at a table of its own: par.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import Connection, case, func, select, update
from sqlalchemy.exc import IntegrityError

from smallchange import bots
from smallchange.core.commitment import Envelope
from smallchange.core.errors import BadOption
from smallchange.core.game import Game
from smallchange.i18n.text import Text
from smallchange.server.daily.days import (
    DailyCard,
    DailyPlace,
    DailyStandings,
    closing_ms,
    daily_game,
    daily_games,
    day_number,
    opening_ms,
    streak,
    table_id,
)
from smallchange.server.database import schema
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model.clock import DAY_MS, MINUTE_MS
from smallchange.server.table.model.history import Daily, Head, History, Seat, SeatKind
from smallchange.server.table.model.new_tables import person_name, random_id
from smallchange.server.table.model.outcome import Status, outcome
from smallchange.server.table.storage.store import Store
from smallchange.server.table.view.ending import outcome_text, score_text
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.sessions import AccountState

MAX_PUT_OFF_MS = 60 * MINUTE_MS  # by which a day closes later after an outage
_daily, _match, _seat, _account = schema.daily.c, schema.match.c, schema.seat.c, schema.account.c


class DailyDeal(NamedTuple):
    """A row of the table `daily`: the deal of a game on a day. `options` are JSON."""

    day: int
    game: str
    options: str
    secret: bytes
    seal: str


class Entry(NamedTuple):
    """A deal that somebody finished in time: the table, the player and their name, and the score.

    `has_place`: it has one in the standings, as those of accounts that are older than the day have.
    """

    match: str
    holder: str
    name: str
    score: int
    has_place: bool


def find_deal(connection: Connection, day: int, game: str) -> DailyDeal | None:
    """Return the deal of a day, if somebody has asked for it."""
    query = select(schema.daily).where(_daily.day == day, _daily.game == game)
    row = connection.execute(query).first()
    return DailyDeal(*row) if row else None


def add_deal(connection: Connection, deal: DailyDeal) -> DailyDeal:
    """Store the deal of a day unless there is one, and return the stored one."""
    with connection.begin_nested() as nested:
        try:
            connection.execute(schema.daily.insert(), deal._asdict())
        except IntegrityError:
            nested.rollback()
    found = find_deal(connection, deal.day, deal.game)
    assert found is not None
    return found


def day_entries(connection: Connection, day: int, game: str) -> list[Entry]:
    """Return the entries of a day that count, the best first, then those that were begun first.

    Each holder has one, of the first table: somebody who played as a guest may have signed in to an account that had
    played already.
    """
    older = (_account.created < opening_ms(day)) & (_account.state == AccountState.OPEN)
    place = case((older, 1), else_=0).label("place")
    query = select(_match.id, _seat.holder, _seat.name, _seat.score, place)
    query = query.join_from(schema.match, schema.seat)
    query = query.outerjoin(schema.account, _account.holder == _seat.holder)
    query = query.where(_match.day == day, _match.game == game, _seat.kind == SeatKind.PERSON)
    found = dict[str, Entry | None]()
    for id, holder, name, score, has_place in connection.execute(query.order_by(_match.created, _match.id)):
        found.setdefault(holder, None if score is None else Entry(id, holder, name, score, bool(has_place)))
    return sorted(filter(None, found.values()), key=lambda entry: entry.score, reverse=True)


def best_scores(connection: Connection, day: int, games: Collection[str]) -> dict[str, int]:
    """Return the best score that somebody has reached in time with the deals of a day, by game."""
    query = select(_match.game, func.max(_seat.score)).join_from(schema.match, schema.seat)
    query = query.where(_match.day == day, _match.game.in_(games), _seat.kind == SeatKind.PERSON)
    query = query.where(_seat.score.is_not(None)).group_by(_match.game)
    return {row.game: row[1] for row in connection.execute(query)}


def table_of(connection: Connection, day: int, game: str, holder: str) -> str | None:
    """Return the table on which this holder plays the deal of a day: the first, if there are two."""
    query = select(_match.id).join_from(schema.match, schema.seat)
    query = query.where(_match.day == day, _match.game == game, _seat.holder == holder)
    return connection.execute(query.order_by(_match.created, _match.id).limit(1)).scalar()


def put_off(connection: Connection, since: int, now: int) -> list[str]:
    """Put off the end of the days that fell into an outage, where a game goes on; return their tables."""
    changed = list[str]()
    until = func.coalesce(_match.sealed_until, (_match.day + 1) * DAY_MS)
    missed = (until > since) & (until <= now)
    goes_on = select(_match.day, until).join_from(schema.match, schema.seat)
    goes_on = goes_on.where(missed, _match.status == Status.PLAYING, _seat.kind == SeatKind.PERSON)
    for day, closes_at in connection.execute(goes_on.distinct()).all():
        new = min(closes_at + now - since, now + MAX_PUT_OFF_MS)
        connection.execute(update(schema.match).where(_match.day == day).values(sealed_until=new))
        changed += connection.execute(select(_match.id).where(_match.day == day)).scalars()
    return changed


def closing_ms_of(connection: Connection, day: int) -> int:
    """Return when a day closes or has closed, which an outage may have put off."""
    put_off_to = select(func.max(_match.sealed_until)).where(_match.day == day)
    return int(connection.execute(put_off_to).scalar() or closing_ms(day))


def days_played(connection: Connection, holder: str, most: int) -> set[int]:
    """Return the newest days, at most `most`, on which this holder finished a deal of the day in time."""
    query = select(_match.day).join_from(schema.match, schema.seat).where(_seat.holder == holder)
    query = query.where(_match.day.is_not(None), _seat.score.is_not(None))
    return set(connection.execute(query.distinct().order_by(_match.day.desc()).limit(most)).scalars())


def days_with_deals(connection: Connection, before: int, most: int) -> list[int]:
    """Return the newest days before this one on which somebody finished a deal, the newest first."""
    query = select(_match.day).join_from(schema.match, schema.seat).where(_match.day < before)
    query = query.where(_seat.score.is_not(None), _seat.kind == SeatKind.PERSON)
    return list(connection.execute(query.distinct().order_by(_match.day.desc()).limit(most)).scalars())


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
        table = await self._store.read(lambda c: table_of(c, deal.day, game, holder))
        return table or await self._start(deal, Seat("", SeatKind.PERSON, person_name(name), holder=holder))

    async def cards(self, holder: str) -> list[DailyCard]:
        """Return today's deals as this holder stands at them."""
        return [await self._card(await self._todays_deal(game), holder) for game in daily_games()]

    async def best_today(self) -> list[tuple[Text, Text]]:
        """Return the best results so far with today's deals for one: the game's title and the score in words."""
        day, ids = self.today, daily_games()
        best = await self._store.read(lambda c: best_scores(c, day, ids))
        words = {id: Game(id).words for id in ids if id in best}
        return [(said.TITLE, score_text(said, best[id])) for id, said in words.items()]

    async def _card(self, deal: DailyDeal, holder: str) -> DailyCard:
        def ask(connection: Connection) -> tuple[str | None, list[Entry]]:
            table = table_of(connection, deal.day, deal.game, holder)
            return table, day_entries(connection, deal.day, deal.game)

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
        closes_at = await self._store.read(lambda c: closing_ms_of(c, day))
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
        days = await self._store.read(lambda c: days_played(c, holder, MAX_STREAK_DAYS))
        return streak(days, self.today)

    async def archive(self) -> list[int]:
        """Return the newest days that have closed and were played, the newest first."""
        return await self._store.read(lambda c: days_with_deals(c, self.today, MAX_ARCHIVED_DAYS))

    async def _day(self, day: int, game: str) -> tuple[DailyDeal | None, list[Entry]]:
        """Return the deal of a day, None if nobody asked for it that day, and its entries."""
        return await self._store.read(lambda c: (find_deal(c, day, game), day_entries(c, day, game)))

    async def _todays_deal(self, game: str) -> DailyDeal:
        """Return today's deal, made now if nobody has asked for it before, and let the bot play it."""
        if game not in daily_games():
            raise Refused(ErrorCode.NO_PAGE)
        day = self.today
        if (day, game) not in self._deals:
            deal = await self._store.read(lambda c: find_deal(c, day, game))
            if deal is None:
                envelope = Envelope.create()
                assert envelope.secret is not None
                options = json.dumps(daily_game(game, day).non_default_options)
                new = DailyDeal(day, game, options, envelope.secret, envelope.seal)
                deal = await self._store.write("", lambda c: add_deal(c, new))
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
        return Game(deal.game, json.loads(deal.options))
    except BadOption:
        raise Refused(ErrorCode.NO_PAGE) from None


def _par_table(deal: DailyDeal) -> str:
    """Return the id of the table on which the bot plays."""
    return table_id(deal.secret, SeatKind.BOT)


def _verdict(history: History) -> Text | None:
    """Return how a match ended, in words; None before its end."""
    return outcome_text(history.match, outcome(history.match, history.ending)) if history.ending else None
