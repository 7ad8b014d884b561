"""The connection gate: the number of open connections, from one address and in all, and of refusals.

Every connection takes one of the files that the system lets a process open. The files beside those of
connections are for the database and the bots.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from ipaddress import ip_address, ip_network

import structlog

from smallchange.server.web.rate_limit import ConnectionLimit

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

RESERVED_FILES = 124  # files of the process that are not for connections
FILES_WITHOUT_LIMIT = 8192  # where the system names no limit
LOG_PERIOD_S = 60.0  # between two lines of the log about the same event
log = structlog.get_logger("gate")


class ConnectionGate:
    """A limit on open connections. It counts refusals by kind in `refused`."""

    def __init__(self, max_per_address: int, proxies: str = "", max_open: int | None = None) -> None:
        self._max_per_address = max_per_address
        self._max_open = max_open or max(1, file_limit() - RESERVED_FILES)
        self._everyone_is_proxy = "*" in proxies
        self._proxies = [ip_network(part) for part in proxies.split(",") if part and part != "*"]
        self._by_address = ConnectionLimit(max_per_address)
        self._silent: dict[object, Callable[[], None]] = {}  # connection: how to cut it off; the oldest first
        self._logged_at_s: dict[str, float] = {}
        self.refused: Counter[str] = Counter()

    @property
    def open(self) -> int:
        """The number of connections."""
        return self._by_address.open

    def enter(self, address: str) -> bool:
        """Count one more connection; return False, and count a refusal, if there are too many.

        Where all places are taken, the connection goes that has said nothing for longest.
        """
        crowded = self._by_address.is_full(address) and not self._is_proxy(address)
        full = self.open >= self._max_open
        if full and self._silent and not crowded:
            cut_off = self._silent.pop(next(iter(self._silent)))
            cut_off()
            self.count_refusal("silent", "others needed their places")
            full = False
        if crowded or full:
            self.count_refusal("connection")
            where, most = ("one address", self._max_per_address) if crowded else ("all", self._max_open)
            self._log("connections were refused", where, address=address, most=most)
            return False
        self._by_address.count(address)
        return True

    def leave(self, address: str) -> None:
        """Count one connection less."""
        self._by_address.leave(address)

    def note_silent(self, connection: object, cut_off: Callable[[], None]) -> None:
        """Note a connection that has said nothing yet, and how to cut it off."""
        self._silent[connection] = cut_off

    def note_speaking(self, connection: object) -> None:
        """Note that a connection has said something, or is gone."""
        self._silent.pop(connection, None)

    def count_refusal(self, kind: str, why: str = "") -> None:
        """Count a refusal, or a connection that was cut off."""
        self.refused[kind] += 1
        if why:
            self._log("connections were cut off", why)

    def _log(self, event: str, what: str, **more: object) -> None:
        """Log an event, at most once in LOG_PERIOD_S."""
        now_s = time.monotonic()
        if now_s - self._logged_at_s.get(what, -LOG_PERIOD_S) >= LOG_PERIOD_S:
            self._logged_at_s[what] = now_s
            log.warning(event, what=what, refused=dict(self.refused), **more)

    def _is_proxy(self, address: str) -> bool:
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
