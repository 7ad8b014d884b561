"""The events of a table: each is a row that is never changed or removed, with its effect on the history.

A row has the columns of every event: kind (the tag), seat, command id and time; `action` holds the one number that some
kinds have besides, and `lag` that of a step. `read_events` and `columns` convert them.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from smallchange.core.state import CHANCE
from smallchange.server.table.model.clock import DAY_MS, SECOND_MS, Moment

if TYPE_CHECKING:
    from smallchange.server.table.model.history import History

NOBODY = -2
RETURN_MS = 10 * SECOND_MS  # that a player has for the turn after an outage at least, to come back


class Proposal(IntEnum):
    """An offer: a draw, to undo the sender's last move, or after the end a rematch. Stored, so never renumbered."""

    DRAW = 0
    UNDO = 1
    REMATCH = 2


class Claimed(IntEnum):
    """A result that is claimed from a player who has left. Stored, so never renumbered."""

    WIN = 0
    DRAW = 1


class How(StrEnum):
    """The ways in which a match ends. The words are part of records."""

    PLAYED = "played"
    RESIGNED = "resigned"
    AGREED = "agreed"
    WITHDRAWN = "withdrawn"  # before anybody else has sat down
    TIMED_OUT = "timeout"
    ABANDONED = "abandoned"  # by a player who left, and lost
    LEFT_DRAWN = "abandoned-draw"  # by a player who left; the other chose the draw
    ABORTED = "aborted"  # before each side had moved

    @property
    def by_seat(self) -> bool:
        """Return whether the record names the seat that ended the match so."""
        return self in (How.RESIGNED, How.TIMED_OUT, How.ABANDONED, How.LEFT_DRAWN)


class Ending(NamedTuple):
    """The end of a match.

    `seat` resigned, withdrew the table, ran out of time, or left. `counts`: the match counts, though hardly begun.
    """

    how: How
    seat: int = NOBODY
    counts: bool = False


class PendingOffer(NamedTuple):
    """An offer between two players.

    It stands until it is answered, a step is taken, or the match ends. A draw stands on after the sender's own step. A
    rematch is offered after the end.
    """

    what: Proposal
    seat: int


class Event(Struct, frozen=True, array_like=True):
    """An event of a table.

    `seat` acted (or CHANCE, or NOBODY). `at` is in milliseconds since 1970, UTC. `command_id` is that of the command,
    or None.
    """

    seat: int
    at: int
    command_id: str | None = None

    ends_match: ClassVar[bool] = False

    def apply(self, history: History) -> None:
        """Change a history by this event."""
        history.offer = None

    def moment(self, turn: int) -> Moment:
        """Return what the event means to the clock, where `turn` is the seat on turn after it.

        An end is not a turn that was taken, and earns no increment.
        """
        return Moment(self.at, turn, undone=self.ends_match)


class Step(Event, frozen=True, tag=0, kw_only=True):
    """A step of a player or of chance: action number `action`.

    The sender's clock is not charged with `lag`, the delay of the network in milliseconds.
    """

    action: int
    lag: int = 0

    def apply(self, history: History) -> None:
        """Take the step."""
        history.offer = self.offer_after(history.offer)
        history.take_step(self)
        if history.ending:
            history.offer = None

    def offer_after(self, offer: PendingOffer | None) -> PendingOffer | None:
        """Return what is still offered after the step."""
        stands = offer and offer.what == Proposal.DRAW and self.seat in (offer.seat, CHANCE)
        return offer if stands else None

    def moment(self, turn: int) -> Moment:
        """Return the moment after the step, with the lag given back."""
        return Moment(self.at, turn, refund_ms=self.lag)


class Undo(Event, frozen=True, tag=1, kw_only=True):
    """The last decision of a seat is taken back: `length` steps of the line remain."""

    length: int

    def moment(self, turn: int) -> Moment:
        """Return the moment from which the turn is taken once more."""
        return Moment(self.at, turn, undone=True)


class Resign(Event, frozen=True, tag=2):
    """A seat resigns, or withdraws a table where a seat is free. It `counts` (1) though the match has hardly begun."""

    counts: int = 0
    ends_match: ClassVar[bool] = True

    def apply(self, history: History) -> None:
        """End the match, or withdraw the table."""
        history.end(How.RESIGNED if history.started else How.WITHDRAWN, self.seat, bool(self.counts))


class Offer(Event, frozen=True, tag=3, kw_only=True):
    """A seat offers something to the other."""

    what: Proposal

    def apply(self, history: History) -> None:
        """Let the offer stand."""
        history.offer = PendingOffer(self.what, self.seat)


class Agree(Event, frozen=True, tag=4):
    """A seat agrees to the draw that was offered."""

    ends_match: ClassVar[bool] = True

    def apply(self, history: History) -> None:
        """End the match in a draw."""
        history.end(How.AGREED)


class Refuse(Event, frozen=True, tag=5):
    """A seat declines the offer that stands, or withdraws its own."""


class Sit(Event, frozen=True, tag=6):
    """A person takes a seat."""

    def apply(self, history: History) -> None:
        """Begin the match anew, with the words of its player."""
        history.begin_match()


class TimeOut(Event, frozen=True, tag=7):
    """A seat has run out of time. It `counts` (1) though the match has hardly begun."""

    counts: int = 0
    ends_match: ClassVar[bool] = True

    def apply(self, history: History) -> None:
        """End the match: the seat has lost."""
        history.end(How.TIMED_OUT, self.seat, bool(self.counts))


class Abort(Event, frozen=True, tag=8):
    """The match ends without a result: by a seat, by its clock, or by an outage."""

    ends_match: ClassVar[bool] = True

    def apply(self, history: History) -> None:
        """End the match without a result."""
        history.end(How.ABORTED, self.seat)


class Claim(Event, frozen=True, tag=9, kw_only=True):
    """A seat claims the match from the other, whose player has left.

    It `counts` (1) though the match has hardly begun.
    """

    what: Claimed
    counts: int = 0
    ends_match: ClassVar[bool] = True

    def apply(self, history: History) -> None:
        """End the match as it is claimed."""
        how = How.ABANDONED if self.what == Claimed.WIN else How.LEFT_DRAWN
        history.end(how, 1 - self.seat, bool(self.counts))


class Extend(Event, frozen=True, tag=10, kw_only=True):
    """The clock of the seat on turn gets milliseconds back, in which the server could not be reached."""

    ms: int

    def apply(self, history: History) -> None:
        """Change nothing but the clock."""

    def moment(self, turn: int) -> Moment:
        """Return the moment with the time given back, and time to come back."""
        return Moment(self.at, turn, refund_ms=self.ms, least_ms=RETURN_MS)


class DaysOff(Event, frozen=True, tag=11, kw_only=True):
    """The clock of a seat stands still for so many days, less some milliseconds. No days end those that go on."""

    days: int
    less: int = 0

    @classmethod
    def until(cls, seat: int, at: int, until: int) -> DaysOff:
        """Return the days off of a seat between two times.

        >>> DaysOff.until(0, 5, 5 + DAY_MS // 2)
        DaysOff(seat=0, at=5, command_id=None, days=1, less=43200000)
        """
        days = -(-(until - at) // DAY_MS)
        return cls(seat, at, days=days, less=days * DAY_MS - (until - at))

    def apply(self, history: History) -> None:
        """Change nothing but the clock."""

    def moment(self, turn: int) -> Moment:
        """Return the moment from which the seat is off."""
        return Moment(self.at, turn, off=(self.seat, self.at + self.days * DAY_MS - self.less))


AnyEvent = (
    Step | Undo | Resign | Offer | Agree | Refuse | Sit | TimeOut | Abort | Claim | Extend | DaysOff
)  # as they are stored


def let_count(event: Event) -> Event:
    """Return the end of a match that hardly began as one that counts: who aborts resigns, or is out of time."""
    if isinstance(event, Abort):
        return (Resign if event.command_id else TimeOut)(event.seat, event.at, event.command_id, counts=1)
    return replace(event, counts=1) if isinstance(event, Resign | TimeOut | Claim) else event


def tag_of(kind: type[Event]) -> int:
    """Return the number of a kind of event in the column `kind`."""
    tag = kind.__struct_config__.tag
    assert isinstance(tag, int)
    return tag


def columns(event: Event) -> tuple[int, int, int, str | None, int, int]:
    """Return the columns kind, seat, action, command id, time and lag of an event.

    >>> columns(Step(0, 17, "first-move", action=5)), columns(Refuse(1, 18))
    ((0, 0, 5, 'first-move', 17, 0), (5, 1, 0, None, 18, 0))
    """
    kind, seat, at, command_id, *more = to_builtins(event)
    return kind, seat, more[0] if more else 0, command_id, at, more[1] if len(more) > 1 else 0


def read_events(rows: Iterable[Any]) -> list[Event]:
    """Return the events of rows with the columns kind, seat, time, command id, action and lag.

    >>> read_events([(0, 0, 17, "first-move", 5, 0), (5, 1, 18, None, 0, 0)])
    [Step(seat=0, at=17, command_id='first-move', action=5, lag=0), Refuse(seat=1, at=18, command_id=None)]
    """
    found: list[Event] = convert([tuple(row) for row in rows], list[AnyEvent])
    return found
