"""The origin of a table: a deal of its own, another table, a deal that others play too, or a game offline."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from smallchange.server.table.model.time_control import DAY_MS


class Fresh(Struct, frozen=True):
    """A deal of its own. By `difficulty` it was chosen (`bots/deals.py`), so that its opening is no fair sample."""

    difficulty: str = ""


class Fork(Struct, frozen=True):
    """Practice that goes on after the first `length` steps of the table `parent`.

    If `proven`, its luck can be verified: it has a deal from the first step on, that of its parent or its own.
    """

    parent: str
    length: int
    proven: bool


class Daily(Struct, frozen=True):
    """The deal of a day. Days count from 1970 in UTC. `put_off` is the end of one that was to end in an outage."""

    day: int
    put_off: int | None = None

    @property
    def closes_at(self) -> int:
        """The end of the day, in milliseconds since 1970."""
        return self.put_off or (self.day + 1) * DAY_MS

    def until(self, closes_at: int) -> Daily:
        """Return the same that closes at another time."""
        return Daily(self.day, closes_at)


class SealedDeal(Struct, frozen=True):
    """A deal that others play too, until a time in milliseconds since 1970."""

    closes_at: int

    def until(self, closes_at: int) -> SealedDeal:
        """Return the same that closes at another time."""
        return SealedDeal(closes_at)


class TournamentGame(Struct, frozen=True):
    """A deal of its own for a game of a tournament, in which nobody is helped."""


class BroughtFromOffline(Struct, frozen=True):
    """A match that was played offline, so that its player may have known its luck."""


Origin = Fresh | Fork | Daily | SealedDeal | TournamentGame | BroughtFromOffline


def origin_columns(origin: Origin) -> dict[str, Any]:
    """Return the columns of a match that hold its origin."""
    return {
        "parent": origin.parent if isinstance(origin, Fork) else None,
        "fork_length": origin.length if isinstance(origin, Fork) else 0,
        "proven": is_proven(origin),
        "day": origin.day if isinstance(origin, Daily) else None,
        "sealed_until": origin.put_off
        if isinstance(origin, Daily)
        else origin.closes_at
        if isinstance(origin, SealedDeal)
        else None,
        "in_tournament": isinstance(origin, TournamentGame),
        "difficulty": origin.difficulty if isinstance(origin, Fresh) else "",
    }


def read_origin(row: Any) -> Origin:
    """Return the origin that the row of a match holds."""
    if row.parent is not None:
        return Fork(row.parent, row.fork_length, row.proven)
    if row.day is not None:
        return Daily(row.day, row.sealed_until)
    if row.sealed_until is not None:
        return SealedDeal(row.sealed_until)
    if row.in_tournament:
        return TournamentGame()
    return Fresh(row.difficulty) if row.proven else BroughtFromOffline()


def is_proven(origin: Origin) -> bool:
    """Return whether the luck of a match can be verified."""
    return origin.proven if isinstance(origin, Fork) else not isinstance(origin, BroughtFromOffline)
