"""The services of all features, put together."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from smallchange.server.accounts.bot_accounts import BotAccounts
from smallchange.server.accounts.rows import account_name
from smallchange.server.accounts.service import Accounts
from smallchange.server.daily import rows as daily_rows
from smallchange.server.daily.service import DailyDeals
from smallchange.server.database.backlog import Backlog, read_backlog
from smallchange.server.database.bus import Bus
from smallchange.server.database.role import MISSING_MS, Role, missing_roles
from smallchange.server.insight.service import Insight
from smallchange.server.meeting import follow_rows
from smallchange.server.meeting.account_events import AccountEvents
from smallchange.server.meeting.challenges import Challenges
from smallchange.server.meeting.followers import Followers
from smallchange.server.meeting.house_bots import HouseBots
from smallchange.server.meeting.meeting_rows import may_meet
from smallchange.server.meeting.on_now import SignsOfLife
from smallchange.server.meeting.seeking import Seeks
from smallchange.server.moderation import rows as report_rows
from smallchange.server.moderation.service import Keeping
from smallchange.server.notifications import belongings as notification_belongings
from smallchange.server.notifications import rows as notification_rows
from smallchange.server.notifications.contacts import Contacts
from smallchange.server.notifications.push import Push
from smallchange.server.notifications.service import Notifications
from smallchange.server.ratings import rows as rating_rows
from smallchange.server.ratings import service as rating_service
from smallchange.server.ratings.service import Ratings
from smallchange.server.settings import Settings
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.ports import Ports
from smallchange.server.table.live.services import TableServices
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.storage.store import Store
from smallchange.server.tournaments import rows as tournament_rows
from smallchange.server.tournaments.service import Tournaments, challenge_duel
from smallchange.server.training import rows as training_rows
from smallchange.server.training.service import Training
from smallchange.server.web.background_tasks import BackgroundTasks, play
from smallchange.server.web.errors import Refused

BELONGINGS = (
    rating_service.BELONGINGS,
    notification_belongings.BELONGINGS,
    follow_rows.BELONGINGS,
    tournament_rows.BELONGINGS,
    report_rows.BELONGINGS,
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
        on_outage=(tournament_rows.put_off, daily_rows.put_off),
        on_arrival=tournament_rows.write_arrival,
    )
    return TableService(store, bus, bots, ports, now=now, pace_s=pace_s)


class Services(TableServices):
    """The services of all features."""

    def __init__(self, settings: Settings, tables: TableService, bots: BotWorkers) -> None:
        super().__init__(settings, tables, bots)
        self._began = tables.now()
        store = tables.store
        self.accounts: Accounts = Accounts(store, tables, settings, self.heavy, BELONGINGS)
        self.accounts.on_sign_out = self.close_session
        self.ratings = Ratings(store)
        self.notifications: Notifications = Notifications(store, tables, self.accounts)
        self.contacts = Contacts(store, settings)
        self.push = Push(store, tables, settings)
        self.keeping = Keeping(store, tables, self.accounts)
        self.keeping.on_block = self.close_blocked
        self.daily = DailyDeals(store, tables)
        self.signs_of_life = SignsOfLife(tables, self.daily)
        self.training = Training(store, tables.now)
        self.insight = Insight(store, bots, self.limits, self.training.review_writer)
        self._roles = BackgroundTasks()
        followers = Followers(tables, self.streams, self.closing)
        self.seeks = Seeks(tables, followers)
        self.house_bots = HouseBots(tables, settings)
        self.challenges = Challenges(tables, followers, self.house_bots, challenge_duel, self.limits)
        self.tournaments = Tournaments(tables, followers, bool(settings.arena_pace))
        self.events = AccountEvents(tables, self.challenges, followers)
        self.bot_accounts = BotAccounts(store, tables, self.accounts)
        self._backlog = Backlog()
        gauge = self.metrics.add_gauge
        gauge("bus_away", "Whether the bus cannot be reached", lambda: tables.bus.is_away)
        gauge("late_clock_seconds", "Oldest deadline passed", lambda: self._backlog.late_clock_s)
        gauge("unrated_matches", "Ended matches not rated yet", lambda: self._backlog.unrated_matches)
        gauge("messages_waiting", "Messages due, not sent yet", lambda: self._backlog.messages_waiting)
        gauge("roles_missing", "Whether nobody plays the roles", lambda: self._backlog.roles_missing)
        account_page = notification_belongings.AccountPage(self.contacts, self.push, settings)
        self.on_account_page = (self.ratings.on_account_page, account_page.parts)
        self.on_table_page = (
            self.notifications.on_table_page,
            self.tournaments.on_table_page,
            self.insight.on_table_page,
        )

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
