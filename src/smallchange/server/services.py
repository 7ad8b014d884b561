"""The services that every request shares: settings, tables, bots, limits, metrics, open connections."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any, Protocol

from smallchange.bots.analysis import MoveOdds
from smallchange.bots.review import accounts
from smallchange.bots.solved_values import SolvedValues
from smallchange.core.game import Position
from smallchange.server.accounts.account_events import AccountEvents
from smallchange.server.accounts.bot_accounts import BotAccounts
from smallchange.server.accounts.rows import Account, account_name
from smallchange.server.accounts.service import Accounts
from smallchange.server.accounts.transfers import Transfers
from smallchange.server.daily.service import DailyDeals
from smallchange.server.database.bus import Bus
from smallchange.server.database.role import Role
from smallchange.server.insight.analyses import Analyses
from smallchange.server.insight.difficulty import Difficulty
from smallchange.server.insight.hints import TableHint, find_hint, hint_position
from smallchange.server.insight.reviews import Review, Reviews
from smallchange.server.meeting.challenge_rows import Challenge
from smallchange.server.meeting.challenges import Challenges
from smallchange.server.meeting.followers import Followers
from smallchange.server.meeting.house_bots import HouseBots
from smallchange.server.meeting.meeting_rows import may_meet
from smallchange.server.meeting.pairing import Wish
from smallchange.server.meeting.seeking import Seeks
from smallchange.server.moderation.service import Keeping
from smallchange.server.notifications import rows as notification_rows
from smallchange.server.notifications.contacts import Contacts
from smallchange.server.notifications.push import Push
from smallchange.server.notifications.service import Notifications
from smallchange.server.ratings import rows as rating_rows
from smallchange.server.ratings.reviewed import ReviewedSeat, put_reviewed_seats
from smallchange.server.settings import (
    ADDRESS_FACTOR,
    ADDRESS_HINT_FACTOR,
    BYTES_OF_A_PAGE,
    HINT_PERIOD_S,
    MAX_COSTLY_REQUESTS,
    MESSAGE_PERIOD_S,
    NEW_TABLE_PERIOD_S,
    Settings,
)
from smallchange.server.table.bot_workers import BotWorkers
from smallchange.server.table.commands import Command, Hint, word_of
from smallchange.server.table.history import History
from smallchange.server.table.ports import Ports
from smallchange.server.table.store import Store
from smallchange.server.table.table_service import TableService
from smallchange.server.tournaments.service import Tournaments, challenge_duel
from smallchange.server.variants.service import Variants
from smallchange.server.web.background_tasks import BackgroundTasks, play
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.long_answers import LongAnswers
from smallchange.server.web.metrics import DONE, Metrics
from smallchange.server.web.rate_limit import ConnectionLimit, KeyedRateLimit

MAX_HINTS_KEPT = 256


def table_service(
    store: Store, bus: Bus, bots: BotWorkers | None = None, now: Callable[[], int] | None = None
) -> TableService:
    """Return the tables with all features that tell them something or follow their changes."""
    ports = Ports(
        account_name,
        may_meet,
        rating_rows.seat_ratings,
        on_change=(notification_rows.write_change, rating_rows.write_change),
        on_opening=(notification_rows.write_opening, rating_rows.write_opening),
    )
    return TableService(store, bus, bots, ports, now=now)


class OpenConnection(Protocol):
    """A connection that is notified before the server stops."""

    session: str  # the hash of its token

    async def announce_shutdown(self) -> None:
        """Announce that the server stops, and close the connection."""

    async def end_session(self) -> None:
        """Close the connection: its session has ended."""


class Services:
    """The services, and the limits that concern several of them."""

    def __init__(self, settings: Settings, tables: TableService, bots: BotWorkers) -> None:
        self.settings = settings
        self.tables = tables
        self._bots = bots
        self.accounts = Accounts(tables.store, tables, settings)
        self.accounts.on_sign_out = self._close_session
        self.notifications = Notifications(tables.store, tables, self.accounts)
        self.contacts = Contacts(tables.store, tables, settings)
        self.push = Push(tables.store, tables, settings)
        self.keeping = Keeping(tables.store, tables, self.accounts)
        self.daily = DailyDeals(tables.store, tables)
        self.variants = Variants(tables.store)
        self.transfers = Transfers(tables.store, tables, self.accounts)
        self.reviews = Reviews(bots, on_finish=self._store_review)
        self.analyses = Analyses(bots)
        self.difficulty = Difficulty(bots)
        self.connections: set[OpenConnection] = set()
        self.metrics = Metrics(
            {
                "sockets": ("Open connections", lambda: len(self.connections)),
                "tables_watched": ("Tables with a subscription", lambda: tables.live.watched_count),
                "writes_waiting": ("Jobs queued for the writer", lambda: tables.store.writer.waiting),
            }
        )
        self.connection_limit = ConnectionLimit(settings.sockets)  # by address
        self.command_limit = KeyedRateLimit(settings.playing, MESSAGE_PERIOD_S)  # of players, by holder
        self.watching_limit = KeyedRateLimit(settings.watching, MESSAGE_PERIOD_S)  # of spectators, by holder
        # the same by address: anybody can be many holders
        self._address_limit = KeyedRateLimit(ADDRESS_FACTOR * settings.playing, MESSAGE_PERIOD_S)
        self._address_watching_limit = KeyedRateLimit(ADDRESS_FACTOR * settings.watching, MESSAGE_PERIOD_S)
        self.page_limit = KeyedRateLimit(settings.pages, MESSAGE_PERIOD_S, ErrorCode.PAGE_LIMIT)  # by address
        self._hints: OrderedDict[tuple[str, int], TableHint] = OrderedDict()  # by match and ply
        self._hint_limit = KeyedRateLimit(settings.hints, HINT_PERIOD_S)  # hints and reviews, by holder
        # the same by address: anybody can be many holders
        self._address_hint_limit = KeyedRateLimit(ADDRESS_HINT_FACTOR * settings.hints, HINT_PERIOD_S)
        too_many = ErrorCode.TABLE_LIMIT
        self._table_limit = KeyedRateLimit(settings.new_tables, NEW_TABLE_PERIOD_S, too_many)  # by address
        self._listed_limit = KeyedRateLimit(settings.listed_tables, NEW_TABLE_PERIOD_S, too_many)
        self.record_limit = KeyedRateLimit(MAX_COSTLY_REQUESTS, HINT_PERIOD_S)  # verified, by address
        self.difficulty_limit = KeyedRateLimit(MAX_COSTLY_REQUESTS, HINT_PERIOD_S)  # measured, by address
        self.long_answers = LongAnswers()
        self._tasks = BackgroundTasks()
        self._roles = BackgroundTasks()
        self.closing = asyncio.Event()
        self.streams: set[asyncio.Event] = set()  # one for each open stream, set to wake it
        followers = Followers(tables, self.streams, self.closing)
        self.seeks = Seeks(tables, followers)
        self.house_bots = HouseBots(tables, settings)
        self.challenges = Challenges(tables, followers, self.house_bots, challenge_duel)
        self.tournaments = Tournaments(tables, followers)
        self.events = AccountEvents(tables, self.challenges, followers)
        self.bot_accounts = BotAccounts(tables.store, tables, self.accounts)

    def begin_role(self, role: Role[Any]) -> None:
        """Play a role beside serving, until `end_roles`."""
        self._roles.begin(play(role))

    async def end_roles(self) -> None:
        """Stop playing roles."""
        await self._roles.close()

    def count_message(self, holder: str, address: str, plays: bool = True) -> None:
        """Count a message of a holder over any connection, and of the address that it comes from."""
        (self.command_limit if plays else self.watching_limit).take(holder)
        by_address = self._address_limit if plays else self._address_watching_limit
        by_address.take(
            address
        )  # last: a message that the holder's limit refuses does not count for the address

    def charge_answer(self, address: str, size_bytes: int) -> None:
        """Count a long answer as several pages, for this address."""
        self.page_limit.charge(address, size_bytes // BYTES_OF_A_PAGE)

    @contextmanager
    def opening_table(self, address: str, listed: bool = False) -> Iterator[None]:
        """Count a table that is opened or joined from this address. `listed`: it is open to anyone."""
        listing = self._listed_limit.counting(address) if listed else nullcontext()
        with self._table_limit.counting(address), listing:
            yield

    async def execute(self, holder: str, command: Command, lag_ms: int = 0) -> int:
        """Execute a command, and measure it. Return the ply of its event.

        `lag_ms` is the delay of the sender's network.
        """
        began = time.perf_counter()
        outcome = "fault"
        try:
            ply = await self.tables.submit(holder, command, lag_ms)
            outcome = DONE
            return ply
        except Refused as refused:
            outcome = refused.code
            raise
        finally:
            self.metrics.count_command(word_of(type(command)), outcome, time.perf_counter() - began)

    async def challenge(
        self, account: Account, other: Account, wish: Wish, rated: bool, address: str
    ) -> Challenge:
        """Challenge another account. A game with a house bot begins at once, so it counts as a table of the address."""
        with self.opening_table(address) if other.is_house else nullcontext():
            return await self.challenges.send(account, other, wish, rated)

    async def hint(self, holder: str, address: str, command: Hint) -> TableHint:
        """Return a hint for a player at a table. The request comes from this address.

        The last hints are kept: their next steps cost nothing and agree with the first.
        """
        live_table, key = await self.tables.live.current(command.match, holder), (command.match, command.ply)
        if key in self._hints:
            hint_position(live_table.history, holder, command.ply)  # or it is refused
            return self._hints[key]
        self._count_hint(holder, address)
        found = self._hints[key] = await find_hint(self._bots, live_table, holder, command.ply)
        while len(self._hints) > MAX_HINTS_KEPT:
            self._hints.popitem(last=False)
        return found

    def review(self, holder: str, address: str, history: History) -> Review:
        """Return the review of an ended match. To begin one counts as a hint, a long one as several."""
        known = self.reviews.find(history)
        if known:
            return known
        self._count_hint(holder, address, self.reviews.cost(history))
        return self.reviews.begin(history, address)

    def tip_review(self, holder: str, address: str, history: History) -> Review | None:
        """Return the review that the tip after a match is made of; None where it is refused, or has failed.

        It is begun only where nobody waits for another, so that a tip delays no review that was asked for.
        """
        try:
            if found := self.reviews.find(history):
                return found
            return self.review(holder, address, history) if self.reviews.is_idle else None
        except Refused:
            return None

    async def _store_review(self, match: str, review: Review) -> None:
        """Store what a review found of each seat, for the statistics of its players."""
        seats = review.match.game.seats
        choices = Counter(choice.player for choice in review.choices)
        rows = [
            ReviewedSeat(seats.index(one.player), one.luck, one.given, choices[one.player], one.promised)
            for one in accounts(review.match, review.choices)
        ]
        with suppress(Refused):  # the store has logged why; the review itself stands
            await self.tables.store.write("", lambda connection: put_reviewed_seats(connection, match, rows))

    async def analyse(self, holder: str, address: str, position: Position) -> list[MoveOdds] | None:
        """Return the odds of all moves of a position; None while they are worked out, or for too many requests.

        A new position counts as a hint.
        """
        if not self.analyses.is_known(position):
            self._count_hint(holder, address)
        return await self.analyses.moves(position)

    async def look_up(self, holder: str, position: Position) -> SolvedValues | None:
        """Return the values of a solved position, for this holder; None at the end of a match."""
        self.command_limit.take(holder)
        return await self._bots.look_up(position)

    def _count_hint(self, holder: str, address: str, cost: int = 1) -> None:
        self._hint_limit.take(holder, cost)
        self._address_hint_limit.take(address, cost)

    def _close_session(self, hash: str) -> None:
        """Close the connections of a session that has ended."""
        for connection in list(self.connections):
            if connection.session == hash:
                self._tasks.begin(connection.end_session())

    async def announce_shutdown(self) -> None:
        """Notify all connections and streams that the server is about to stop."""
        self.closing.set()
        self.tables.store.begin_shutdown()
        for news in self.streams:
            news.set()
        await asyncio.gather(*(connection.announce_shutdown() for connection in list(self.connections)))
