"""The services of all features, put together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from smallchange.server.accounts.bot_accounts import BotAccounts
from smallchange.server.accounts.rows import account_name
from smallchange.server.accounts.service import Accounts
from smallchange.server.daily import service as daily_service
from smallchange.server.daily.service import DailyDeals
from smallchange.server.database.bus import Bus
from smallchange.server.database.role import MISSING_MS, Backlog, Role, missing_roles, read_backlog
from smallchange.server.insight.service import Insight
from smallchange.server.insight.shared_boards import SharedBoards
from smallchange.server.meeting import rows as meeting_rows
from smallchange.server.meeting.account_events import AccountEvents, SignsOfLife
from smallchange.server.meeting.challenges import Challenges, HouseBots
from smallchange.server.meeting.rows import may_meet
from smallchange.server.meeting.seeking import Seeks
from smallchange.server.moderation import service as moderation_service
from smallchange.server.moderation.service import Keeping
from smallchange.server.notifications import rows as notification_rows
from smallchange.server.notifications import service as notification_service
from smallchange.server.notifications.push import Push
from smallchange.server.notifications.service import Contacts, Notifications
from smallchange.server.ratings import rows as rating_rows
from smallchange.server.ratings import service as rating_service
from smallchange.server.ratings.service import Ratings
from smallchange.server.settings import Settings
from smallchange.server.table.live.bot_turns import Hints
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.ports import Ports
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model.commands import Command, word_of
from smallchange.server.table.storage.store import Store
from smallchange.server.tournaments import rows as tournament_rows
from smallchange.server.tournaments.service import Tournaments, challenge_duel
from smallchange.server.training import service as training_rows
from smallchange.server.training.service import Training
from smallchange.server.web.background_tasks import BackgroundTasks, play
from smallchange.server.web.errors import Refused
from smallchange.server.web.event_stream import Waiting
from smallchange.server.web.forms import Presses
from smallchange.server.web.heavy_work import HeavyWork
from smallchange.server.web.limits import Limits, LongAnswers
from smallchange.server.web.metrics import DONE, Metrics

BELONGINGS = (
    rating_service.BELONGINGS,
    notification_service.BELONGINGS,
    meeting_rows.BELONGINGS,
    tournament_rows.BELONGINGS,
    moderation_service.BELONGINGS,
    training_rows.BELONGINGS,
)


def table_service(
    store: Store,
    bus: Bus,
    bots: BotWorkers | None = None,
    now: Callable[[], int] | None = None,
    pace_s: float = 0,
) -> TableService:
    """Return the tables with all features that tell them something or follow their changes."""
    ports = Ports(
        account_name,
        may_meet,
        rating_rows.seat_ratings,
        on_change=(notification_rows.write_change, rating_rows.write_change),
        on_opening=(notification_rows.write_opening, rating_rows.write_opening),
        on_warning=(notification_rows.write_warning,),
        on_outage=(tournament_rows.put_off, daily_service.put_off),
        on_arrival=tournament_rows.write_arrival,
    )
    return TableService(store, bus, bots, ports, now=now, pace_s=pace_s)


class OpenStream(Protocol):
    """A stream of events that is held open, or a connection."""

    session: str  # the hash of its token
    address: str  # that it comes from

    async def end_session(self) -> None:
        """Close it: its session has ended, or its network is shut out."""


class OpenConnection(OpenStream, Protocol):
    """A connection that is notified before the server stops."""

    async def announce_shutdown(self) -> None:
        """Announce that the server stops, and close the connection."""


class Services:
    """All that pages, forms, calls and sockets need: settings, limits, tables, open connections, and each feature.

    `on_table_page` and `on_account_page` are what features add to these pages.
    """

    def __init__(self, settings: Settings, tables: TableService, bots: BotWorkers) -> None:
        self.settings = settings
        self.tables = tables
        self.site = tables.store.site
        self.limits = Limits(settings)
        self.heavy = HeavyWork()
        self.long_answers = LongAnswers()
        self.presses = Presses(tables)
        self.hints = Hints(bots, tables.live, self.limits)
        self.metrics = Metrics()
        self.connections: set[OpenConnection] = set()
        self.event_streams: set[OpenStream] = set()
        self.streams: set[asyncio.Event] = set()  # one for each open stream, set to wake it
        self.closing = asyncio.Event()
        self.draining = False  # the server stops soon, and a proxy is to send nobody here
        self._tasks = BackgroundTasks()
        self._began = tables.now()
        store = tables.store
        self.accounts = Accounts(store, tables, settings, self.heavy, BELONGINGS)
        self.accounts.on_sign_out = self.close_session
        self.ratings = Ratings(store)
        self.notifications = Notifications(store, tables, self.accounts)
        self.contacts = Contacts(store, settings)
        self.push = Push(store, tables, settings)
        self.keeping = Keeping(store, tables, self.accounts)
        self.keeping.on_block = self.close_blocked
        self.daily = DailyDeals(store, tables)
        self.signs_of_life = SignsOfLife(tables, self.daily)
        self.training = Training(store, tables.now)
        self.insight = Insight(store, bots, self.limits, self.training.review_writer)
        self._roles = BackgroundTasks()
        waiting = Waiting(self.streams, self.closing)
        tables.live.on_notice = waiting.wake
        self.boards = SharedBoards(tables.live, waiting)
        self.seeks = Seeks(tables, waiting)
        self.house_bots = HouseBots(tables, settings)
        self.challenges = Challenges(tables, waiting, self.house_bots, challenge_duel, self.limits)
        self.tournaments = Tournaments(tables, waiting, bool(settings.arena_pace))
        self.events = AccountEvents(tables, self.challenges, waiting)
        self.bot_accounts = BotAccounts(store, tables, self.accounts)
        self._backlog = Backlog()
        gauge = self.metrics.add_gauge
        gauge("sockets", "Open connections", lambda: len(self.connections))
        gauge("tables_watched", "Tables with a subscription", lambda: tables.live.watched_count)
        gauge("writes_waiting", "Jobs queued for the writer", lambda: tables.store.writer.waiting)
        gauge("bus_away", "Whether the bus cannot be reached", lambda: tables.bus.is_away)
        gauge("late_clock_seconds", "Oldest deadline passed", lambda: self._backlog.late_clock_s)
        gauge("unrated_matches", "Ended matches not rated yet", lambda: self._backlog.unrated_matches)
        gauge("messages_waiting", "Messages due, not sent yet", lambda: self._backlog.messages_waiting)
        gauge("roles_missing", "Whether nobody plays the roles", lambda: self._backlog.roles_missing)
        account_page = notification_service.AccountPage(self.contacts, self.push, settings)
        self.on_account_page = (self.ratings.on_account_page, account_page.parts)
        self.on_table_page = (
            self.notifications.on_table_page,
            self.tournaments.on_table_page,
            self.insight.on_table_page,
        )

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

    def close_session(self, hash: str) -> None:
        """Close the connections and streams of a session that has ended."""
        self._close(lambda stream: stream.session == hash)

    def close_blocked(self) -> None:
        """Close the connections and streams of networks that are shut out."""
        self._close(lambda stream: self.site.state.blocks(stream.address))

    def _close(self, ends: Callable[[OpenStream], bool]) -> None:
        for stream in [*self.connections, *self.event_streams]:
            if ends(stream):
                self._tasks.begin(stream.end_session())

    async def announce_shutdown(self) -> None:
        """Notify all connections and streams that the server is about to stop."""
        self.tables.store.begin_shutdown()
        self.closing.set()
        self.heavy.close()
        for news in self.streams:
            news.set()
        await asyncio.gather(*(connection.announce_shutdown() for connection in list(self.connections)))

    def begin_role(self, role: Role[Any]) -> None:
        """Play a role beside serving, until `end_roles`."""
        self._roles.begin(play(role))

    async def read_backlog(self) -> None:
        """Read what the gauges tell of the database. If it does not answer, they stay as they are."""
        now = self.tables.now()
        with suppress(Refused):
            self._backlog = await self.tables.store.read(lambda c: read_backlog(c, now))

    async def lacking(self) -> tuple[list[str], bool]:
        """Return what this server lacks though it can serve, and whether it still starts.

        It lacks the bus, or somebody who plays the roles. Until it has waited for them as long as for one that ends, it
        starts.
        """
        now = self.tables.now()
        missing = self.settings.roles != "all" and await self.tables.store.read(
            lambda c: bool(missing_roles(c, now))
        )
        is_starting = missing and now - self._began < MISSING_MS
        return ["bus"] * self.tables.bus.is_away + ["roles"] * (missing and not is_starting), is_starting

    async def end_roles(self) -> None:
        """Stop playing roles."""
        await self._roles.close()
