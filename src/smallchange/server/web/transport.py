"""The transport: HTTP and WebSocket connections, with limits on their number and their time.

Every connection takes one of the files that the system lets a process open. So one that sends nothing, or never a whole
request, is closed, and a gate counts those of each address and of all. Files are left for the database and the bots.
"""

from __future__ import annotations

import zlib
from asyncio import BaseTransport, TimerHandle, Transport
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from enum import IntEnum
from ipaddress import ip_address, ip_network
from struct import pack
from typing import Any, Protocol

from h11 import LocalProtocolError
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import CloseCode
from websockets.protocol import OPEN

from smallchange.server.web.limits import MESSAGE_PERIOD_S, ConnectionLimit, RateLimit, SparseLog, network_of

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

RESERVED_FILES = 124  # files of the process that are not for connections
FILES_WITHOUT_LIMIT = 8192  # where the system names no limit
MAX_FILES = 65_536  # that a process asks for, however many the system offers


class Waiting(IntEnum):
    """The requests that a connection waits for while nothing is answered. The first makes room first."""

    REQUEST = 0
    NEXT_REQUEST = 1


class Line(Protocol):
    """A connection that is told when a request on it is answered."""

    def begin_answer(self) -> None: ...
    def end_answer(self) -> None: ...


class ConnectionGate:
    """A limit on open connections. It counts refusals by kind in `refused`."""

    def __init__(self, max_per_address: int, proxies: str = "", max_open: int | None = None) -> None:
        self._max_per_address = max_per_address
        self._max_open = max_open or max(1, file_limit() - RESERVED_FILES)
        self._everyone_is_proxy = "*" in proxies
        self._proxies = [ip_network(part) for part in proxies.split(",") if part and part != "*"]
        self._by_address = ConnectionLimit(max_per_address)
        # for each kind by connection: how to cut it off; the oldest first
        self._waiting: dict[Waiting, dict[object, Callable[[], None]]] = {kind: {} for kind in Waiting}
        self.lines: dict[tuple[Any, ...], Line] = {}  # by address and port, but those of proxies and sockets
        self._log = SparseLog("gate")
        self.draining = False  # an answered connection is closed, and the next is opened elsewhere
        self.refused: Counter[str] = Counter()

    @property
    def open(self) -> int:
        """The number of connections."""
        return self._by_address.open

    def enter(self, address: str) -> bool:
        """Count one more connection of this address; return False, and count a refusal, if there are too many.

        Where all places are taken, a connection makes room that nothing is lost with: one whose first request is not
        whole, else one that was answered; the oldest of its kind.
        """
        network = network_of(address)
        crowded = self._by_address.is_full(network) and not self.is_proxy(address)
        full = self.open >= self._max_open
        if (
            full
            and not crowded
            and (kind := next((kind for kind in Waiting if self._waiting[kind]), None)) is not None
        ):
            cut_off = self._waiting[kind].pop(next(iter(self._waiting[kind])))
            cut_off()
            self.count_refusal("crowded", "others needed their places")
            full = False
        if crowded or full:
            self.count_refusal("connection")
            where, most = ("one address", self._max_per_address) if crowded else ("all", self._max_open)
            self._log.warning(f"connections were refused: {where}", address=address, most=most)
            return False
        self._by_address.count(network)
        return True

    def leave(self, address: str) -> None:
        """Count one connection less."""
        self._by_address.leave(network_of(address))

    def note(self, connection: object, kind: Waiting, cut_off: Callable[[], None]) -> None:
        """Note what a connection waits for, and how to cut it off."""
        self.forget(connection)
        self._waiting[kind][connection] = cut_off

    def forget(self, connection: object) -> None:
        """Note that a connection is being answered, or is gone."""
        for waiting in self._waiting.values():
            waiting.pop(connection, None)

    @contextmanager
    def answering(self, scope: Scope) -> Iterator[None]:
        """Tell the connection of a request that it is answered meanwhile."""
        client = tuple(scope["client"] or ("", 0))
        if line := self.lines.get(client):
            line.begin_answer()
        try:
            yield
        finally:
            if line and client in self.lines:
                line.end_answer()

    def count_refusal(self, kind: str, why: str = "") -> None:
        """Count a refusal, or a connection that was cut off."""
        self.refused[kind] += 1
        if why:
            self._log.warning(f"connections were cut off: {why}", refused=dict(self.refused))

    def is_proxy(self, address: str) -> bool:
        """Return whether this is the address of a proxy of ours."""
        if self._everyone_is_proxy or not self._proxies:
            return self._everyone_is_proxy
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)


def file_limit() -> int:
    """Return the number of files that this process may open."""
    if resource is None:
        return FILES_WITHOUT_LIMIT
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return FILES_WITHOUT_LIMIT if soft == resource.RLIM_INFINITY else soft


def raise_file_limit() -> None:
    """Let this process open as many files as the system allows it, MAX_FILES at most."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):  # a system may allow less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


PIECE_BYTES = 4 * 1024  # of what a connection receives
HEAD_TIMEOUT_S = 10.0  # for the head of a request, from the connection or its first byte on
WRITE_TIMEOUT_S = 20.0  # in which a client must read at least MIN_TAKEN_BYTES of a long answer
MIN_TAKEN_BYTES = 16 * 1024
MAX_WAITING_MESSAGES = 8  # received and not yet passed on
MAX_CONTROL_FRAMES = 100  # frames other than whole messages, in MESSAGE_PERIOD_S
TRANSPORT = "smallchange.transport"  # key of the scope's extensions
WHOLE_TEXT = 0x81  # the first byte of a frame with a whole text
COMPRESSED = 0x40  # its bit for a compressed one
MIN_COMPRESSED_BYTES = 300
COMPRESSION_LEVEL = 4  # of 9
# Each message is compressed by itself: so many connections take the same frame, and none keeps a state.
COMPRESSION = ServerPerMessageDeflateFactory(server_no_context_takeover=True, client_no_context_takeover=True)
DISCONNECT = "websocket.disconnect"  # type of the last event
Event = MutableMapping[str, Any]  # of a WebSocket, as ASGI has it


class HttpTransport(H11Protocol):
    """An HTTP connection, with limits on the time in which a request comes and an answer is read.

    It overrides methods of asyncio's protocols. The gate tells it when an answer begins and ends. A proxy
    has limits of its own.
    """

    def __init__(self, *args: Any, gate: ConnectionGate, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._gate = gate
        self._peer: tuple[str, int] | None = None
        self._counted = self._limited = self._answering = False
        self._timeout: TimerHandle | None = None  # for a whole request
        self._writing: TimerHandle | None = None
        self._unsent_bytes = 0  # when a client that does not read was looked at last

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._peer = peer_of(transport)
        self._counted = self._gate.enter(self._peer[0])
        if not self._counted:
            transport.abort()
            return
        self._limited = not self._gate.is_proxy(self._peer[0])
        if self._limited:
            self._gate.lines[self._peer] = self
            self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._stop_watching()
        self._gate.forget(self)
        if self._counted and self._peer is not None:
            self._gate.lines.pop(self._peer, None)
            self._gate.leave(self._peer[0])
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._limited and not self._answering and self._timeout is None:
            self._await_request()
        try:
            for start in range(0, len(data), PIECE_BYTES):  # between two it is seen that a head is too long
                if not self.transport.is_closing():
                    super().data_received(data[start : start + PIECE_BYTES])
        except LocalProtocolError:  # a body goes wrong after its answer has begun
            self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_writing()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_watching()

    def begin_answer(self) -> None:
        """Note that the head of a request is whole."""
        self._answering = True
        self._stop_waiting()
        self._gate.forget(self)

    def end_answer(self) -> None:
        """Note that the request is answered."""
        self._answering = False
        self._gate.note(self, Waiting.NEXT_REQUEST, self.transport.abort)
        if self._writing is None and self.transport.get_write_buffer_size():
            self._watch_writing()

    def _await_request(self) -> None:
        self._gate.note(self, Waiting.REQUEST, self.transport.abort)
        self._timeout = self.loop.call_later(HEAD_TIMEOUT_S, self._cut_off, "slow", "no whole request came")

    def _watch_writing(self) -> None:
        self._stop_watching()
        self._unsent_bytes = self.transport.get_write_buffer_size()
        self._writing = self.loop.call_later(WRITE_TIMEOUT_S, self._check_writing)

    def _check_writing(self) -> None:
        """Cut off a client that has read too little since the last check."""
        unsent = self.transport.get_write_buffer_size()
        if unsent > self._unsent_bytes - min(MIN_TAKEN_BYTES, self._unsent_bytes):
            self._cut_off("unread", "what was sent was not read")
        elif unsent:
            self._watch_writing()
        else:
            self._writing = None

    def _cut_off(self, kind: str, why: str) -> None:
        self._gate.count_refusal(kind, why)
        self.transport.abort()

    def _stop_watching(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None

    def _stop_waiting(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None


def peer_of(transport: BaseTransport) -> tuple[str, int]:
    """Return the address and port of who has connected, as the scope of a request has them."""
    peer = transport.get_extra_info("peername")
    return (str(peer[0]), int(peer[1])) if peer else ("", 0)


class Inbox:
    """The events of an open connection, served one after the other by a task that lasts while any wait.

    It takes the place of uvicorn's queue, at which a task would wait all the time. Nothing follows a disconnect.
    """

    __slots__ = ("_serve", "_transport", "_waiting")

    def __init__(self, transport: WebSocketTransport, serve: Callable[[Event], Awaitable[None]]) -> None:
        self._transport: WebSocketTransport | None = transport
        self._serve = serve
        self._waiting: list[Event] = []  # the first is being served

    def qsize(self) -> int:
        """Return the number of events that are not yet served."""
        return len(self._waiting)

    def put_nowait(self, event: Event) -> None:
        """Serve an event after those that wait."""
        if self._transport is None:
            return
        self._waiting.append(event)
        if len(self._waiting) == 1:
            self._transport.begin(self._serve_waiting(self._transport))

    async def _serve_waiting(self, transport: WebSocketTransport) -> None:
        while self._waiting and self._transport is not None:
            event = self._waiting[0]
            await self._serve(event)
            del self._waiting[0]
            if event["type"] == DISCONNECT:
                self._transport = None
                del self._serve  # for both refer to this
        transport.go_on_reading()


class WebSocketTransport(WebSocketsSansIOProtocol):
    """A WebSocket connection.

    The endpoint finds it in the scope's extensions by TRANSPORT. Once it has accepted the connection, it hands over
    all that follows by `serve`, and returns. `resumed` is called when the connection takes more again.
    """

    resumed: Callable[[], None] | None = None
    _served = False

    def __init__(self, *args: Any, gate: ConnectionGate, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._gate = gate
        self._control_frames = RateLimit(MAX_CONTROL_FRAMES, MESSAGE_PERIOD_S)
        self.conn.available_extensions = [COMPRESSION]

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        if line := self._gate.lines.pop(peer_of(transport), None):
            line.begin_answer()  # and it never ends

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._gate.leave(peer_of(self.transport)[0])
        super().connection_lost(exc)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.handshake_complete:  # else it was refused
            self.scope["extensions"][TRANSPORT] = self  # type: ignore[assignment]

    def serve(self, serve: Callable[[Event], Awaitable[None]]) -> None:
        """Let `serve` have each event of the open connection from now on, in place of the application.

        The application's task ends, and with it all that belongs to the handshake: ten thousand connections do nothing
        most of the time.
        """
        came, self.queue = self.queue, Inbox(self, serve)  # type: ignore[assignment]
        while not came.empty():
            self.queue.put_nowait(came.get_nowait())
        self._served = True
        self.request.headers.clear()  # the parser keeps the request
        del self.scope, self.request, self.response

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin a task that the stop of the server waits for."""
        task = self.loop.create_task(work)
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    async def run_asgi(self) -> None:
        """Let the application answer the handshake. The connection ends with that, unless it is served from then on."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except BaseException:
            self.logger.exception("Exception in ASGI application\n")
            self.send_500_response()
        if not self._served and self.close_timer is None:
            self.transport.close()

    async def close(self, code: int) -> None:
        """Close the connection, unless it is closed."""
        with suppress(ClientDisconnected):
            await self.writable.wait()
            if not self.close_sent:
                await self.send({"type": "websocket.close", "code": code, "reason": ""})

    def go_on_reading(self) -> None:
        """Read again, if reading was paused."""
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def handle_ping(self) -> None:
        if self._take_control_frame():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if self._take_control_frame():
            super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        if self._take_control_frame():
            super().handle_cont(event)

    @property
    def lag_ms(self) -> int:
        """The time from the last ping of ours to its answer; 0 before the first answer."""
        return int(1000 * self.last_ping_rtt)

    def measure_lag(self) -> None:
        """Send a ping now, unless one is on its way, and the next after the usual time."""
        if self.pending_ping_payload is None and self.conn.state is OPEN:
            if self.ping_timer is not None:
                self.ping_timer.cancel()
            self.send_keepalive_ping()

    def _take_control_frame(self) -> bool:
        """Count a frame that is not a whole message. Abort the connection if there are too many."""
        if not self._control_frames.take():
            self.transport.abort()
            return False
        return True

    def send_receive_event_to_app(self) -> None:
        """Pass a message on.

        A few messages may wait: pausing and resuming the reading for each would cost more than it saves.
        """
        self.frames = [b"".join(self.frames)]
        if self.curr_msg_data_type == "text" and not _is_text(self.frames[0]):
            self.conn.send_close(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
            return
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= MAX_WAITING_MESSAGES:
            self.read_paused = True
            self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.resumed is not None:
            self.resumed()

    def write(self, text: bytes) -> None:
        """Send a text, if the connection is still open. `writable` says whether it takes more."""
        self.write_frame(text_frame(text, self.compresses))

    @property
    def compresses(self) -> bool:
        """Return whether the client takes compressed messages."""
        return bool(self.conn.extensions)

    def write_frame(self, frame: bytes) -> None:
        """Send the frame of a text."""
        if self.conn.state is OPEN and not self.close_sent and not self.transport.is_closing():
            self.transport.write(frame)


def text_frame(text: bytes, compresses: bool) -> bytes:
    """Return the frame of a text, which is the same for every connection that `compresses`, or that does not."""
    first = WHOLE_TEXT
    if compresses and len(text) >= MIN_COMPRESSED_BYTES:
        first |= COMPRESSED
        deflate = zlib.compressobj(COMPRESSION_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
        text = (deflate.compress(text) + deflate.flush(zlib.Z_SYNC_FLUSH))[:-4]  # as RFC 7692 has it
    length = len(text)
    if length < 126:
        return pack("!BB", first, length) + text
    return (pack("!BBH", first, 126, length) if length < 65536 else pack("!BBQ", first, 127, length)) + text


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
