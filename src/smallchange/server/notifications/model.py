"""Notifications: the changes of a table of which a player is notified, as pure functions; and the outbox's channels.

A player is not notified of what they did themselves, nor while they have the table open. Turns of a game by
correspondence are an exception: its page may lie open for a day.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Connection, RowMapping

from smallchange.server.table.live.ports import Change, Opening
from smallchange.server.table.model.events import (
    NOBODY,
    Agree,
    DaysOff,
    Event,
    Extend,
    Offer,
    Refuse,
    Sit,
    TimeOut,
    Undo,
)
from smallchange.server.table.model.history import History, Seat, SeatKind

# kinds of notification: stored, so never renamed
TURN, OFFERED, BEGUN, ENDED, CHALLENGED, TIME = "turn", "offer", "begun", "ended", "challenge", "time"
DEAL, LATE, RESULT = "deal", "late", "result"  # of duels
TOURNAMENT_KINDS = (DEAL, LATE, RESULT)
PUSH_OFF, MAIL_OFF = "push", "mail"  # of an account; nobody switches them off
ACCOUNT_KINDS = (PUSH_OFF, MAIL_OFF)
DAY_MS = 24 * 3_600_000
KINDS = (TURN, TIME, OFFERED, CHALLENGED, BEGUN, ENDED, *TOURNAMENT_KINDS)
STANDING_KINDS = (
    TURN,
    TIME,
    OFFERED,
    CHALLENGED,
    DEAL,
    LATE,
)  # which the next event, or the answer, may settle


class Notification(NamedTuple):
    """A notification of a player: at most one of a kind for each ply of a table. `holder` holds the player's seat.

    Of a warning that time runs out the ply is the number of the turn. Of a challenge `match` is its id, and the ply is
    0. Of a duel `match` is its id, and the ply is 0. Of an account it is that of the
    account, and the ply is the day.
    """

    holder: str
    match: str
    kind: str
    ply: int


def account_notice(holder: str, account_id: str, kind: str, now: int) -> Notification:
    """Return what an account is told about itself, at most once a day of each kind."""
    return Notification(holder, account_id, kind, now // DAY_MS)


class News(NamedTuple):
    """The notifications of a change; `settles`: those that stand at the table are read from now on."""

    new: Sequence[Notification]
    settles: bool


def news_of(change: Change) -> News | None:
    """Return the notifications of a change of a table; None where nobody else is concerned."""
    history, present = change.history, change.present
    if isinstance(change.events[0], DaysOff | Extend):  # it is the same player's turn as before
        return None
    settles = not isinstance(change.events[0], Sit) and _settles(history, change.events, present)
    if not settles and len(present) == len(history.seats):  # all have the table open
        return None
    if not is_shared(change.seats):
        return None
    new = _notifications(change, _turn_after(change))
    return News(new, settles) if new or settles else None


def _notifications(change: Change, turn: int) -> list[Notification]:
    """Return the notifications of a change, after which it is the turn of this seat."""
    history, seats, first = change.history, change.seats, change.events[0]
    actor = NOBODY if isinstance(first, TimeOut) else first.seat
    acted = seats[actor].holder if actor >= 0 else ""
    correspondence = history.head.control is not None and not history.head.control.live
    live = history.head.control is not None and not correspondence
    ply, found = history.ply + len(change.events), []
    for number, seat in enumerate(seats):
        if seat.kind != SeatKind.PERSON or seat.holder == acted:
            continue
        kind = _kind_for(number, change, turn, live)
        away = number not in change.present or (correspondence and kind in (TURN, ENDED))
        if kind and away:
            found.append(Notification(seat.holder, history.head.id, kind, ply))
    return found


def opening_notifications(opening: Opening) -> list[Notification]:
    """Return the notifications of a new table on which others than its opener are seated, such as a rematch."""
    history = opening.history
    if not is_shared(history.seats):
        return []
    return [
        Notification(seat.holder, history.head.id, BEGUN, history.ply)
        for seat in history.seats
        if seat.kind == SeatKind.PERSON and seat.holder != opening.opener
    ]


def is_shared(seats: Sequence[Seat]) -> bool:
    """Return whether two people or more hold these seats."""
    return len({seat.holder for seat in seats if seat.kind == SeatKind.PERSON}) > 1


def _settles(history: History, events: Sequence[Event], present: Collection[int]) -> bool:
    """Return whether these events settle notifications that still stand: whose turn it is, and what is offered.

    Players who have the table open have read its notifications already, except in a game by correspondence.
    """
    control, first = history.head.control, events[0]
    correspondence = control is not None and not control.live
    return correspondence or first.seat not in present or isinstance(first, Agree | Refuse | Undo)


def _turn_after(change: Change) -> int:
    """Return the seat on turn after a change; NOBODY at the end."""
    if change.ends_match:
        return NOBODY
    if change.after is not None:
        turn: int = change.after.position.s.turn
        return turn
    if change.clock is not None:
        return NOBODY if change.clock.running is None else change.clock.running
    undone = [event for event in change.events if isinstance(event, Undo)]
    return undone[-1].seat if undone else change.history.turn


def _kind_for(number: int, change: Change, turn: int, live: bool) -> str | None:
    """Return the kind of notification that a change means for another seat than the one that acted."""
    first = change.events[0]
    if change.ends_match:
        return ENDED
    if isinstance(first, Offer):
        return OFFERED
    if isinstance(first, Sit):
        return TURN if turn == number and not live else BEGUN
    if turn == number and not live and (change.history.turn != number or isinstance(first, Undo)):
        return TURN
    return None


class ListedNotification(NamedTuple):
    """A line of the list: a notification, or the most urgent of a tournament and the number of `more`.

    `others` has for each other seat its kind, the name that was typed, and the bot; for a tournament, whose id is
    `line` where there are more, it has its name.
    """

    match: str
    kind: str
    at: int  # milliseconds since 1970
    unread: bool
    game: str
    others: tuple[tuple[str, str, str], ...]
    line: str = ""
    more: int = 0


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
