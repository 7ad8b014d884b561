"""Subscriptions: the tables that a connection follows, and the changes since its last message."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from smallchange.i18n.text import LANGUAGES, Text
from smallchange.render.markup_diff import Markup, changes
from smallchange.server.table.http import messages
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.model.history import History
from smallchange.server.table.model.outcome import outcome
from smallchange.server.table.view.ending import outcome_text
from smallchange.server.table.view.log import log_rows
from smallchange.server.table.view.table_page import NUMBERS, turn_fragments
from smallchange.server.table.view.table_view import TableView
from smallchange.server.web.phrases import SPECTATORS


class SentPage(NamedTuple):
    """The page that a connection was sent, by element ids: the parts that all viewers share, and its own.

    `shared_number` is the number of the shared ones. No other page has the same `number`.
    """

    number: int
    shared_number: int
    shared: Mapping[str, Markup]
    own: Mapping[str, Markup]


NOTHING_SENT = SentPage(0, 0, {}, {})


@dataclass(eq=False, slots=True)
class Subscription:
    """A table that a connection follows, and the state that was sent of it.

    `known_ply` is the ply that the client has, -1 for none. `drawn`: it gets pictures. `unconfirmed_id` is
    the id of a committed move that the next message confirms. `own_side`: the viewer wants that at the bottom.
    """

    live_table: LiveTable
    seats: tuple[int, ...]
    drawn: bool
    known_ply: int
    notify: Callable[[], None]
    sent: SentPage = NOTHING_SENT
    has_sent: bool = False
    known_rematch: str | None = None
    unconfirmed_id: str = ""
    own_side: bool = False
    known_spectators: int = 0

    def refresh_seats(self, holder: str) -> None:
        """Update the seats that the viewer holds: the viewer may have sat down meanwhile."""
        seats = self.live_table.history.seats_of(holder)
        if seats != self.seats:
            self.live_table.leave(self.notify, self.seats)
            self.live_table.watch(self.notify, seats)
            self.seats = seats


def changes_message(subscription: Subscription, lang: str) -> messages.Changes | None:
    """Return the changes of the page since the last message of this connection; None if there are none.

    Connections that hold the same seats and were sent the same have one message in common.
    """
    live_table, known, was = subscription.live_table, subscription.known_ply, subscription.sent
    turn = live_table.turn(subscription.seats, subscription.own_side)
    key = "message", lang, subscription.seats, turn, known, was.number
    now, message = live_table.draw_once(key, lambda: _draw_changes(subscription, lang))
    if message is not None:
        subscription.known_ply, subscription.sent = live_table.history.ply, now
    return message


def shown_page(live_table: LiveTable, seats: tuple[int, ...], lang: str, own_side: bool = False) -> SentPage:
    """Return the page that a visitor has who has asked for the present; only presence and a rematch may be newer."""
    view = live_table.view(seats, own_side)
    loose = {"seats", "actions"} if view.outcome else {"seats"}
    return live_table.draw_once(
        ("shown", lang, seats, view.turn), lambda: _sent_page(live_table, view, lang, loose)
    )


def _sent_page(live_table: LiveTable, view: TableView, lang: str, without: Collection[str] = ()) -> SentPage:
    common = live_table.common(view, lang)
    own = {id: part for id, part in live_table.own(view, lang).items() if id not in without}
    return SentPage(next(NUMBERS), common.number, common.parts, own)


def _draw_changes(subscription: Subscription, lang: str) -> tuple[SentPage, messages.Changes | None]:
    """Return the page as the connection has it afterwards, and the message that changes it."""
    live_table, known, was = subscription.live_table, subscription.known_ply, subscription.sent
    history, view = live_table.history, live_table.view(subscription.seats, subscription.own_side)
    kept = history.steps_known(known)

    def draw_common() -> tuple[list[messages.Turn], dict[str, str], list[str]]:
        turns, before = _turns_between(subscription, view, kept, lang)
        html = changes(before, live_table.common(view, lang).parts)
        return turns, html, log_rows(view, kept, lang)

    key = "common changes", lang, view.turn, known, was.shared_number
    turns, html, rows = live_table.draw_once(key, draw_common)
    html = html | changes(was.own, live_table.own(view, lang))
    if not html and known == history.ply:
        return was, None
    message = messages.Changes(view.match, view.ply, kept, html, rows, view.outcome is not None, turns=turns)
    return _sent_page(live_table, view, lang), message


def _turns_between(
    subscription: Subscription, view: TableView, kept: int, lang: str
) -> tuple[list[messages.Turn], Mapping[str, Markup]]:
    """Return the turns that this connection has not seen, except the last, and the shared parts after them.

    There are no turns if the client knew nothing yet, or if something that it has seen was taken back.
    """
    live_table, known, parts = subscription.live_table, subscription.known_ply, subscription.sent.shared
    lengths = live_table.history.lengths
    if known < 0 or not parts or kept < lengths[known] or lengths[-1] - kept < 2:
        return [], parts
    turns = []
    for number, drawn, html in turn_fragments(view, live_table.timeline.turns_after(kept), lang, parts):
        turns.append(messages.Turn(number, html))
        parts = {**parts, **drawn}
    return turns, parts


def state_message(subscription: Subscription) -> messages.TableState | None:
    """Return the changes of the table for a program; None if there are none."""
    history, known = subscription.live_table.history, subscription.known_ply
    if (known, history.rematch) == (history.ply, subscription.known_rematch) and subscription.has_sent:
        return None
    kept = history.steps_known(known)
    subscription.known_ply, subscription.known_rematch, subscription.has_sent = (
        history.ply,
        history.rematch,
        True,
    )
    mine = history.turn in subscription.seats
    position = history.match.position
    return messages.TableState(
        history.head.id,
        history.ply,
        history.actor,
        position.legal() if mine else [],
        kept,
        [step.token for step in history.match.steps[kept:]],
        history.position_text,
        history.ending is not None,
        offer_of(history, subscription.seats),
        ending_of(history),
        history.rematch,
        clock_of(subscription.live_table),
    )


def spectators_message(subscription: Subscription, lang: str) -> messages.Spectators | None:
    """Return the number of spectators for a page; None if it is known there."""
    number = subscription.live_table.spectators
    if not subscription.drawn or number == subscription.known_spectators:
        return None
    subscription.known_spectators = number
    text = SPECTATORS.fill(n=number)[lang] if number else ""
    return messages.Spectators(subscription.live_table.history.head.id, number, text)


def clock_of(live_table: LiveTable) -> messages.Clock | None:
    """Return the clock of a table as it is now, for a program."""
    clock, seats = live_table.clock(()), live_table.history.seats
    if clock is None:
        return None
    left = {seat.player: ms for seat, ms in zip(seats, clock.left_ms, strict=True) if ms is not None}
    running = seats[clock.running].player if clock.running is not None else None
    return messages.Clock(clock.at, left, running, clock.deadline)


def offer_of(history: History, held: tuple[int, ...]) -> messages.Offered | None:
    """Return the offer that stands, for the program of a player. Spectators see none."""
    if history.offer is None or history.rematch or not held:
        return None
    return messages.Offered(history.offer.what.name.lower(), history.seats[history.offer.seat].player)


def ending_of(history: History) -> messages.Ended | None:
    """Return how the match ended, for a program."""
    if history.ending is None:
        return None
    end = outcome(history.match, history.ending)
    winners = [history.seats[i].player for i in end.winners]
    won = bool(end.result.get("won")) if len(history.seats) == 1 else None
    return messages.Ended(
        end.how,
        in_all_languages(outcome_text(history.match, end)),
        winners,
        won,
        list(end.scores),
        end.result,
        history.seats[end.by].player if end.by >= 0 else None,
    )


def in_all_languages(text: Text) -> dict[str, str]:
    """Return a text in every language."""
    return {lang: text[lang] for lang in LANGUAGES}
