"""The channels of the outbox: places where an account is notified besides our pages."""

from __future__ import annotations

from enum import Enum
from typing import Any, Protocol

from sqlalchemy import Connection, RowMapping


class Outcome(Enum):
    """The outcome of a message: one is done with, is sent again later, or has no place to go to any more."""

    SENT = "sent"
    LATER = "later"
    GONE = "gone"


class Channel(Protocol):
    """A channel. `delays_ms` are the times after which a message is sent again, one for each try."""

    delays_ms: tuple[int, ...]

    def open(self, connection: Connection, row: RowMapping, now: int) -> Any:
        """Return the message of a row of the outbox, None for nothing to send, or the time until which it waits."""

    async def send(self, letter: Any, tries: int) -> Outcome:
        """Send what was opened, after so many tries. Raise BadAddress or OSError where it was not taken."""

    def settle(self, connection: Connection, letter: Any, outcome: Outcome) -> tuple[str, str] | None:
        """Store what became of it. Return the id of an account and the kind of what it is told of the place's end."""
