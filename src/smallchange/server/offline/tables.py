"""A table that is on no server: a browser plays it, by the same rules, views and parts of pages as the server.

Messages are those of the WebSocket, as JSON.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import structs

from smallchange import bots
from smallchange.bots.deals import MAX_DEALS
from smallchange.bots.levels import SHORT_SEARCH, judge_of, load_bots
from smallchange.core import record
from smallchange.core.commitment import Envelope
from smallchange.core.game import Game, Position
from smallchange.core.match import Match
from smallchange.i18n.formats import number
from smallchange.render.markup_diff import Markup, changes, whole
from smallchange.server.offline.searches import prepare
from smallchange.server.table.http import messages
from smallchange.server.table.http.messages import HintFound
from smallchange.server.table.model import command_events
from smallchange.server.table.model.commands import Command, Hint, PlayMove
from smallchange.server.table.model.history import (
    MAX_REVIEWED_STEPS,
    Fork,
    Fresh,
    Head,
    History,
    Seat,
    SeatKind,
)
from smallchange.server.table.view.log import log_rows
from smallchange.server.table.view.table_page import all_parts, turns_again
from smallchange.server.table.view.table_view import TableView
from smallchange.server.table.view.timeline import Timeline
from smallchange.server.table.view.viewer import shared_view, view_for
from smallchange.server.web.errors import ErrorCode, Refused, refusal_text

if TYPE_CHECKING:
    from smallchange.bots.analysis import MoveChance
    from smallchange.bots.review import Choice

HOLDER = "here"  # of every seat without a bot
THINKING_S = 1.0  # for a bot's move
JUDGING_S = 0.4  # for choices of a review, before what was asked meanwhile is answered
SECRET_BYTES = 32


class Kept(NamedTuple):
    """The part of a table that a browser keeps: its record, the bots by player, and the time of the last change.

    `day` is that of a deal of the day, -1 for another deal. `reviewed` has the luck and the odds given away
    by the player of the one seat without a bot.
    """

    record: dict[str, Any]
    bots: dict[str, str]
    at: int
    day: int = -1
    reviewed: Sequence[float] = ()

    @property
    def is_over(self) -> bool:
        """Return whether the match has ended."""
        return self.record["result"] is not None

    @property
    def own_seat(self) -> str:
        """The player of the one seat without a bot; "" where there are more, and in practice: it does not count."""
        mine = [player for player in Game(self.record["game"]).seats if player not in self.bots]
        return mine[0] if len(mine) == 1 and "practice" not in self.record else ""


class LocalTable:
    """A table at which one person sits, or several who share a screen, and bots."""

    def __init__(self, id: str, kept: Kept, may_bring: bool = False) -> None:
        self._kept = kept
        self._may_bring = may_bring
        self._history = _history_of(id, record.from_json(kept.record), kept.bots)
        self._timeline = Timeline(self._history.head.game)
        self._shown: dict[str, Markup] = {}
        self.held = self._history.seats_of(HOLDER)
        self._judged: list[Choice] = []

    @property
    def game(self) -> Game:
        """The game of the table, with its options."""
        return self._history.head.game

    @property
    def match(self) -> Match:
        """The match so far, with its luck, which its player could find out."""
        history = self._history
        match = history.match.copy()
        if history.ending is not None and match.ended is None and match.position.actor is not None:
            how, seat, _ = history.ending
            match.end(how, match.game.seats[seat] if how.by_seat else "")
        return match

    def refuse_past(self) -> None:
        """Refuse where earlier states are hidden."""
        self._history.refuse_past()

    def to_keep(self, now_ms: int) -> Kept:
        """Return the parts of the table that a browser keeps, as it has changed now."""
        return self._kept._replace(record=record.to_json(self.match), at=now_ms)

    def view(self, at: int | None = None) -> TableView:
        """Return the table as its player sees it, or as it was after `at` steps."""
        shared = shared_view(self._history, self._timeline, self.held, at)
        view = view_for(self._history, shared, self.held)
        may = {"may_fork": view.is_over, "may_review": self._history.reviewable}
        return structs.replace(view, **may, may_bring=self._may_bring and not self.match.practice, local=True)

    def review(self) -> tuple[list[Choice], int]:
        """Judge choices of the ended match for a moment. Return those judged so far, and the number of all."""
        from smallchange.bots.review import accounts, choices, evaluate_choice, link_choices  # not at first

        if not self._history.reviewable:
            raise Refused(ErrorCode.NO_REVIEW, most=number(MAX_REVIEWED_STEPS))
        match, until = self.match, monotonic() + JUDGING_S
        rows = list(choices(match))
        for at, position in rows[len(self._judged) :]:
            prepare(match.game, judge_of(match.game))
            choice = evaluate_choice(position, at, match.steps[at].token, simulations=SHORT_SEARCH)
            assert choice is not None
            self._judged.append(choice)
            if len(self._judged) == len(rows):
                self._judged = link_choices(match, self._judged)
                own = [one for one in accounts(match, self._judged) if one.player == self._kept.own_seat]
                self._kept = self._kept._replace(reviewed=[n for one in own for n in (one.luck, one.given)])
            elif monotonic() > until:
                break
        return self._judged, len(rows)

    def survey(self, position: Position) -> list[MoveChance]:
        """Return the moves of a position with their odds, best first."""
        from smallchange.bots.analysis import ranked_moves  # not at first

        prepare(position.game, judge_of(position.game))
        return ranked_moves(position, SHORT_SEARCH // 2)

    def show(self, lang: str) -> str:
        """Return the whole table as the message `changes`."""
        self._shown = {}
        return self._changes(0, lang)

    def answer(self, text: str, lang: str, now_ms: int) -> str:
        """Carry out a message of the page, and return the message that answers it."""
        message = messages.decode(text)
        try:
            if isinstance(message, Hint):
                return self._hint(message.ply, lang)
            if not isinstance(message, Command):
                return self.show(lang)
            return self._execute(message, HOLDER, lang, now_ms)
        except Refused as refused:
            match = getattr(message, "match", "")
            said = {"code": refused.code.value, "why": refusal_text(refused)[lang], "match": match}
            return json.dumps({"is": "refusal", **said, "move": getattr(message, "command_id", "")})

    def bot_move(self, lang: str, now_ms: int) -> str | None:
        """Let the bot on turn move, and return the message `changes`; None where it is no bot's turn."""
        history = self._history
        seat = history.seats[history.turn] if history.turn >= 0 else None
        if seat is None or seat.kind != SeatKind.BOT:
            return None
        position = history.match.position
        luck = bots.deal_luck(history.match.deal, seat.bot, position)
        level = bots.level(seat.bot, position.game)
        prepare(position.game, level)
        token = level.choose(position.copy(), THINKING_S, luck)
        move = PlayMove(history.head.id, history.ply, f"bot-move-{history.ply}", token)
        return self._execute(move, SeatKind.BOT, lang, now_ms)

    def look(self, at: int, lang: str) -> dict[str, Any]:
        """Return the table after `at` steps, as the page asks for when one looks back."""
        shown = self.view(at)
        html = {id: whole(part) for id, part in all_parts(shown, lang).items()}
        return {"at": shown.at, "length": shown.length, "ply": shown.ply, "html": html}

    def turns(self, after: int, lang: str) -> dict[str, Any]:
        """Return the turn that ends after so many steps and those after it, as the page asks for to see them again."""
        return turns_again(self.view(), self._timeline, after, lang)

    def fork(self, at: int, now_ms: int) -> Kept:
        """Return practice that goes on after the first steps of the ended match, with the same luck."""
        match = self.match
        last = len(match) - (match.position.actor is None)
        if self._history.ending is None:
            raise Refused(ErrorCode.CANNOT_FORK)
        if at > last:
            raise Refused(ErrorCode.BAD_STEP, last=last, at=at)
        match.ended, match.practice = None, self._history.head.id
        earlier = match.until(at)
        earlier.settle()
        return Kept(record.to_json(earlier), self._kept.bots, now_ms)

    def again(self, same_deal: bool, now_ms: int) -> Kept:
        """Return a new match of the same players, each one seat further, or of the same deal as they sit."""
        players, kept = self.game.seats, self._kept
        if same_deal:
            envelope = self._history.match.envelope
            return new_match(self.game, kept.bots, now_ms, envelope.secret if envelope else None)
        further = dict(zip(players, players[1:] + players[:1], strict=True))
        return new_match(self.game, {further[player]: name for player, name in kept.bots.items()}, now_ms)

    def _execute(self, command: Command, holder: str, lang: str, now_ms: int) -> str:
        history = self._history
        if command.ply != history.ply:
            raise Refused(ErrorCode.CONFLICT)
        new = command_events.execute(history, holder, command, now_ms)
        history.append(new.events, after=new.after)
        return self._changes(history.steps_known(history.ply - len(new.events)), lang)

    def _hint(self, ply: int, lang: str) -> str:
        """Return the move of the best bot that answers at once, as the message `hint-found`."""
        history = self._history
        if history.turn not in self.held or history.ending or ply != history.ply:
            raise Refused(ErrorCode.NO_HINT)
        position = history.match.position.copy()
        found = bots.quick_hint(position)
        choice = next(choice for choice in self.view().choices if choice.token == found.token)
        marks = [*choice.touch.path, *choice.touch.marks]
        steps = [
            text[lang] for text in (found.describe(position), found.nudge(position), found.why(position))
        ]
        first = list(choice.touch.path[:1] or choice.touch.marks)
        message = HintFound(history.head.id, ply, found.token, marks, steps[0], steps[1], first, steps[2])
        return messages.encode(message).decode()

    def _changes(self, kept: int, lang: str) -> str:
        view = self.view()
        now = all_parts(view, lang)
        html, self._shown = changes(self._shown, now), now
        shown = {"match": view.match, "ply": view.ply, "kept": kept, "html": html}
        rows = log_rows(view, kept, lang)
        return json.dumps({"is": "changes", **shown, "rows": rows, "over": view.outcome is not None})


def new_match(
    game: Game,
    sitters: Mapping[str, str],
    now_ms: int,
    secret: bytes | None = None,
    day: int = -1,
    first: str = "",
) -> Kept:
    """Return a new match, up to its first decision or after the token `first`; `sitters` are the bots by player.

    A deal for one that leaves its player no choice is dealt again, unless it was asked for by its `secret`.
    """
    for _ in range(MAX_DEALS):
        luck = secret or secrets.token_bytes(SECRET_BYTES)
        envelope = Envelope(hashlib.sha256(luck).hexdigest(), (), luck)
        match = Match(
            game, envelope.deal(), {player: sitters.get(player, "") for player in game.seats}, envelope
        )
        match.settle()
        if secret or len(game.seats) > 1 or not match.over:
            break
    if first in match.position.legal():
        match.play(first)
        match.settle()
    return Kept(record.to_json(match), dict(sitters), now_ms, day)


def kept_match(match: Match, now_ms: int) -> Kept:
    """Return what is kept of a match that comes from elsewhere.

    A seat with the name of a bot is that bot's again.
    """
    seats = {player: name for player, name in match.seats.items() if name in load_bots(match.game)}
    return Kept(record.to_json(match), seats if len(seats) < len(match.seats) else {}, now_ms)


def _history_of(id: str, match: Match, sitters: Mapping[str, str]) -> History:
    """Return the history of a match, as if every step had just been taken."""
    envelope = match.envelope
    secret = envelope.secret if envelope and envelope.secret else b""
    origin = Fork(match.practice, 0, proven=True) if match.practice else Fresh()
    seal = envelope.seal if envelope else ""
    head = Head(id, match.game, match.game.version, secret, seal, "", 0, origin)
    seats = [
        Seat(player, SeatKind.BOT, sitters[player], sitters[player], SeatKind.BOT)
        if player in sitters
        else Seat(player, SeatKind.PERSON, match.seats[player], holder=HOLDER)
        for player in match.game.seats
    ]
    history = History(head, seats)
    history.append(command_events.finished_events(match, 0))
    return history
