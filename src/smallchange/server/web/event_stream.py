"""Streams of server-sent events. Each counts as one of the connections of its address."""

from __future__ import annotations

from collections.abc import AsyncIterator

from anyio import CancelScope
from starlette.requests import HTTPConnection
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.services import SharedServices
from smallchange.server.web.sessions import bearer_token, token_hash


class EventStream(StreamingResponse):
    """A stream of events. Refused where the address has too many connections.

    It ends by itself, or by `end_session`: its session has ended, or the network of its reader is shut out.
    """

    def __init__(self, services: SharedServices, address: str, events: AsyncIterator[bytes]) -> None:
        if not services.limits.sockets.enter(address):
            raise Refused(ErrorCode.CONNECTION_LIMIT)
        unheld = {"X-Accel-Buffering": "no"}  # nginx would keep events until they fill a buffer
        super().__init__(events, headers=unheld, media_type="text/event-stream")
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
