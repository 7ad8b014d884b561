"""The state of the whole site, as its keepers set it: whether games may begin, maintenance, and networks shut out.

It is stored, and each process follows it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, NamedTuple

import structlog
from sqlalchemy import Connection, delete, insert, select, text

from smallchange.server.database import schema

FOLLOW_S = 2.0  # between looks at the stored state
MODE, MAINTENANCE = "mode", "maintenance"  # names of rows
SHORTEST_PREFIX = {4: 8, 6: 19}  # of a network that may be shut out
MAPPED_PREFIX = 96  # of the IPv4 addresses among those of IPv6
Network = IPv4Network | IPv6Network
log = structlog.get_logger("site")
_setting, _network = schema.site_setting.c, schema.blocked_network.c
_PUT_SETTING = text(
    "INSERT INTO site_setting (name, value) VALUES (:name, :value) "
    "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)


class Mode(StrEnum):
    """The mode of a site. While it drains no new game begins."""

    OPEN = "open"
    DRAINING = "draining"


class Maintenance(NamedTuple):
    """Announced maintenance: when it begins, in milliseconds since 1970, and how long it is to last."""

    at: int
    minutes: int


class SiteState(NamedTuple):
    """The state of a site."""

    mode: Mode = Mode.OPEN
    maintenance: Maintenance | None = None
    blocked: tuple[Network, ...] = ()

    def blocks(self, address: str) -> bool:
        """Return whether this address is shut out.

        >>> state = SiteState(blocked=(ip_network("192.0.2.0/24"), ip_network("2001:db8::/48")))
        >>> [state.blocks(one) for one in ("192.0.2.7", "::ffff:192.0.2.7", "2001:db8::1", "198.51.100.1", "")]
        [True, True, True, False, False]
        """
        if not self.blocked:
            return False
        try:
            found = ip_address(address)
        except ValueError:
            return False
        mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
        return any((mapped or found) in network for network in self.blocked)


class Site:
    """The state as this process knows it, at most FOLLOW_S old."""

    def __init__(self) -> None:
        self.state = SiteState()

    @property
    def is_draining(self) -> bool:
        """Return whether no new game may begin."""
        return self.state.mode == Mode.DRAINING

    async def look(self, read: Callable[[Callable[[Connection], Any]], Awaitable[Any]]) -> bool:
        """Read the state, and return whether it has changed."""
        before, self.state = self.state, await read(read_site_state)
        return self.state != before

    async def follow(
        self,
        read: Callable[[Callable[[Connection], Any]], Awaitable[Any]],
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        """Read the state again and again, until this is cancelled."""
        while True:
            try:
                if await self.look(read):
                    log.info("the site", mode=self.state.mode, blocked=len(self.state.blocked))
                    on_change()
            except Exception:  # the database is away: the state stays as it was
                log.warning("the state of the site could not be read")
            await asyncio.sleep(FOLLOW_S)


def read_site_state(connection: Connection) -> SiteState:
    """Return the state of the site as it is stored."""
    stored = {row.name: row.value for row in connection.execute(select(_setting.name, _setting.value))}
    at, _, minutes = stored.get(MAINTENANCE, "").partition(" ")
    return SiteState(
        Mode(stored.get(MODE, Mode.OPEN)),
        Maintenance(int(at), int(minutes)) if at else None,
        tuple(ip_network(row.network) for row in blocked_networks(connection)),
    )


def set_mode(connection: Connection, mode: Mode) -> None:
    """Set the mode of the site."""
    connection.execute(_PUT_SETTING, {"name": MODE, "value": mode})


def set_maintenance(connection: Connection, new: Maintenance | None) -> None:
    """Announce maintenance, or announce none any more."""
    value = f"{new.at} {new.minutes}" if new else ""
    connection.execute(_PUT_SETTING, {"name": MAINTENANCE, "value": value})


def blocked_networks(connection: Connection) -> list[Any]:
    """Return the rows of networks that are shut out, the newest first."""
    query = select(schema.blocked_network).order_by(_network.at.desc(), _network.network)
    return list(connection.execute(query))


def read_network(given: str) -> Network:
    """Return the network of a text. Raise ValueError for none, and for one that is too large.

    >>> [str(read_network(given)) for given in ("192.0.2.7", "192.0.2.7/24", "2001:db8::1/64", "::ffff:192.0.2.7/120")]
    ['192.0.2.7/32', '192.0.2.0/24', '2001:db8::/64', '192.0.2.0/24']
    """
    found = ip_network(given.strip(), strict=False)
    mapped = found.network_address.ipv4_mapped if isinstance(found, IPv6Network) else None
    if mapped and found.prefixlen >= MAPPED_PREFIX:  # IPv4 as logs of IPv6 have it
        found = ip_network((mapped, found.prefixlen - MAPPED_PREFIX))
    if found.prefixlen < SHORTEST_PREFIX[found.version]:
        raise ValueError(f"{found} is too large")
    return found


def block_network(connection: Connection, network: Network, now: int, note: str) -> None:
    """Shut a network out."""
    unblock_network(connection, network)
    connection.execute(insert(schema.blocked_network), {"network": str(network), "at": now, "note": note})


def unblock_network(connection: Connection, network: Network) -> bool:
    """Let a network in again. Return False if it was not shut out."""
    return bool(
        connection.execute(delete(schema.blocked_network).where(_network.network == str(network))).rowcount
    )
