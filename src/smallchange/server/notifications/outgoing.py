"""Requests to addresses that users gave: to public ones alone, and by HTTPS (against SSRF).

The name is resolved once, each of its addresses is checked, and the connection goes to the one that was checked. So
a name that changes its address meanwhile leads nowhere else. Redirects are not followed.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Collection, Iterable
from concurrent.futures import Future
from functools import cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

from smallchange.i18n.text import Text

MAX_URL_CHARS = 500
TIMEOUT_S = 10.0
LOOKUP_TIMEOUT_S = 3.0  # for the addresses of a name
MAX_LOOKUPS = 32  # at a time; each takes a thread for as long as its name server says nothing
MAX_LOOKUPS_OF_DOMAIN = 2  # at a time, of different names below one domain
GLOBAL_UNICAST = IPv6Network("2000::/3")
PORTS = {"https": 443, "http": 80}


NO_URL = Text("it is no URL such as https://example.com/hook")
NO_TLS = Text("it does not begin with https://")
UNKNOWN_HOST = Text("its host is not known")
PRIVATE = Text("it leads to this computer or into a private network")


class BadAddress(ValueError):
    """The server sends nothing to this address. The error gives the reason."""

    def __init__(self, why: Text) -> None:
        super().__init__(why.en)
        self.why = why


def check_url(url: str, inner_hosts: Collection[str]) -> tuple[str, int]:
    """Return the host and port of a URL that may be sent to, before its name is resolved. Raise BadAddress.

    `inner_hosts` are names with ports, such as 127.0.0.1:8080, that are accepted inside the network and without TLS.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        raise BadAddress(NO_URL) from None
    if (
        len(url) > MAX_URL_CHARS
        or not host
        or parts.username
        or not url.isascii()
        or any(c.isspace() for c in url)
    ):
        raise BadAddress(NO_URL)
    if f"{host}:{port}" in inner_hosts and parts.scheme in PORTS:
        return host, port
    if parts.scheme != "https":
        raise BadAddress(NO_TLS)
    return host, port


def check_host(url: str, hosts: Collection[str], inner_hosts: Collection[str]) -> None:
    """Refuse a URL unless it is on one of these hosts. Raise BadAddress.

    A host that begins with a dot stands for all names that end with it.

    >>> check_host("https://web.push.example/x", [".push.example"], [])
    >>> check_host("https://push.example.evil.example/x", [".push.example"], [])
    Traceback (most recent call last):
    smallchange.server.notifications.outgoing.BadAddress: its host is not known
    """
    host, port = check_url(url, inner_hosts)
    if f"{host}:{port}" in inner_hosts:
        return
    if port != PORTS["https"] or not any(
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


class Lookups:
    """Lookups of names, in threads of their own, so that a name server without an answer holds up nothing else."""

    def __init__(self) -> None:
        self._running: dict[tuple[str, int], Future[list[str]]] = {}
        self._of_domain: Counter[str] = Counter()
        self._lock = threading.Lock()

    async def addresses(self, host: str, port: int) -> list[str]:
        """Return the addresses of a host. Raise OSError if there are none within LOOKUP_TIMEOUT_S."""
        with self._lock:
            running = self._running.get((host, port)) or self._begin(host, port)
        return await asyncio.wait_for(asyncio.wrap_future(running), LOOKUP_TIMEOUT_S)

    def _begin(self, host: str, port: int) -> Future[list[str]]:
        domain = domain_of(host)
        if len(self._running) >= MAX_LOOKUPS or self._of_domain[domain] >= MAX_LOOKUPS_OF_DOMAIN:
            raise OSError(f"too many names are being looked up beside {host}")
        running: Future[list[str]] = Future()
        running.set_running_or_notify_cancel()  # whoever waits no more ends it for nobody else
        self._running[host, port] = running
        self._of_domain[domain] += 1
        threading.Thread(target=self._look_up, args=(host, port, domain, running), daemon=True).start()
        return running

    def _look_up(self, host: str, port: int, domain: str, running: Future[list[str]]) -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as wrong:
            running.set_exception(OSError(f"{type(wrong).__name__}: {wrong}"))
        else:
            running.set_result([str(info[4][0]) for info in found])
        finally:
            with self._lock:
                del self._running[host, port]
                self._of_domain[domain] -= 1


LOOKUPS = Lookups()


def domain_of(host: str) -> str:
    """Return the domain that one owner has, as far as its name alone tells.

    >>> [domain_of(host) for host in ("a.b.example.com", "hooks.example.co.uk", "192.0.2.1")]
    ['example.com', 'example.co.uk', '192.0.2.1']
    """
    labels = host.lower().rstrip(".").split(".")
    if ":" in host or labels[-1].isdigit():
        return host
    return ".".join(labels[-3:] if len(labels) > 2 and len(labels[-2]) <= 3 else labels[-2:])


async def check_public(url: str, inner_hosts: Collection[str]) -> None:
    """Refuse a URL that leads into a private network now. A name without an address may get one. Raise BadAddress."""
    host, port = check_url(url, inner_hosts)
    if f"{host}:{port}" in inner_hosts:
        return
    try:
        addresses = await LOOKUPS.addresses(host, port)
    except OSError:
        return
    if not all(map(is_public, addresses)):
        raise BadAddress(PRIVATE)


class CheckedBackend:
    """The network of `httpcore`: it connects to checked addresses alone."""

    def __init__(self, inner_hosts: Collection[str]) -> None:
        from httpcore import AnyIOBackend

        self._backend = AnyIOBackend()
        self._inner_hosts = inner_hosts

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> Any:
        """Connect to a host, if all its addresses are public."""
        addresses = await LOOKUPS.addresses(host, port)
        if f"{host}:{port}" not in self._inner_hosts and not all(map(is_public, addresses)):
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


async def post(url: str, body: bytes, headers: dict[str, str], inner_hosts: Collection[str] = ()) -> int:
    """Post a body to a URL that a user gave, and return the HTTP status. Raise BadAddress or OSError."""
    import httpcore

    check_url(url, inner_hosts)
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), TIMEOUT_S)
    backend: Any = CheckedBackend(inner_hosts)
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
