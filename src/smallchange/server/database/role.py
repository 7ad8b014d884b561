"""Roles: work that goes on beside requests, such as ending matches whose time is over. Any process may play one.

Each transaction of a role locks it, so several processes may play it at once, and one that is killed leaves nothing
undone or half done. A role with many transactions a sweep holds a lease instead, and another process takes over when
it stops or dies.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import StrEnum
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection, Select, func, select, text

from smallchange.server.database import schema


class RoleName(StrEnum):
    """The roles. The names are stored, so none is renamed."""

    CLOCK = "clock"
    RATER = "rater"
    PAIRER = "pairer"
    NOTIFIER = "notifier"
    DIRECTOR = "director"
    CLEANER = "cleaner"


LEASE_MS = 10_000  # after which another process takes over from one that died
PLAYED_MS = 5_000  # between notes that a role is played
MISSING_MS = 60_000  # after the last of which nobody plays it
MAX_AHEAD_MS = (
    60_000  # of another process's clock; a row from further ahead is of a clock that has been set back
)
_TAKE_LEASE = text(
    "INSERT INTO lease (role, holder, until) VALUES (:role, :holder, :until) ON CONFLICT (role) DO UPDATE "
    "SET holder = excluded.holder, until = excluded.until "
    "WHERE lease.until < :now OR lease.holder = :holder OR lease.until > :until + :ahead"
)
_NOTE_SEEN = text(
    "INSERT INTO lease (role, holder, until) VALUES (:role, :holder, :now) ON CONFLICT (role) DO UPDATE "
    "SET holder = excluded.holder, until = excluded.until "
    "WHERE lease.until < excluded.until OR lease.until > excluded.until + :ahead"
)
_LOCK_ROLE = text(
    "INSERT INTO lease (role, holder, until) VALUES (:role, :holder, :now) ON CONFLICT (role) DO UPDATE "
    "SET holder = excluded.holder, until = excluded.until"
)
_RELEASE_LEASE = text("UPDATE lease SET until = 0 WHERE role = :role AND holder = :holder")


class Store(Protocol):
    """The rows of a database, read and written by jobs. `key` orders the jobs of one transaction."""

    async def read(self, ask: Callable[[Connection], Any]) -> Any: ...
    async def write(self, key: str, job: Callable[[Connection], Any]) -> Any: ...


class Tables(Protocol):
    """The tables at which a role works, with their store and their clock."""

    @property
    def store(self) -> Store: ...
    def now(self) -> int: ...


T = TypeVar("T", bound=Tables)
R = TypeVar("R")


class Role(ABC, Generic[T]):
    """A role, played by this process until it is stopped. `holder` names the process in the rows of leases."""

    name: ClassVar[RoleName]
    period_s: ClassVar[float] = 1.0  # between two sweeps that find nothing to do

    def __init__(self, tables: T, holder: str = "") -> None:
        self._tables = tables
        self._holder = holder or secrets.token_hex(6)
        self._leased = 0  # when the lease was last renewed
        self._noted_played = 0

    @abstractmethod
    async def sweep(self) -> int:
        """Do the work that is due, and return how much it was."""

    async def note_played(self) -> None:
        """Store that this role is played, unless that was stored a moment ago."""
        now = self._tables.now()
        if not 0 <= now - self._noted_played < PLAYED_MS:
            row = played_row(self.name)
            await self._tables.store.write(row, lambda c: note_seen(c, row, self._holder, now))
            self._noted_played = now

    async def stop(self) -> None:
        """Finish the work under way, and give up the lease."""
        if self._leased:
            await self._tables.store.write(self.name, lambda c: release_lease(c, self.name, self._holder))

    async def transact(self, job: Callable[[Connection], R]) -> R:
        """Run a job in one transaction, in which no other process plays this role."""
        now = self._tables.now()

        def work(connection: Connection) -> R:
            lock_role(connection, self.name, self._holder, now)
            return job(connection)

        done: R = await self._tables.store.write(self.name, work)
        return done

    async def hold_lease(self) -> bool:
        """Take or renew the lease; return False while another process holds it."""
        now = self._tables.now()
        if 0 <= now - self._leased < LEASE_MS // 3:
            return True
        taken = await self._tables.store.write(
            self.name, lambda c: take_lease(c, self.name, self._holder, now, now + LEASE_MS)
        )
        self._leased = now if taken else 0
        return bool(taken)


def take_lease(connection: Connection, role: str, holder: str, now: int, until: int) -> bool:
    """Take or renew the lease of a role; return False while another process holds it."""
    given = {"role": role, "holder": holder, "now": now, "until": until, "ahead": MAX_AHEAD_MS}
    return connection.execute(_TAKE_LEASE, given).rowcount == 1


def lock_role(connection: Connection, role: str, holder: str, now: int) -> None:
    """Let no other process do the work of this role before the transaction ends."""
    connection.execute(_LOCK_ROLE, {"role": role, "holder": holder, "now": now})


def release_lease(connection: Connection, role: str, holder: str) -> None:
    """Give up the lease of a role, so that another process need not wait."""
    connection.execute(_RELEASE_LEASE, {"role": role, "holder": holder})


def note_seen(connection: Connection, role: str, holder: str, now: int) -> None:
    """Store that a process plays a role which several may play at once."""
    connection.execute(_NOTE_SEEN, {"role": role, "holder": holder, "now": now, "ahead": MAX_AHEAD_MS})


def played_row(role: RoleName) -> str:
    """Return the name of the row that says when a role was played."""
    return f"{role} played"


def missing_roles(connection: Connection, now: int) -> list[RoleName]:
    """Return the roles that no process has played for a while."""
    return [role for role in RoleName if last_seen(connection, played_row(role), now) < now - MISSING_MS]


def last_seen(connection: Connection, role: str, now: int) -> int:
    """Return the time until which a role was last held, at most `now`; 0 for never, or by a clock set back since."""
    query = select(func.max(schema.lease.c.until)).where(schema.lease.c.role == role)
    found = int(connection.execute(query).scalar() or 0)
    return min(found, now) if found <= now + MAX_AHEAD_MS else 0


class Backlog(NamedTuple):
    """The work that waits: the oldest deadline that has passed, matches and messages."""

    late_clock_s: float = 0.0
    unrated_matches: int = 0
    messages_waiting: int = 0
    roles_missing: int = 0


def read_backlog(connection: Connection, now: int) -> Backlog:
    """Return what waits in a database."""
    oldest = connection.execute(select(func.min(schema.deadlines.c.at))).scalar()
    due = schema.outgoing_message.c.due_at <= now
    return Backlog(
        max(0, now - oldest) / 1000 if oldest is not None else 0.0,
        _count(connection, select(func.count()).select_from(schema.unrated_match)),
        _count(connection, select(func.count()).select_from(schema.outgoing_message).where(due)),
        int(bool(missing_roles(connection, now))),
    )


def _count(connection: Connection, query: Select[Any]) -> int:
    return int(connection.execute(query).scalar_one())
