"""A table that is on no server: the browser plays it, by the same rules, views and fragments as the server.

This module runs in the browser, translated to JavaScript (`bundle.py`). The server draws the first page by it.
Messages are those of the WebSocket, as JSON.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from smallchange.core import record
from smallchange.core.commitment import Envelope
from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.render.markup_diff import Markup, changes, whole
from smallchange.server.table import command_events
from smallchange.server.table.commands import Command, PlayMove, Resign, Undo
from smallchange.server.table.events import How
from smallchange.server.table.history import Head, History, Seat, SeatKind
from smallchange.server.table.log import log_rows
from smallchange.server.table.origins import BroughtFromOffline
from smallchange.server.table.playback import turn_fragments
from smallchange.server.table.table_page import seat_fragments, shared_fragments
from smallchange.server.table.table_view import TableView
from smallchange.server.table.timeline import Timeline
from smallchange.server.table.viewer import shared_view, view_for
from smallchange.server.web.errors import Refused
from smallchange.server.web.refusal_texts import refusal_text

ID = "offline-"  # begins the id of such a table; that of the game follows
HOLDER = "here"
SEATS_HELD = (0,)


def table_id(game: str) -> str:
    """Return the id of the table of a game: one goes on until it is over."""
    return ID + game


class LocalTable:
    """A table of a game for one, on which one person plays.

    `secret` are 32 random bytes, which make the luck. `saved` is what `save` returned before, "" for a new match.
    """

    def __init__(self, game: str, lang: str, secret: bytes, saved: str = "") -> None:
        self._lang = lang
        match = record.from_json(json.loads(saved)) if saved else new_match(game, secret)
        self._history = history_of(match, table_id(game))
        self._timeline = Timeline(match.game)
        self._shown: dict[str, Markup] = {}

    def view(self, at: int | None = None) -> TableView:
        """Return the table as its player sees it, or as it was after `at` steps."""
        shared = shared_view(self._history, self._timeline, SEATS_HELD, at)
        view = view_for(self._history, shared, SEATS_HELD)
        return view._replace(may_fork=False, may_review=False, local=True)

    def show(self) -> str:
        """Return the whole table as the message `changes`."""
        self._shown = {}
        return self._changes(0)

    def take(self, said: str) -> str:
        """Carry out a command of the page, and return the message `changes`, or `refusal` where it is refused."""
        given = json.loads(said)
        history = self._history
        before = len(history.match)
        try:
            new = command_events.execute(history, HOLDER, _command(given), 0)
        except Refused as refused:
            why = refusal_text(refused)[self._lang]
            return json.dumps(
                {
                    "is": "refusal",
                    "code": str(refused.code.value),
                    "why": why,
                    "match": given["match"],
                    "move": given["move"],
                }
            )
        history.append(new.events, after=new.after)
        return self._changes(min(before, len(history.match), *history.lengths[-len(new.events) :]))

    def look(self, at: int) -> str:
        """Return the table after `at` steps, as the page asks for when one looks back."""
        shown = self.view(at)
        html = _whole(self._fragments(shown))
        return json.dumps({"at": shown.at, "length": shown.length, "ply": shown.ply, "html": html})

    def turns(self, after: int) -> str:
        """Return the turn that ends after so many steps and those after it, as the page asks for to see them again."""
        shown = self.view()
        first = self._timeline.turn_up_to(after)
        found = [first, *self._timeline.turns_after(after)] if first else []
        drawn = turn_fragments(shown, found, self._lang, {})
        return json.dumps(
            {
                "ply": shown.ply,
                "turns": [{"at": number, "html": _whole(changed)} for number, _, changed in drawn],
            }
        )

    def save(self) -> str:
        """Return the match as a record, in JSON: its luck too, which its player could find out."""
        history = self._history
        match = history.match.copy()
        if history.ending is not None and history.ending.how == How.RESIGNED:
            match.end(How.RESIGNED, match.game.seats[0])
        return record.to_json_text(match)

    def first_choice(self) -> str:
        """Return a token that is possible now."""
        return self._history.match.position.legal()[0]

    @property
    def over(self) -> bool:
        """Return whether the match has ended."""
        return self._history.ending is not None

    def _fragments(self, view: TableView) -> dict[str, Markup]:
        shared = shared_fragments(view, self._lang)
        return shared.parts | seat_fragments(view, self._lang, shared)

    def _changes(self, kept: int) -> str:
        view = self.view()
        now = self._fragments(view)
        html, self._shown = changes(self._shown, now), now
        shown = {
            "is": "changes",
            "match": view.match,
            "ply": view.ply,
            "kept": kept,
            "html": _whole(html),
            "rows": [whole(row) for row in log_rows(view, kept, self._lang)],
            "over": view.outcome is not None,
        }
        return json.dumps(shown)


def new_match(game: str, secret: bytes) -> Match:
    """Return a new match, with the luck of this secret, up to the first decision."""
    envelope = Envelope(hashlib.sha256(secret).hexdigest(), (), secret)
    match = Match(Game(game), envelope.deal(), None, envelope)
    match.settle()
    return match


def history_of(match: Match, id: str) -> History:
    """Return the history of a match for one, as if every step had just been taken."""
    envelope = match.envelope
    assert envelope is not None
    assert envelope.secret is not None
    head = Head(
        id, match.game, match.game.version, envelope.secret, envelope.seal, "", 0, BroughtFromOffline()
    )
    (player,) = match.game.seats
    history = History(head, (Seat(player, SeatKind.PERSON, match.seats[player], holder=HOLDER),))
    history.append(command_events.finished_events(match, 0))
    return history


def _whole(parts: dict[str, Markup]) -> dict[str, str]:
    return {id: whole(part) for id, part in parts.items()}


def _command(given: dict[str, Any]) -> Command:
    about = {"match": given["match"], "ply": given["ply"], "command_id": given["move"]}
    if given["is"] == "act":
        return PlayMove(**about, token=given["token"])
    return Undo(**about) if given["is"] == "undo" else Resign(**about)
