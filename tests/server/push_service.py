"""A push service on loopback, and browsers that subscribe to it: it decrypts whatever it is sent."""

from __future__ import annotations

import base64
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

AUTH = bytes(range(16))


class Pushed(NamedTuple):
    """A message as its browser reads it, with the path of its endpoint and the headers of the request."""

    path: str
    message: dict[str, Any]
    headers: dict[str, str]


class PushService:
    """Keeps what came. `answer` gives the status for a path; what is refused was not taken."""

    def __init__(self) -> None:
        self.browsers: dict[str, ec.EllipticCurvePrivateKey] = {}
        self.taken: list[Pushed] = []
        self.refused = 0
        self.answer: Callable[[str], int] = lambda path: 201
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(service.take(self.path, dict(self.headers), body))
                self.send_header("Content-Length", "0")
                self.send_header("Location", "http://127.0.0.1:1/")  # of a redirect
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        """Decrypt a message and return the status."""
        assert Vapid02.verify(headers["Authorization"])
        status = self.answer(path)
        if status == 201:
            key = self.browsers[path]
            plain = http_ece.decrypt(body, private_key=key, auth_secret=AUTH, version="aes128gcm")
            self.taken.append(Pushed(path, json.loads(plain), headers))
        else:
            self.refused += 1
        return status

    def subscription(self, path: str) -> dict[str, Any]:
        """Return the subscription of a new browser at a path such as /ann, as JSON has it."""
        key = self.browsers[path] = ec.generate_private_key(ec.SECP256R1())
        point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": text(point), "auth": text(AUTH)}
        return {"endpoint": f"http://{self.host}{path}", "expirationTime": None, "keys": keys}


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@contextmanager
def push_service() -> Iterator[PushService]:
    """Yield a push service on loopback."""
    service = PushService()
    thread = threading.Thread(target=service.server.serve_forever)
    thread.start()
    yield service
    service.server.shutdown()
    thread.join()
    service.server.server_close()
