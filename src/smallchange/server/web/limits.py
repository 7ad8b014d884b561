"""Limits: how often a connection, an address or a holder may ask for something, and what they cause in the log."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network

import structlog

from smallchange.server.settings import ADDRESS_FACTOR, ADDRESS_HINT_FACTOR, SEARCHED_DEAL_COST, Settings
from smallchange.server.web.errors import ErrorCode, Refused

MESSAGE_PERIOD_S, HINT_PERIOD_S, NEW_TABLE_PERIOD_S = 20.0, 60.0, 600.0
MAX_COSTLY_REQUESTS = 30  # from one address in HINT_PERIOD_S
BYTES_OF_A_PAGE = 16 * 1024  # a longer answer counts as several
CROWDED, WIDE = 10, 4  # times the connections of an address
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

    def give_back(self, cost: int = 1) -> None:
        """Take a request back from the count."""
        self._left += cost


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
        self._code = code
        self._max_keys = max_keys
        self._limits = OrderedDict[str, RateLimit]()

    def take(self, key: str, cost: int = 1) -> RateLimit:
        """Count a request of this key, or what counts as so many, and return its limit.

        Refuse it if it is over the limit.
        """
        limit = self._limits.get(key)
        if limit is None:
            limit = self._limits[key] = RateLimit(self._max_requests, self._period_s)
            if len(self._limits) > self._max_keys:
                self._limits.popitem(last=False)
        else:
            self._limits.move_to_end(key)
        if not limit.take(cost=cost):
            cost = min(cost, self._max_requests)
            wait_s = math.ceil(cost * self._period_s / self._max_requests)
            raise Refused(self._code, wait_s=wait_s, most=self._max_requests)
        return limit

    def charge(self, key: str, cost: int) -> None:
        """Count what a request of this key turned out to cost."""
        if cost and key in self._limits:
            self._limits[key].charge(cost)

    @contextmanager
    def counting(self, key: str, cost: int = 1) -> Iterator[None]:
        """Count a request of this key, or what counts as so many, unless the work in the context is refused."""
        limit = self.take(key, cost)
        try:
            yield
        except Refused:
            limit.give_back(cost)
            raise


@lru_cache(maxsize=MAX_KEYS)
def wide_network(network: str) -> str:
    """Return the /48 of an IPv6 network, which one person can have whole; "" for others.

    >>> wide_network("2001:db8:1:2::/64"), wide_network("192.0.2.1")
    ('2001:db8:1::/48', '')
    """
    return str(IPv6Network(network).supernet(new_prefix=48)) if network.endswith("/64") else ""


class ConnectionLimit:
    """A limit on the connections that one address may have open at a time, and a /48 of IPv6 where there are many.

    There are many from CROWDED times as many on as an address may have; then a /48 has WIDE times as many at most.

    >>> limit = ConnectionLimit(1)
    >>> [limit.enter(f"2001:db8:0:{i}::/64") for i in range(CROWDED + 1)].count(True) == CROWDED
    True
    >>> limit.enter("2001:db8:1::/64"), limit.enter("192.0.2.1")
    (True, True)
    """

    def __init__(self, max_open: int) -> None:
        self._max_open = max_open
        self._open: Counter[str] = Counter()
        self._wide: Counter[str] = Counter()

    @property
    def open(self) -> int:
        """The number of connections of all addresses."""
        return self._open.total()

    def is_full(self, address: str) -> bool:
        """Return whether this address may open no more."""
        if self._open[address] >= self._max_open:
            return True
        wide = wide_network(address)
        return (
            bool(wide) and self._wide[wide] >= WIDE * self._max_open and self.open >= CROWDED * self._max_open
        )

    def enter(self, address: str) -> bool:
        """Count one more connection; return False if there are too many."""
        if self.is_full(address):
            return False
        self.count(address)
        return True

    def count(self, address: str) -> None:
        """Count one more connection, however many there are."""
        self._open[address] += 1
        self._wide[wide_network(address)] += 1

    def leave(self, address: str) -> None:
        """Count one connection less."""
        for counts, key in ((self._open, address), (self._wide, wide_network(address))):
            counts[key] -= 1
            if counts[key] <= 0:
                del counts[key]


class Limits:
    """All limits of one process by their names. Anybody can be many holders, so each address has limits too.

    Three more stand elsewhere: connections of any kind at `transport.py`, sign-ups and attempts to sign in at
    `accounts/service.py`, because all processes share those.
    """

    def __init__(self, settings: Settings) -> None:
        limit, too_many = KeyedRateLimit, ErrorCode.TABLE_LIMIT
        # messages over any connection, and forms: of a player, of a spectator
        self.playing = limit(settings.playing, MESSAGE_PERIOD_S)
        self.playing_by_address = limit(ADDRESS_FACTOR * settings.playing, MESSAGE_PERIOD_S)
        self.watching = limit(settings.watching, MESSAGE_PERIOD_S)
        self.watching_by_address = limit(ADDRESS_FACTOR * settings.watching, MESSAGE_PERIOD_S)
        # sockets and streams that an address has open at a time
        self.sockets = ConnectionLimit(settings.sockets)
        # pages, records and API answers; long ones count as several
        self.pages = limit(settings.pages, MESSAGE_PERIOD_S, ErrorCode.PAGE_LIMIT)
        # hints, analyses and reviews; long reviews count as several
        self.hints = limit(settings.hints, HINT_PERIOD_S)
        self.hints_by_address = limit(ADDRESS_HINT_FACTOR * settings.hints, HINT_PERIOD_S)
        # tables that an address opens, and those of them that the lobby lists
        self.tables = limit(settings.new_tables, NEW_TABLE_PERIOD_S, too_many)
        self.listed_tables = limit(settings.listed_tables, NEW_TABLE_PERIOD_S, too_many)
        # records that an address has verified, downloaded or drawn, and variants that it has measured
        self.records = limit(MAX_COSTLY_REQUESTS, HINT_PERIOD_S)
        self.difficulties = limit(MAX_COSTLY_REQUESTS, HINT_PERIOD_S)

    def count_message(self, holder: str, address: str, plays: bool = True) -> None:
        """Count a message of a holder over any connection, and of the address that it comes from."""
        (self.playing if plays else self.watching).take(holder)
        # last: a message that the holder's limit refuses does not count for the address
        (self.playing_by_address if plays else self.watching_by_address).take(address)

    def count_hint(self, holder: str, address: str, cost: int = 1) -> None:
        """Count a hint, or what costs as much as several."""
        self.hints.take(holder, cost)
        self.hints_by_address.take(address, cost)

    def charge_answer(self, address: str, size_bytes: int) -> None:
        """Count a long answer as several pages, for this address."""
        self.pages.charge(address, size_bytes // BYTES_OF_A_PAGE)

    @contextmanager
    def opening_table(self, address: str, listed: bool = False, searched: bool = False) -> Iterator[None]:
        """Count a table that is opened from this address. `listed`: it is open to anyone. `searched`: its deal is."""
        listing = self.listed_tables.counting(address) if listed else nullcontext()
        with self.tables.counting(address, SEARCHED_DEAL_COST if searched else 1), listing:
            yield


LONG_STEPS = 1000  # of a match, whose page takes several milliseconds
PAUSE_FACTOR = 3
MAX_PAUSE_S = 0.05


class LongAnswers:
    """The turns in which long answers are made.

    After each there is a pause PAUSE_FACTOR times as long as it took, but MAX_PAUSE_S at most, in which moves are
    made at their usual speed.
    """

    def __init__(self) -> None:
        self._free = asyncio.Lock()

    @asynccontextmanager
    async def turn(self, steps: int) -> AsyncIterator[None]:
        """Wait for a turn to make an answer about a match of so many steps; a short one needs none."""
        if steps < LONG_STEPS:
            yield
            return
        loop = asyncio.get_running_loop()
        await self._free.acquire()
        begun_s = loop.time()
        try:
            yield
        finally:
            pause_s = min(PAUSE_FACTOR * (loop.time() - begun_s), MAX_PAUSE_S)
            loop.call_later(pause_s, self._free.release)


LOG_PERIOD_S = 60.0  # between two lines about the same event


class Occurrences:
    """Counts events, and says when the next line about one is due."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()
        self._logged_at_s: dict[str, float] = {}

    def count(self, event: str) -> int:
        """Count an event. Return how often it came since the last line about it, 0 where no line is due yet."""
        now_s = time.monotonic()
        self._times[event] += 1
        if now_s - self._logged_at_s.get(event, -LOG_PERIOD_S) < LOG_PERIOD_S:
            return 0
        self._logged_at_s[event] = now_s
        return self._times.pop(event)


class SparseLog:
    """A log with at most one line in LOG_PERIOD_S for each event."""

    def __init__(self, name: str) -> None:
        self._log = structlog.get_logger(name)
        self._occurrences = Occurrences()

    def warning(self, event: str, **fields: object) -> None:
        """Log an event with the number of `times` it came since its last line, if a line is due."""
        if times := self._occurrences.count(event):
            self._log.warning(event, times=times, **fields)


class SparseFilter(logging.Filter):
    """A filter that passes a warning of uvicorn, which any stranger can cause, at most once in LOG_PERIOD_S."""

    def __init__(self) -> None:
        super().__init__()
        self._occurrences = Occurrences()

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno != logging.WARNING or bool(self._occurrences.count(str(record.msg)))
