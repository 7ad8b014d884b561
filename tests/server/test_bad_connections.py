"""Connections over which no proper request comes: they are ended, and take nobody's place."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path

import httpx
import pytest

from smallchange.server import serve
from smallchange.server.web import request_context
from smallchange.server.web import transport as incoming

from .outside import Process, until
from .serving import TIMEOUT_S, Person, Served, hear, say, serving
from .tables import PAIR

WS = "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
PROPER = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
POST = "POST /api/matches HTTP/1.1\r\nHost: localhost\r\n"


def is_closed_by_server(served: Served, sent: str) -> bool:
    """Return whether the server ends a connection over which this is sent."""
    with socket.create_connection(("127.0.0.1", served.port), TIMEOUT_S) as line:
        try:
            line.sendall(sent.encode())
            while line.recv(65536):
                pass
        except TimeoutError:
            return False
        except OSError:  # it ended with something unread
            pass
    return True


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "GET / HT",
        "GET / HTTP/1.1\r\nHost: localhost\r\n",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT",
    ],
)
def test_who_never_sends_a_whole_request_is_not_waited_for(
    served: Served, sent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incoming, "HEAD_TIMEOUT_S", 0.1)
    assert is_closed_by_server(served, sent)


@pytest.mark.parametrize(
    "begun",
    ["Content-Length: 9\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nTrailer: x"],
)
def test_a_body_that_never_ends_is_refused(
    served: Served, begun: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_context, "BODY_TIMEOUT_S", 0.1)
    with socket.create_connection(("127.0.0.1", served.port), TIMEOUT_S) as line:
        line.sendall(f"{POST}{begun}".encode())
        assert line.recv(12) == b"HTTP/1.1 400"


@pytest.mark.parametrize(
    "endless",
    [
        "GET / HTTP/1.1\r\nX: " + "x" * 1_000_000,
        "GET / HTTP/1.1\r\n" + "X: y\r\n" * 200_000,
        "GET /" + "x" * 1_000_000,
        f"{POST}Transfer-Encoding: chunked\r\n\r\n2\r\n" + "{}\r\n0\r\n" + "X: y\r\n" * 200_000,
    ],
)
def test_headers_have_an_end(served: Served, endless: str) -> None:
    assert is_closed_by_server(served, endless)


@pytest.mark.parametrize(
    "wrong", ["Content-Length: 2\r\n\r\nhi", f"X: {'x' * 9000}\r\n\r\n", "X: y\r\n" * 300 + "\r\n"]
)
def test_who_asks_for_a_socket_as_none_is_opened_is_hung_up_on(served: Served, wrong: str) -> None:
    assert is_closed_by_server(served, WS + PROPER + wrong)


EMPTY = b"\x80\0\0\0\0"  # what a frame says of its length and mask
TEXT, MORE, LAST, PING, PONG = (bytes([first]) for first in (0x01, 0x00, 0x80, 0x89, 0x8A))


@pytest.mark.parametrize("flood", [PING, PONG, MORE])
def test_who_sends_much_that_is_no_message_is_cut_off(served: Served, flood: bytes) -> None:
    with open_socket(served) as line:
        line.sendall(TEXT + EMPTY + (flood + EMPTY) * incoming.MAX_CONTROL_FRAMES * 2)
        with contextlib.suppress(ConnectionError):
            while line.recv(65536):
                pass


def test_a_message_may_come_in_parts_with_something_between(served: Served) -> None:
    with open_socket(served) as line:
        half, other = b'{"is":', b'"ping"}'
        for first, part in ((TEXT, half), (PING, b""), (MORE, b""), (LAST, other)):
            line.sendall(first + bytes([0x80 + len(part)]) + b"\0\0\0\0" + part)
        said = b""
        while b'"pong"' not in said:
            said += line.recv(65536)
    assert said.startswith(b"\x8a"), "the ping was answered before"


def test_what_is_no_text_is_told_so_and_leaves_no_trace(tmp_path: Path) -> None:
    server = Process(database=f"sqlite:///{tmp_path / 'tables.db'}")
    with open_socket(server) as line:
        line.sendall(b"\x81\x82\0\0\0\0\xff\xfe")
        assert line.recv(65536).endswith((1007).to_bytes(2))
    status, said = server.stop()
    assert status == 0
    assert b"Traceback" not in said


def open_socket(server: Served | Process) -> socket.socket:
    """Return a socket, asked for and opened, with nothing said yet."""
    line = socket.create_connection(("127.0.0.1", server.port), TIMEOUT_S)
    line.sendall(f"{WS}{PROPER}\r\n".encode())
    heard = b""
    while not heard.endswith(b"\r\n\r\n"):
        heard += line.recv(1)
    assert heard.startswith(b"HTTP/1.1 101")
    return line


def test_who_has_asked_may_listen_for_as_long_as_they_like(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incoming, "HEAD_TIMEOUT_S", 0.1)
    id = ann.open(PAIR)
    with ann.socket() as line, httpx.stream("GET", f"{served.url}/api/matches/{id}/stream") as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith("data: ")
        assert is_closed_by_server(served, ""), "so long ago"
        say(line, **{"is": "ping"})
        assert hear(line, "pong")
        ann.command(id, "resign", 0)
        assert any("withdrawn" in said for said in lines)


def test_who_asks_much_at_once_and_hangs_up_leaves_no_trace(tmp_path: Path) -> None:
    server = Process(database=f"sqlite:///{tmp_path / 'tables.db'}")
    for _ in range(10):
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 300)
            assert line.recv(12) == b"HTTP/1.1 200"
    status, said = server.stop()
    assert status == 0
    assert b"Traceback" not in said


def test_who_is_not_answered_when_the_server_stops_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serve, "SHUTDOWN_GRACE_S", 1)
    with serving(tmp_path) as served, socket.create_connection(("127.0.0.1", served.port)) as line:
        line.sendall(f"{POST}Content-Length: 9\r\n\r\n{{".encode())
        until(lambda: served._server.server_state.tasks)
        served.stop()
        said = line.makefile().read()
    assert said.startswith("HTTP/1.1 503")
    assert '"code":"shutting-down"' in said
    assert "Traceback" not in caplog.text
