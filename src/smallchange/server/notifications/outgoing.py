"""Requests to addresses that browsers gave: to known push services alone (against SSRF).

A host inside the network has no certificate of theirs. Redirects are not followed.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Collection
from functools import cache
from urllib.parse import urlsplit

from smallchange.i18n.text import Text

MAX_URL_CHARS = 500
TIMEOUT_S = 10.0
HTTPS_PORT = 443


NO_URL = Text("it is no URL of a push service")
NO_TLS = Text("it does not begin with https://")
UNKNOWN_HOST = Text("its host is not known")


class BadAddress(ValueError):
    """The server sends nothing to this address. The error gives the reason."""

    def __init__(self, why: Text) -> None:
        super().__init__(why.en)
        self.why = why


def check_host(url: str, hosts: Collection[str]) -> None:
    """Refuse a URL unless it is on one of these hosts. Raise BadAddress.

    A host that begins with a dot stands for all names that end with it. One with a port is reached without TLS, also
    inside the network.

    >>> check_host("https://web.push.example/x", [".push.example"])
    >>> check_host("http://127.0.0.1:8123/x", ["127.0.0.1:8123"])
    >>> check_host("https://push.example.evil.example/x", [".push.example"])
    Traceback (most recent call last):
    smallchange.server.notifications.outgoing.BadAddress: its host is not known
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or HTTPS_PORT
    except ValueError:
        raise BadAddress(NO_URL) from None
    if (
        len(url) > MAX_URL_CHARS
        or not host
        or parts.username
        or not url.isascii()
        or any(map(str.isspace, url))
    ):
        raise BadAddress(NO_URL)
    if f"{host}:{port}" in hosts and parts.scheme == "http":
        return
    if parts.scheme != "https":
        raise BadAddress(NO_TLS)
    if port != HTTPS_PORT or not any(
        host == known or (known.startswith(".") and host.endswith(known)) for known in hosts
    ):
        raise BadAddress(UNKNOWN_HOST)


@cache
def _tls() -> ssl.SSLContext:
    """Return the context of all connections: to read the certificates of the system takes 20 ms."""
    return ssl.create_default_context()


async def post(url: str, body: bytes, headers: dict[str, str], hosts: Collection[str]) -> int:
    """Post a body to a URL on one of these hosts, and return the HTTP status. Raise BadAddress or OSError."""
    import httpcore

    check_host(url, hosts)
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), TIMEOUT_S)
    try:
        async with (
            asyncio.timeout(TIMEOUT_S),
            httpcore.AsyncConnectionPool(ssl_context=_tls()) as pool,
            pool.stream(
                "POST", url, headers=list(headers.items()), content=body, extensions={"timeout": timeouts}
            ) as answer,
        ):
            return int(answer.status)
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, TimeoutError) as wrong:
        raise OSError(f"{type(wrong).__name__}: {wrong}") from wrong
