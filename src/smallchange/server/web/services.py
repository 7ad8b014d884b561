"""The services that every page and call needs, whatever features there are."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

from cachetools import TTLCache
from starlette.responses import Response

from smallchange.server.database.site_state import Site
from smallchange.server.settings import Settings
from smallchange.server.web.account import Account, Identity
from smallchange.server.web.background_tasks import BackgroundTasks, SingleFlight
from smallchange.server.web.heavy_work import HeavyWork
from smallchange.server.web.limits import Limits, LongAnswers
from smallchange.server.web.metrics import Metrics

MAX_PRESSED = 1_000  # answers of forms that are kept for another press
PRESSED_S = 60.0  # for which they are kept


class Accounts(Protocol):
    """The port to the accounts of visitors."""

    async def identity(self, hash: str) -> Identity:
        """Return the identity behind the token with this hash."""

    async def save_settings(self, account: Account, chosen: Mapping[str, str]) -> None:
        """Keep settings with an account."""


class Notifications(Protocol):
    """The port to the number that the frame of every page shows."""

    async def unread(self, holder: str, account: Account | None) -> int:
        """Return the number of unread notifications."""


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


class SharedServices:
    """Settings, limits, metrics and open connections, and ports to what the frame of a page shows."""

    accounts: Accounts
    notifications: Notifications
    site: Site

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.limits = Limits(settings)
        self.heavy = HeavyWork()
        self.long_answers = LongAnswers()
        self.connections: set[OpenConnection] = set()
        self.metrics = Metrics()
        self.metrics.add_gauge("sockets", "Open connections", lambda: len(self.connections))
        self.draining = False  # the server stops soon, and a proxy is to send nobody here
        self.closing = asyncio.Event()
        self.streams: set[asyncio.Event] = set()  # one for each open stream, set to wake it
        self.event_streams: set[OpenStream] = set()
        self.pressing = SingleFlight[str, Response]()  # forms, until they are answered
        self.pressed: TTLCache[str, Response] = TTLCache(MAX_PRESSED, PRESSED_S)
        self._tasks = BackgroundTasks()

    def close_session(self, hash: str) -> None:
        """Close the connections and streams of a session that has ended."""
        for connection in [*self.connections, *self.event_streams]:
            if connection.session == hash:
                self._tasks.begin(connection.end_session())

    def close_blocked(self) -> None:
        """Close the connections and streams of networks that are shut out."""
        for connection in [*self.connections, *self.event_streams]:
            if self.site.state.blocks(connection.address):
                self._tasks.begin(connection.end_session())

    async def announce_shutdown(self) -> None:
        """Notify all connections and streams that the server is about to stop."""
        self.closing.set()
        self.heavy.close()
        for news in self.streams:
            news.set()
        await asyncio.gather(*(connection.announce_shutdown() for connection in list(self.connections)))
