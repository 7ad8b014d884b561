"""The bus: notices from process to process that a table has changed, by LISTEN and NOTIFY of PostgreSQL.

A notice carries no position, so a lost or repeated one does no harm: every process reads the rows.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, Protocol

import msgspec
import structlog
from sqlalchemy.engine import make_url

from smallchange.server.settings import POSTGRESQL_SCHEMES

log = structlog.get_logger("bus")
CHANNEL = "smallchange"
MIN_RETRY_S = 1.0  # before connecting again; doubled after each failure
MAX_RETRY_S = 30.0
CONNECT_TIMEOUT_S = 5  # for PostgreSQL; after as long a silence the connection is tested
CLOSE_TIMEOUT_S = 2.0
SILENT_S = 4.0  # without its own notices, after which a process knows nothing of the others
MAX_QUEUED_NOTICES = 10_000
FULL_MESSAGE = 6_000  # bytes from which on no notice is added; PostgreSQL takes less than 8,000


class Notice(NamedTuple):
    """A notice that table `match` is at `ply`, and that the seats in `here` are present at the sender's process.

    If `here` is None, the notice says nothing about presence. `spectators` watch there without a seat. A `word` is of
    something else with that id, and is stored nowhere.
    """

    match: str
    ply: int
    here: tuple[int, ...] | None = None
    sender: str = ""
    spectators: int = 0
    word: str = ""


Listener = Callable[[Notice], Awaitable[None]]
_decoder = msgspec.json.Decoder(list[Notice])


class Bus(Protocol):
    """The interface of a bus. If it is `local`, there are no other processes, so notices are not needed.

    It `is_silent` where even this process's own notices have not come back for a while, and `is_away` where it cannot
    be reached.
    """

    local: bool

    @property
    def is_silent(self) -> bool: ...
    @property
    def is_away(self) -> bool: ...

    async def open(self, listener: Listener) -> None: ...
    async def publish(self, notice: Notice) -> None: ...
    async def close(self) -> None: ...


def bus_for(database: str) -> Bus:
    """Return the bus of the processes on a database: SQLite has one alone."""
    shared = database.partition("://")[0] in POSTGRESQL_SCHEMES
    return PostgresBus(database) if shared else MemoryBus()


class MemoryBus:
    """The bus of one process alone."""

    local = True
    is_silent = is_away = False

    async def open(self, listener: Listener) -> None:
        pass

    async def publish(self, notice: Notice) -> None:
        pass

    async def close(self) -> None:
        pass


class PostgresBus:
    """A queue of notices to send, and a listener. Both connect again when the connection is lost."""

    local = False

    def __init__(self, url: str) -> None:
        from psycopg import AsyncConnection

        self.url = url
        self._open_connection = AsyncConnection.connect
        self.name = secrets.token_hex(4)
        self._out: asyncio.Queue[bytes] = asyncio.Queue(MAX_QUEUED_NOTICES)
        self._tasks: list[asyncio.Task[None]] = []
        self._away = False
        self._unheard_since: float | None = None  # of the first notice sent that has not come back

    @property
    def is_silent(self) -> bool:
        """Return whether notices of this process have not come back for a while."""
        return self._unheard_since is not None and time.monotonic() - self._unheard_since > SILENT_S

    @property
    def is_away(self) -> bool:
        """Return whether the bus cannot be reached, or gives nothing back."""
        return self._away or self.is_silent

    async def open(self, listener: Listener) -> None:
        self._listener = listener
        self._tasks = [asyncio.create_task(self._run_forever(side)) for side in (self._listen, self._send)]

    async def publish(self, notice: Notice) -> None:
        if self._unheard_since is None:
            self._unheard_since = time.monotonic()
        with contextlib.suppress(asyncio.QueueFull):  # a lost notice is harmless
            self._out.put_nowait(msgspec.json.encode(notice._replace(sender=self.name)))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks, timeout=CLOSE_TIMEOUT_S)  # a server that hangs is not waited for

    async def receive(self, payload: str | bytes) -> None:
        """Apply the notices of a message, but those of this process."""
        self._unheard_since = None
        try:
            for notice in _decoder.decode(payload):
                if notice.sender != self.name:
                    await self._listener(notice)
        except Exception:
            log.exception("a notice could not be applied")

    async def next_message(self) -> bytes:
        """Wait for a notice, and return all that wait by then in one message."""
        notices = [await self._out.get()]
        size = len(notices[0])
        while size < FULL_MESSAGE and not self._out.empty():
            notices.append(self._out.get_nowait())
            size += len(notices[-1])
        return b"[" + b",".join(notices) + b"]"

    async def _run_forever(self, side: Callable[[], Awaitable[None]]) -> None:
        """Run one side, and run it again after every failure."""
        wait = 0.0
        while True:
            began = time.monotonic()
            try:
                await side()
            except Exception as wrong:
                if time.monotonic() - began > MAX_RETRY_S:  # it was there meanwhile
                    wait = 0.0
                if wait and not self._away:  # a line that is cut once, and there again, loses little
                    log.warning("the bus is away", why=str(wrong))
                    self._away = True
            wait = min(2 * wait, MAX_RETRY_S) or MIN_RETRY_S
            await asyncio.sleep(wait)

    def _set_connected(self) -> None:
        """Log that the bus is back, if it was away."""
        if self._away:
            log.info("the bus is back")
        self._away = False

    async def _connect(self) -> Any:
        url = make_url(self.url).set(drivername="postgresql+psycopg")
        conninfo, options = url.get_dialect()().create_connect_args(url)  # the URL as the store reads it
        limits = {
            "connect_timeout": CONNECT_TIMEOUT_S,
            "tcp_user_timeout": 2000 * CONNECT_TIMEOUT_S,
            "keepalives_idle": CONNECT_TIMEOUT_S,
            "keepalives_interval": CONNECT_TIMEOUT_S,
        }
        return await self._open_connection(*conninfo, **{**limits, **options}, autocommit=True)

    async def _listen(self) -> None:
        async with await self._connect() as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._set_connected()
            async for notice in connection.notifies():
                await self.receive(notice.payload)

    async def _send(self) -> None:
        async with await self._connect() as connection:
            # a notice that a crash loses does no harm, and NOTIFY holds a lock of all databases until its commit
            await connection.execute("SET synchronous_commit = off")
            while True:
                message = await self.next_message()
                await connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, message.decode()))
