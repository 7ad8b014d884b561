"""Subscriptions: the tables that a connection follows, and the changes since its last message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from smallchange.i18n.text import LANGUAGES, Text
from smallchange.render.markup_diff import Filled, Markup, changes
from smallchange.server.table import messages
from smallchange.server.table.ending import outcome_text
from smallchange.server.table.history import History
from smallchange.server.table.live_table import LiveTable
from smallchange.server.table.log import log_rows
from smallchange.server.table.outcome import outcome
from smallchange.server.table.playback import turn_fragments
from smallchange.server.table.table_page import seat_fragments
from smallchange.server.table.table_view import TableView
from smallchange.server.web.phrases import SPECTATORS


class SentFragments(NamedTuple):
    """All that a connection was sent: the fragments that all viewers share, and the hashes of those of its seats."""

    common: dict[str, Markup]
    own: dict[str, int]


NOTHING_SENT = SentFragments({}, {})


class PageFragments(NamedTuple):
    """The fragments of a page for certain seats, and the same as a connection that was sent them knows them."""

    own: dict[str, str | Filled]
    sent: SentFragments


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
    sent: SentFragments = NOTHING_SENT
    has_sent: bool = False
    known_rematch: str | None = None
    unconfirmed_id: str = ""
    own_side: bool = False
    known_spectators: int = 0
    known_templates: int = 0

    def refresh_seats(self, holder: str) -> None:
        """Update the seats that the viewer holds: the viewer may have sat down meanwhile."""
        live_table = self.live_table.seen_by(holder)
        seats = live_table.history.seats_of(holder)
        if seats != self.seats:
            self.live_table.leave(self.notify, self.seats)
            live_table.watch(self.notify, seats)
            if live_table is not self.live_table:
                self.known_templates = 0
            self.live_table, self.seats = live_table, seats
            if self.known_ply > live_table.history.ply:  # the viewer has left a seat and is a spectator now
                self.known_ply, self.sent = -1, NOTHING_SENT


def changes_message(subscription: Subscription, lang: str) -> messages.Changes | None:
    """Return the changes of the page since the last message of this connection; None if there are none.

    Connections that hold the same seats and were sent the same have one message in common.
    """
    live_table, seats = subscription.live_table, subscription.seats
    known, was = subscription.known_ply, subscription.sent
    now = page_fragments(live_table, seats, lang, subscription.own_side).sent
    # the cache keeps what was sent before alive, so its id is its own
    templates = subscription.known_templates
    key = ("message", lang, seats, live_table.turn(seats, subscription.own_side), known, id(was), templates)
    _, message = live_table.draw_once(key, lambda: (was, _draw_changes(subscription, lang)))
    if message is not None:
        subscription.known_ply, subscription.sent = live_table.history.ply, now
        subscription.known_templates = message.known + len(message.templates)
    return message


def _draw_changes(subscription: Subscription, lang: str) -> messages.Changes | None:
    live_table, seats = subscription.live_table, subscription.seats
    history, known = live_table.history, subscription.known_ply
    view, was = live_table.view(seats, subscription.own_side), subscription.sent
    now = page_fragments(live_table, seats, lang, subscription.own_side)
    kept = min(history.lengths[known:]) if known >= 0 else 0
    turns, common = _turns_between(subscription, view, was.common, kept, lang)
    key = ("changed", lang, view.turn, id(common))
    _, shared_changes = live_table.draw_once(key, lambda: (common, changes(common, now.sent.common)))
    own_changes = {id: now.own[id] for id, seen in now.sent.own.items() if was.own.get(id) != seen}
    if not shared_changes and not own_changes and known == history.ply:
        return None
    templates = live_table.templates(lang)
    encode = templates.encode
    html = live_table.draw_once(
        ("encoded", *key), lambda: {id: encode(part) for id, part in shared_changes.items()}
    )
    html = html | {id: encode(part) for id, part in own_changes.items()}
    rows = live_table.draw_once(
        ("rows", kept, lang), lambda: [encode(row) for row in log_rows(view, kept, lang)]
    )
    given = subscription.known_templates
    return messages.Changes(
        view.match,
        view.ply,
        kept,
        html,
        rows,
        view.outcome is not None,
        turns=turns,
        known=given,
        templates=templates.after(given),
    )


def _turns_between(
    subscription: Subscription, view: TableView, was: dict[str, Markup], kept: int, lang: str
) -> tuple[list[messages.Turn], dict[str, Markup]]:
    """Return the turns that this connection has not seen, except the last, and the shared fragments after them.

    There are no turns if the client knew nothing yet, or if something that it has seen was taken back.
    """
    live_table, known = subscription.live_table, subscription.known_ply
    lengths = live_table.history.lengths
    if known < 0 or not was or kept < lengths[known] or lengths[-1] - kept < 2:
        return [], was

    def draw() -> tuple[list[messages.Turn], dict[str, Markup]]:
        turns, common = [], was
        unseen = live_table.timeline.turns_after(kept)
        encode = live_table.templates(lang).encode
        for number, parts, html in turn_fragments(view, unseen, lang, common):
            turns.append(messages.Turn(number, {id: encode(part) for id, part in html.items()}))
            common = common | parts
        return turns, common

    _, found = live_table.draw_once(("turns", lang, view.turn, id(was)), lambda: (was, draw()))
    return found


def page_fragments(
    live_table: LiveTable, seats: tuple[int, ...], lang: str, own_side: bool = False
) -> PageFragments:
    """Draw the page for these seats, once for all who hold them."""

    def draw() -> PageFragments:
        view = live_table.view(seats, own_side)
        shared = live_table.common(view, lang)
        own = seat_fragments(view, lang, shared)
        return PageFragments(own, SentFragments(shared.parts, {id: hash(own[id]) for id in own}))

    return live_table.draw_once(("page", seats, lang, live_table.turn(seats, own_side)), draw)


def state_message(subscription: Subscription) -> messages.TableState | None:
    """Return the changes of the table for a program; None if there are none."""
    history, known = subscription.live_table.history, subscription.known_ply
    if (known, history.rematch) == (history.ply, subscription.known_rematch) and subscription.has_sent:
        return None
    kept = min(history.lengths[known:]) if known >= 0 else 0
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
        str(position),
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
