"""The ports of a table: what features tell it, and how they follow its changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from smallchange.core.match import Match
from smallchange.server.table.model.clock import Clock
from smallchange.server.table.model.events import Event
from smallchange.server.table.model.history import Head, History, Seat, SeatRating
from smallchange.server.table.model.outcome import Stage
from smallchange.server.table.storage.store import Write


class Change(NamedTuple):
    """A change of a table that is about to be committed.

    `history` is the table before `events`, `seats` are those after them. `after` is the match after them where it is
    known, `clock` the clock. `stage` is the stage that they lead to, None for the same as before. `present` are the
    seats whose holders have the table open.
    """

    history: History
    seats: Sequence[Seat]
    events: Sequence[Event]
    stage: Stage | None = None
    after: Match | None = None
    clock: Clock | None = None
    present: Collection[int] = ()

    @property
    def ends_match(self) -> bool:
        """Return whether the match is over after the change."""
        return self.stage is not None and self.stage.is_over


class Opening(NamedTuple):
    """A table that is about to be stored, with its first events. `opener` holds a seat of the player who opened it."""

    history: History
    stage: Stage
    opener: str


class TimeWarning(NamedTuple):
    """The player of a seat, on turn at a table by correspondence, has little time left.

    `turn` is the number of the turn, `at` the time now.
    """

    match: str
    seat: Seat
    turn: int
    at: int


class Ports(NamedTuple):
    """Queries that features answer, and what they store with a change of a table or with a new one.

    The defaults are those of a server without features: nobody has an account or a rating, and everybody may meet.
    `on_outage` puts off what was to end or begin between two times, and returns the tables that it changed.
    `on_arrival` is asked when the players of seats come to a table with a clock, for the first time here.
    """

    account_name: Callable[[Connection, str], str | None] = lambda connection, holder: None
    may_meet: Callable[[Connection, Collection[str], int], bool] = lambda connection, holders, now: True
    seat_ratings: Callable[[Connection, Head], tuple[SeatRating | None, ...]] = lambda connection, head: ()
    on_change: Sequence[Callable[[Change], Write | None]] = ()
    on_opening: Sequence[Callable[[Opening], Write | None]] = ()
    on_warning: Sequence[Callable[[Connection, TimeWarning], None]] = ()
    on_outage: Sequence[Callable[[Connection, int, int], Sequence[str]]] = ()
    on_arrival: Callable[[Connection, str, Collection[int]], Write | None] = lambda connection, match, seats: (
        None
    )


def writes_of(change: Change, ports: Ports) -> list[Write]:
    """Return what features store with a change of a table."""
    return [write for follow in ports.on_change if (write := follow(change))]


def opening_writes(opening: Opening, ports: Ports) -> list[Write]:
    """Return what features store with a new table."""
    return [write for follow in ports.on_opening if (write := follow(opening))]
