"""Requests to addresses that browsers gave: to known push services, by HTTPS, in public networks (against SSRF).

The name is resolved once, each of its addresses is checked, and the connection goes to the one that was checked. So
a name that changes its address meanwhile leads nowhere else. Redirects are not followed.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

from smallchange.i18n.text import Text

MAX_URL_CHARS = 500
TIMEOUT_S = 10.0
GLOBAL_UNICAST = IPv6Network("2000::/3")
HTTPS_PORT = 443
LOOKUPS = ThreadPoolExecutor(4, "lookup")  # a name server without an answer holds up nothing else


NO_URL = Text("it is no URL of a push service")
NO_TLS = Text("it does not begin with https://")
UNKNOWN_HOST = Text("its host is not known")
PRIVATE = Text("it leads to this computer or into a private network")


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


def is_public(address: str) -> bool:
    """Return whether an address is outside every private, local or reserved network.

    >>> [is_public(a) for a in ("93.184.215.14", "127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1")]
    [True, False, False, False, False, False]
    """
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is not None and not inner.is_global:
            return False
        if (
            found.ipv4_mapped is None and found not in GLOBAL_UNICAST
        ):  # such as an address of IPv4 behind NAT64
            return False
    return found.is_global and not found.is_multicast


class CheckedBackend:
    """The network of `httpcore`: it connects to checked addresses alone."""

    def __init__(self, hosts: Collection[str]) -> None:
        from httpcore import AnyIOBackend

        self._backend = AnyIOBackend()
        self._hosts = hosts

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> Any:
        """Connect to a host, if all its addresses are public."""
        look_up = asyncio.get_running_loop().run_in_executor
        found = await look_up(LOOKUPS, socket.getaddrinfo, host, port, socket.AF_UNSPEC, socket.SOCK_STREAM)
        addresses = [str(info[4][0]) for info in found]
        if f"{host}:{port}" not in self._hosts and not all(map(is_public, addresses)):
            raise BadAddress(PRIVATE)
        return await self._backend.connect_tcp(addresses[0], port, timeout, local_address, socket_options)

    async def connect_unix_socket(self, *given: Any, **named: Any) -> Any:
        """Refuse sockets of files."""
        raise BadAddress(NO_URL)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@cache
def _tls() -> ssl.SSLContext:
    """Return the context of all connections: to read the certificates of the system takes 20 ms."""
    return ssl.create_default_context()


async def post(url: str, body: bytes, headers: dict[str, str], hosts: Collection[str]) -> int:
    """Post a body to a URL on one of these hosts, and return the HTTP status. Raise BadAddress or OSError."""
    import httpcore

    check_host(url, hosts)
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), TIMEOUT_S)
    backend: Any = CheckedBackend(hosts)
    try:
        async with (
            asyncio.timeout(TIMEOUT_S),
            httpcore.AsyncConnectionPool(ssl_context=_tls(), network_backend=backend) as pool,
            pool.stream(
                "POST", url, headers=list(headers.items()), content=body, extensions={"timeout": timeouts}
            ) as answer,
        ):
            return int(answer.status)
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, TimeoutError) as wrong:
        raise OSError(f"{type(wrong).__name__}: {wrong}") from wrong
