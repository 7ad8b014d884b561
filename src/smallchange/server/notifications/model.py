"""Notifications: the changes of a table of which a player is notified, as pure functions of its history.

A player is not notified of what they did themselves, nor while they have the table open. Turns of a game by
correspondence are an exception: its page may lie open for a day.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from smallchange.server.table.clock import Clock
from smallchange.server.table.history import (
    AGREE,
    NOBODY,
    OFFER,
    PERSON,
    REFUSE,
    SIT,
    TIME_OUT,
    UNDO,
    Event,
    History,
    Seat,
)

# kinds of notification: stored, so never renamed
TURN, OFFERED, BEGUN, ENDED, CHALLENGED = "turn", "offer", "begun", "ended", "challenge"
ROUND, LATE, RESULT, NEXT_SEASON = "round", "late", "result", "season"  # of tournaments
TOURNAMENT_KINDS = (ROUND, LATE, RESULT, NEXT_SEASON)
KINDS = (TURN, OFFERED, CHALLENGED, BEGUN, ENDED, *TOURNAMENT_KINDS)
STANDING_KINDS = (TURN, OFFERED, CHALLENGED, ROUND, LATE)  # which the next event, or the answer, may settle


class Notification(NamedTuple):
    """A notification of a player: at most one of a kind for each ply of a table. `holder` holds the player's seat.

    Of a challenge `match` is the id of the challenge, and the ply is 0. Of a tournament it is that of the tournament,
    and the ply is the number of the round.
    """

    holder: str
    match: str
    kind: str
    ply: int


class TableChange(NamedTuple):
    """The events to be committed at a table, the seat on turn after them, and whether they end the match."""

    events: Sequence[Event]
    turn: int
    ends: bool


def notifications(
    history: History, seats: Sequence[Seat], change: TableChange, present: Collection[int]
) -> list[Notification]:
    """Return the notifications of a change; `history` is the table before it, and `seats` are those after it.

    `present` are the numbers of the seats whose holders have the table open.
    """
    if not is_shared(seats):
        return []
    first = change.events[0]
    actor = NOBODY if first.kind == TIME_OUT else first.seat
    acted = seats[actor].holder if actor >= 0 else ""
    correspondence = history.head.control is not None and not history.head.control.live
    live = history.head.control is not None and not correspondence
    ply, found = history.ply + len(change.events), []
    for number, seat in enumerate(seats):
        if seat.kind != PERSON or seat.holder == acted:
            continue
        kind = _kind_for(number, history, change, live)
        away = number not in present or (correspondence and kind in (TURN, ENDED))
        if kind and away:
            found.append(Notification(seat.holder, history.head.id, kind, ply))
    return found


def opening_notifications(history: History, opener: str) -> list[Notification]:
    """Return the notifications of a new table on which others than its opener are seated, such as a rematch."""
    if not is_shared(history.seats):
        return []
    return [
        Notification(seat.holder, history.head.id, BEGUN, history.ply)
        for seat in history.seats
        if seat.kind == PERSON and seat.holder != opener
    ]


def is_shared(seats: Sequence[Seat]) -> bool:
    """Return whether two people or more hold these seats."""
    return len({seat.holder for seat in seats if seat.kind == PERSON}) > 1


def settles(history: History, events: Sequence[Event], present: Collection[int]) -> bool:
    """Return whether these events settle notifications that still stand: whose turn it is, and what is offered.

    Players who have the table open have read its notifications already, except in a game by correspondence.
    """
    control, first = history.head.control, events[0]
    correspondence = control is not None and not control.live
    return correspondence or first.seat not in present or first.kind in (AGREE, REFUSE, UNDO)


def turn_after(history: History, events: Sequence[Event], clock: Clock | None, turn: int | None) -> int:
    """Return the seat on turn after these events, which do not end the match.

    `clock` is the clock after them; `turn` is the seat on turn after them where it is known.
    """
    if turn is not None:
        return turn
    if clock is not None:
        return NOBODY if clock.running is None else clock.running
    undone = [event for event in events if event.kind == UNDO]
    return undone[-1].seat if undone else history.turn


def _kind_for(number: int, history: History, change: TableChange, live: bool) -> str | None:
    """Return the kind of notification that a change means for another seat than the one that acted."""
    first = change.events[0]
    if change.ends:
        return ENDED
    if first.kind == OFFER:
        return OFFERED
    if first.kind == SIT:
        return TURN if change.turn == number and not live else BEGUN
    if change.turn == number and not live and (history.turn != number or first.kind == UNDO):
        return TURN
    return None
