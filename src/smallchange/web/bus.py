"""How processes tell each other that a table has news: behind a URL. A notice carries no position, so one
that is lost or comes twice does no harm: everyone reads the rows."""

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

from .settings import POSTGRESQL, BadSetting, read_url

log = structlog.get_logger("bus")
CHANNEL = "smallchange"
RETRY = 1.0  # seconds before connecting again, and twice as long after each failure
MOST = 30.0  # but not longer
CONNECT = 5  # seconds for PostgreSQL to answer, and of quiet after which a line is tried
LAST = 2.0  # seconds for the connections to end


class Notice(NamedTuple):
    """Table `match` is at `ply`, and the sender's process sees these seats there (None: says nothing of
    it)."""

    match: str
    ply: int
    here: tuple[int, ...] | None = None
    sender: str = ""


Hear = Callable[[Notice], Awaitable[None]]
_decoder = msgspec.json.Decoder(Notice)


class Bus(Protocol):
    """`local`: there is no other process, so nothing need be said."""

    local: bool

    async def open(self, hear: Hear) -> None: ...
    async def publish(self, notice: Notice) -> None: ...
    async def close(self) -> None: ...


def bus(url: str, database: str) -> Bus:
    """memory://, redis://HOST, or a PostgreSQL database's URL (LISTEN and NOTIFY); "" for what goes with the
    database. What it needs is imported at once: ModuleNotFoundError says what is not installed."""
    expected = "memory://, postgresql://.. or redis://.."
    shared = database.partition("://")[0] in POSTGRESQL
    url = url or (database if shared else "memory://")
    scheme = read_url("bus", expected, url).drivername
    if scheme == "memory":
        if shared:
            log.warning("the bus is memory://: other servers on this database are not heard")
        return Memory()
    if scheme in POSTGRESQL:
        return Postgres(url)
    if scheme in ("redis", "rediss"):
        return Redis(url)
    raise BadSetting(f"bus: expected {expected}, not {scheme}://..")


class Memory:
    """One process alone."""

    local = True

    async def open(self, hear: Hear) -> None:
        pass

    async def publish(self, notice: Notice) -> None:
        pass

    async def close(self) -> None:
        pass


class Remote:
    """What the others share: a queue out, a listener in, both connecting again when the line is cut."""

    local = False

    def __init__(self, url: str) -> None:
        self.url = url
        self.name = secrets.token_hex(4)
        self._out: asyncio.Queue[bytes] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []
        self._away = False

    async def open(self, hear: Hear) -> None:
        self._hear = hear
        self._tasks = [asyncio.create_task(self._always(side)) for side in (self._listen, self._send)]

    async def publish(self, notice: Notice) -> None:
        with contextlib.suppress(asyncio.QueueFull):  # a lost notice is harmless
            self._out.put_nowait(msgspec.json.encode(notice._replace(sender=self.name)))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks, timeout=LAST)  # a server that hangs is not waited for

    async def heard(self, payload: str | bytes) -> None:
        try:
            notice = _decoder.decode(payload)
            if notice.sender != self.name:
                await self._hear(notice)
        except Exception:
            log.exception("a notice could not be followed")

    async def _always(self, side: Callable[[], Awaitable[None]]) -> None:
        wait = 0.0
        while True:
            began = time.monotonic()
            try:
                await side()
            except Exception as wrong:
                if time.monotonic() - began > MOST:  # it was there meanwhile
                    wait = 0.0
                if wait and not self._away:  # a line that is cut once, and there again, loses little
                    log.warning("the bus is away", why=str(wrong))
                    self._away = True
            wait = min(2 * wait, MOST) or RETRY
            await asyncio.sleep(wait)

    def _back(self) -> None:
        """It is listened to, or again."""
        if self._away:
            log.info("the bus is back")
        self._away = False

    async def _listen(self) -> None:
        raise NotImplementedError

    async def _send(self) -> None:
        raise NotImplementedError


class Postgres(Remote):
    def __init__(self, url: str) -> None:
        from psycopg import AsyncConnection

        super().__init__(url)
        self._called = AsyncConnection.connect

    async def _connect(self) -> Any:
        url = make_url(self.url).set(drivername="postgresql+psycopg")
        conninfo, told = url.get_dialect()().create_connect_args(url)  # the URL as the store reads it
        limits = {
            "connect_timeout": CONNECT,
            "tcp_user_timeout": 2000 * CONNECT,
            "keepalives_idle": CONNECT,
            "keepalives_interval": CONNECT,
        }
        return await self._called(*conninfo, **{**limits, **told}, autocommit=True)

    async def _listen(self) -> None:
        async with await self._connect() as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._back()
            async for notice in connection.notifies():
                await self.heard(notice.payload)

    async def _send(self) -> None:
        async with await self._connect() as connection:
            while True:
                payload = await self._out.get()
                await connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload.decode()))


class Redis(Remote):
    def __init__(self, url: str) -> None:
        from redis.asyncio import Redis as Client

        super().__init__(url)
        self._client = Client.from_url

    async def _listen(self) -> None:
        async with self._client(self.url) as client, client.pubsub() as heard:
            await heard.subscribe(CHANNEL)
            self._back()
            async for message in heard.listen():
                if message["type"] == "message":
                    await self.heard(message["data"])

    async def _send(self) -> None:
        async with self._client(self.url) as client:
            while True:
                await client.publish(CHANNEL, await self._out.get())
