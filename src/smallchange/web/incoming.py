"""How requests come in. Whoever sends nothing, or never the whole of it, is not waited for without end: each
connection takes one of the files that the system lets us open."""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.protocol import OPEN

from .guard import Credits

WHOLE = 60.0  # seconds in which a request has to come, from its first byte or from the connection on
HEAD = 64 * 1024  # the most bytes of a request besides its body
AHEAD = 8  # messages that wait at most for who takes them
PERIOD = 20.0  # seconds for which credits are
BESIDE = 100  # frames besides whole messages that one may send in them
LINE = "smallchange.line"


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
    """A socket, unless it was not asked for as it should be. Who speaks over it finds it in the scope's
    extensions by LINE, to write at once; `resumed` is called when it takes more again."""

    resumed: Callable[[], None] | None = None

    def __init__(self, *how: Any, **more: Any) -> None:
        super().__init__(*how, **more)
        self._beside = Credits(BESIDE, PERIOD)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None:
            self.transport.close()

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.handshake_complete:  # it is not refused
            self.scope["extensions"][LINE] = self  # type: ignore[assignment]

    def handle_ping(self) -> None:
        if self._may():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if self._may():
            super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        if self._may():
            super().handle_cont(event)

    def _may(self) -> bool:
        """What nobody takes as a message costs time too: who sends too much of it is cut off."""
        if not self._beside.spend():
            self.transport.abort()
            return False
        return True

    def send_receive_event_to_app(self) -> None:
        """A few messages may wait; to stop reading for each, and begin again, costs more than it saves."""
        self.frames = [b"".join(self.frames)]
        if self.curr_msg_data_type == "text" and not _is_text(self.frames[0]):
            self.conn.send_close(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
            return
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= AHEAD:
            self.read_paused = True
            self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.resumed is not None:
            self.resumed()

    def write(self, text: bytes) -> None:
        """Send a text, if the line is open still; whether it takes more, `writable` says."""
        if self.conn.state is OPEN and not self.close_sent and not self.transport.is_closing():
            self.conn.send_text(text)
            self.transport.write(b"".join(self.conn.data_to_send()))


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
