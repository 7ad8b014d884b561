"""Streams of server-sent events. Each counts as one of the connections of its address."""

from __future__ import annotations

from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.services import SharedServices


class EventStream(StreamingResponse):
    """A stream of events. Refused where the address has too many connections."""

    def __init__(self, services: SharedServices, address: str, events: AsyncIterator[bytes]) -> None:
        if not services.limits.sockets.enter(address):
            raise Refused(ErrorCode.CONNECTION_LIMIT)
        unheld = {"X-Accel-Buffering": "no"}  # nginx would keep events until they fill a buffer
        super().__init__(events, headers=unheld, media_type="text/event-stream")
        self._services = services
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._services.limits.sockets.leave(self._address)
