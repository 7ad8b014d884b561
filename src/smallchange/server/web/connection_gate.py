"""The connection gate: the number of open connections, from one address and in all, and of refusals.

Every connection takes one of the files that the system lets a process open. The files beside those of
connections are for the database and the bots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from ipaddress import ip_address, ip_network
from typing import Any, Protocol

from starlette.types import Scope

from smallchange.server.web.limits import ConnectionLimit, network_of
from smallchange.server.web.sparse_log import SparseLog

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
