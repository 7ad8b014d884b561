"""Streams of server-sent events, each one of the connections of its address; and requests that wait for a change."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, TypeVar

from anyio import CancelScope
from starlette.requests import HTTPConnection
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.sessions import bearer_token, token_hash

if TYPE_CHECKING:
    from smallchange.server.services import Services

T = TypeVar("T")
LOOK_PERIOD_S = 5.0  # between looks at something whose notice may have been lost


class EventStream(StreamingResponse):
    """A stream of events. Refused where the address has too many connections.

    It ends by itself, where nothing can be said any more, or by `end_session`: its session has ended, or the network
    of its reader is shut out.
    """

    def __init__(self, services: Services, address: str, events: AsyncIterator[bytes]) -> None:
        if not services.limits.sockets.enter(address):
            raise Refused(ErrorCode.CONNECTION_LIMIT)
        unheld = {"X-Accel-Buffering": "no"}  # nginx would keep events until they fill a buffer
        super().__init__(_until_refused(events), headers=unheld, media_type="text/event-stream")
        self._services = services
        self._address = address
        self._scope = CancelScope()
        self.address = self.session = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = HTTPConnection(scope)
        token = bearer_token(request)
        self.session = token_hash(token) if token else scope["visitor"].hash if "visitor" in scope else ""
        self.address = request.client.host if request.client else ""
        self._services.event_streams.add(self)
        try:
            with self._scope:
                await super().__call__(scope, receive, send)
            if self._scope.cancelled_caught:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._services.event_streams.discard(self)
            self._services.limits.sockets.leave(self._address)

    async def end_session(self) -> None:
        """End the stream."""
        self._scope.cancel()


async def _until_refused(events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the events up to a refusal, such as that of a database that does not answer; a reader asks again."""
    with suppress(Refused):
        async with aclosing(events) as said:  # type: ignore[type-var]
            async for event in said:
                yield event


class Waiting:
    """Requests that wait until something with an id changes, such as a seek or a challenge.

    `streams` are woken when the server stops, which `closing` says.
    """

    def __init__(self, streams: set[asyncio.Event], closing: asyncio.Event) -> None:
        self._streams = streams
        self._closing = closing
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)

    async def follow(
        self, id: str, look: Callable[[], Awaitable[T]], is_over: Callable[[T], bool]
    ) -> AsyncIterator[T]:
        """Yield what `look` returns: now, every few seconds, and after every notice about the id, until it is over."""
        news = asyncio.Event()
        self._streams.add(news)
        self._waiting[id].add(news)
        try:
            while not self._closing.is_set():
                found = await look()
                yield found
                if is_over(found):
                    return
                with suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), LOOK_PERIOD_S)
                news.clear()
        finally:
            self._streams.discard(news)
            self._waiting[id].discard(news)
            if not self._waiting[id]:
                del self._waiting[id]

    def wake(self, id: str) -> None:
        """Let those who wait for this id look again."""
        for news in self._waiting.get(id, ()):
            news.set()
