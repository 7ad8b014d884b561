"""Rate limits: how often a connection, an address or a holder may ask for something."""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, IPv6Network

from smallchange.server.web.errors import ErrorCode, Refused

MAX_KEYS = 10_000  # addresses or holders that one limit remembers


def network_of(host: str) -> str:
    """Return what counts as one address: that of IPv4, and of IPv6 the network, in which one person has any number.

    >>> [network_of(host) for host in ("192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1:2", "")]
    ['192.0.2.1', '192.0.2.1', '2001:db8::/64', '']
    """
    try:
        found = IPv6Address(host)
    except ValueError:
        return host
    return str(found.ipv4_mapped or IPv6Network((int(found), 64), strict=False))


class RateLimit:
    """A rate limit of so many requests in so many seconds: a token bucket that refills evenly.

    >>> limit = RateLimit(2, 20.0)
    >>> limit.take(0.0), limit.take(0.0), limit.take(0.0), limit.take(10.0)
    (True, True, False, True)
    """

    __slots__ = ("_at_s", "_left", "_max_requests", "_period_s")

    def __init__(self, max_requests: int, period_s: float) -> None:
        self._max_requests = max_requests
        self._period_s = period_s
        self._left = float(max_requests)
        self._at_s = 0.0

    def take(self, now_s: float | None = None, cost: int = 1) -> bool:
        """Count a request, or what counts as so many; return False if it is over the limit.

        However much it costs, it can be asked for once nothing else was.
        """
        now_s = time.monotonic() if now_s is None else now_s
        refill = (now_s - self._at_s) * self._max_requests / self._period_s
        self._left = min(self._max_requests, self._left + refill)
        self._at_s = now_s
        cost = min(cost, self._max_requests)
        if self._left < cost:
            return False
        self._left -= cost
        return True

    def charge(self, cost: int) -> None:
        """Count what a request turned out to cost. Others have to wait for it, but not for longer than a period.

        >>> limit = RateLimit(2, 20.0)
        >>> limit.take(0.0), limit.charge(3), limit.take(10.0), limit.take(30.0)
        (True, None, False, True)
        """
        self._left = max(self._left - cost, -float(self._max_requests))

    def give_back(self) -> None:
        """Take one request back from the count."""
        self._left += 1


class KeyedRateLimit:
    """A rate limit for each address or holder. The keys seen least recently are forgotten.

    `code` is the code of its refusals.
    """

    def __init__(
        self,
        max_requests: int,
        period_s: float,
        code: ErrorCode = ErrorCode.RATE_LIMIT,
        max_keys: int = MAX_KEYS,
    ) -> None:
        self._max_requests, self._period_s = max_requests, period_s
        self._code, self._max_keys = code, max_keys
        self._limits: OrderedDict[str, RateLimit] = OrderedDict()

    def take(self, key: str, cost: int = 1) -> RateLimit:
        """Count a request of this key, or what counts as so many, and return its limit.

        Refuse it if it is over the limit.
        """
        limit = self._limits.get(key)
        if limit is None:
            limit = self._limits[key] = RateLimit(self._max_requests, self._period_s)
        self._limits.move_to_end(key)
        while len(self._limits) > self._max_keys:
            self._limits.popitem(last=False)
        if not limit.take(cost=cost):
            cost = min(cost, self._max_requests)
            raise Refused(self._code, wait_s=math.ceil(cost * self._period_s / self._max_requests))
        return limit

    def charge(self, key: str, cost: int) -> None:
        """Count what a request of this key turned out to cost."""
        if cost and key in self._limits:
            self._limits[key].charge(cost)

    @contextmanager
    def counting(self, key: str) -> Iterator[None]:
        """Count a request of this key, unless the work in the context is refused."""
        limit = self.take(key)
        try:
            yield
        except Refused:
            limit.give_back()
            raise


class ConnectionLimit:
    """A limit on the sockets and streams that one address may have open at a time."""

    def __init__(self, max_open: int) -> None:
        self._max_open = max_open
        self._open: Counter[str] = Counter()

    @property
    def open(self) -> int:
        """The number of connections of all addresses."""
        return self._open.total()

    def is_full(self, address: str) -> bool:
        """Return whether this address may open no more."""
        return self._open[address] >= self._max_open

    def enter(self, address: str) -> bool:
        """Count one more connection; return False if there are too many."""
        if self.is_full(address):
            return False
        self.count(address)
        return True

    def count(self, address: str) -> None:
        """Count one more connection, however many there are."""
        self._open[address] += 1

    def leave(self, address: str) -> None:
        """Count one connection less."""
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]
