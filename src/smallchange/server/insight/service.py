"""The bots’ judgement of matches and positions: reviews, analyses, difficulty, and a result beside earlier ones."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from cachetools import LRUCache
from sqlalchemy import Connection, func, select

from smallchange.bots import install_advice
from smallchange.bots.analysis import MoveChance
from smallchange.bots.review import Choice, accounts
from smallchange.bots.solved_values import SolvedValues
from smallchange.core.game import Position
from smallchange.core.match import Match
from smallchange.i18n.text import Text, plain
from smallchange.server.database import schema
from smallchange.server.insight.review_view import tip_markup
from smallchange.server.insight.reviews import Difficulty, Review, Reviews
from smallchange.server.ratings.reviewed import ReviewedSeat, put_reviewed_seats
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.model.history import History, SeatKind
from smallchange.server.table.model.outcome import Points, Status, outcome
from smallchange.server.table.storage.store import Store
from smallchange.server.table.view.best_so_far import compare_scores, tally_text
from smallchange.server.table.view.seats import NAMES
from smallchange.server.web import phrases as p
from smallchange.server.web.background_tasks import BackgroundTasks, SingleFlight
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.frame import PageContext
from smallchange.server.web.limits import Limits
from smallchange.server.web.sessions import Visitor


def best_so_far(connection: Connection, history: History, holder: str) -> Text | None:
    """Compare the result of an ended match with its player's others of the same game and options.

    None where the match does not count for the player, and where one person played both sides.
    """
    held = history.seats_of(holder)
    if history.ending is None or len(held) != 1:
        return None
    if len(history.seats) == 1:
        return _best_score(connection, history, holder)
    return _score_against(connection, history, holder, held[0])


def _own_results(history: History, holder: str) -> Any:
    """Select the holder's results of ended matches that count, with the game and options of this one."""
    match, seat = schema.match.c, schema.seat.c
    this = select(match.options).where(match.id == history.head.id).scalar_subquery()
    return (
        select()
        .select_from(schema.seat.join(schema.match, match.id == seat.match_id))
        .where(seat.holder == holder, match.status == Status.OVER, seat.points.is_not(None))
        .where(match.game == history.head.game.id, match.options == this)
    )


def _best_score(connection: Connection, history: History, holder: str) -> Text | None:
    """Compare the score of a match for one with the best of the others."""
    assert history.ending is not None
    (score,) = outcome(history.match, history.ending).scores
    if score is None or history.head.fork_length:
        return None
    seat = schema.seat.c
    query = _own_results(history, holder).add_columns(func.max(seat.score))
    best = connection.execute(query.where(seat.match_id != history.head.id)).scalar()
    return compare_scores(history.head.game.words, score, best)


def _score_against(connection: Connection, history: History, holder: str, held: int) -> Text | None:
    """Count the matches against the same opponent."""
    other = history.seats[1 - held]
    match, seat, beside = schema.match.c, schema.seat.c, schema.seat.alias().c
    is_bot = other.kind == SeatKind.BOT
    same = beside.bot == other.bot if is_bot else beside.holder == other.holder
    query = _own_results(history, holder).add_columns(seat.points, func.count().label("n"))
    query = query.where(beside.match_id == match.id, beside.number != seat.number, same).group_by(seat.points)
    found = {row.points: row.n for row in connection.execute(query)}
    if not found:
        return None
    who = NAMES.get(other.bot) if is_bot else plain(other.name) if other.name else p.A_PERSON
    won, drawn, lost = (found.get(points, 0) for points in (Points.WIN, Points.DRAW, Points.LOSS))
    return tally_text(who or plain(other.bot), won, drawn, lost)


MAX_POSITIONS_KEPT = 512
SHORT_WAIT_S = 0.7  # for which an analysis is waited for, before the page says that it takes longer

SOLVE_WAIT_S = 3.0  # .. a solved position
SOLVE_AHEAD_AFTER_S = 60.0  # of a start
Key = tuple[object, str]
OnReview = Callable[[str, Match, list[Choice]], Callable[[Connection], None]]


class Insight:
    """The bots' judgement of matches and positions, within the limits of those who ask."""

    def __init__(
        self, store: Store, bots: BotWorkers, limits: Limits, on_review: OnReview = lambda *_: lambda _: None
    ) -> None:
        """`on_review` returns what else to store of a reviewed match, given its id, itself and its choices."""
        self._store = store
        self._on_review = on_review
        self._bots = bots
        self._limits = limits
        self.reviews = Reviews(bots, on_finish=self._store_review)
        self.difficulty = Difficulty(bots)
        self._analyses: LRUCache[Key, list[MoveChance]] = LRUCache(MAX_POSITIONS_KEPT)
        self._analysing = SingleFlight[Key, None]()
        self._solving = SingleFlight[Key, SolvedValues | None]()
        self._ahead = BackgroundTasks()

    def review(self, holder: str, address: str, history: History) -> Review:
        """Return the review of an ended match. To begin one counts as a hint, a long one as several."""
        known = self.reviews.find(history)
        if known:
            return known
        self._limits.count_hint(holder, address, self.reviews.cost(history))
        return self.reviews.begin(history, address)

    def tip_choices(
        self, holder: str, address: str, history: History
    ) -> tuple[Sequence[Choice] | None, bool]:
        """Return the choices that the tip after a match is made of, None while there are none, and if that is final.

        Its review takes no place from one that somebody asks for.
        """
        try:
            made = self.reviews.find(history)
            if made is None and self.reviews.has_room:
                made = self.review(holder, address, history)
        except Refused as refused:
            return None, refused.code not in (ErrorCode.BOTS_BUSY, ErrorCode.RATE_LIMIT)
        return (None, False) if made is None or made.running else (made.choices, True)

    async def on_table_page(self, live_table: LiveTable, who: Visitor, context: PageContext) -> PageContext:
        """Add the tip that the page of an ended match begins with, and the best so far."""
        history = live_table.history
        held = seats_with_tip(history, who.holder)
        if not held:
            return context
        found = None if history.sealed else self.reviews.finished_choices(history)
        tip = tip_markup(history.head.id, history.match, found, held, who.lang)
        return replace(context, tip=tip, best=await self.best_so_far(history, who.holder))

    async def best_so_far(self, history: History, holder: str) -> Text | None:
        """Compare an ended match with the others of its player; None where there is nothing to say."""
        return await self._store.read(lambda c: best_so_far(c, history, holder))

    async def _store_review(self, match: str, review: Review) -> None:
        """Store what a review found of each seat, for the statistics of its players."""
        seats = review.match.game.seats
        choices = Counter(choice.player for choice in review.choices)
        rows = [
            ReviewedSeat(seats.index(one.player), one.luck, one.given, choices[one.player], one.promised)
            for one in accounts(review.match, review.choices)
        ]
        put_more = self._on_review(match, review.match, review.choices)

        def job(connection: Connection) -> None:
            put_reviewed_seats(connection, match, rows)
            put_more(connection)

        with suppress(Refused):  # the store has logged why; the review itself stands
            await self._store.write("", job)

    async def analyse(self, holder: str, address: str, position: Position) -> list[MoveChance] | None:
        """Return the odds of all moves of a position, best first; None if they take long, or failed.

        A new position counts as a hint.
        """
        key = position.game, position.key()
        if key not in self._analyses:
            if key not in self._analysing:
                self._limits.count_hint(holder, address)
            with suppress(TimeoutError):
                async with asyncio.timeout(SHORT_WAIT_S):
                    await self._analysing.do(key, lambda: self._analyse(key, position))
        return self._analyses.get(key)

    async def _analyse(self, key: Key, position: Position) -> None:
        with suppress(Refused):
            self._analyses[key] = await self._bots.survey(position)

    async def look_up(self, holder: str, position: Position) -> SolvedValues | None:
        """Return the values of a solved position, for this holder; None at the end of a match.

        TimeoutError if its board is still being solved, which goes on.
        """
        key = position.game, position.key()
        if key not in self._solving:
            self._limits.playing.take(holder)
        async with asyncio.timeout(SOLVE_WAIT_S):
            return await self._solving.do(key, lambda: self._bots.look_up(position))

    def begin(self) -> None:
        """Solve the boards that are asked for most, once whoever came back after a start is served."""
        self._ahead.begin(self._solve_ahead())

    async def _solve_ahead(self) -> None:
        await asyncio.sleep(SOLVE_AHEAD_AFTER_S)
        if install_advice():
            return
        from smallchange.bots.engines.tablebase import unsolved_boards  # which needs NumPy

        for game in await asyncio.to_thread(unsolved_boards):
            with suppress(Refused):
                await self._bots.look_up(game.start())

    async def close(self) -> None:
        """Stop the work under way."""
        await self._ahead.close()
        await self.reviews.close()
        await self._analysing.close()
        await self._solving.close()


def seats_with_tip(history: History, holder: str) -> tuple[int, ...]:
    """Return the seats of a holder who gets a tip after the match; () before its end."""
    return history.seats_of(holder) if history.ending and history.started else ()
