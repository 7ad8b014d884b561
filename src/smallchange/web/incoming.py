"""How requests come in. Whoever sends nothing, or never the whole of it, is not waited for without end: each
connection takes one of the files that the system lets us open."""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

WHOLE = 60.0  # seconds in which a request has to come, from its first byte or from the connection on
HEAD = 64 * 1024  # the most bytes of a request besides its body


class Http(HttpToolsProtocol):
    """HTTP, for so long and so much."""

    _due: TimerHandle | None = None
    _beside = 0  # bytes of the request that are not its body
    _answered: RequestResponseCycle | None = None  # of several that were sent at once, the one in hand

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._came()
        if self._answered is not None:
            self._answered.disconnected = True
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._beside += len(data)
        super().data_received(data)
        if self._beside > HEAD:
            self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._beside = 0
        self._expect()

    def on_body(self, body: bytes) -> None:
        self._beside -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._came()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def _expect(self) -> None:
        self._came()
        self._due = self.loop.call_later(WHOLE, self.transport.close)

    def _came(self) -> None:
        if self._due is not None:
            self._due.cancel()


class Socket(WebSocketsSansIOProtocol):
    """A socket, unless it was not asked for as it should be."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None:
            self.transport.close()
