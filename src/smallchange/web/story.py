"""What has happened at one table, told from its rows: the match, who sits where, offers, the end.

A table is a list of events, each a row that is never changed or removed. `ply` counts all of them, so it only
grows, and inserting event number `ply` is the lock. Taking back is an event too: it shortens the *line*, the
steps that count, which are the steps of `match`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import NamedTuple

from smallchange.dice import Envelope
from smallchange.game import Game
from smallchange.match import Match, Step
from smallchange.state import CHANCE

STEP, UNDO, RESIGN, OFFER, AGREE, REFUSE, SIT = range(7)  # kinds of event: stored, so never renumbered
DRAW, BACK = 0, 1  # what an OFFER offers: a draw, or to take the offerer's last move back
NOBODY = -2
OPEN, PERSON, BOT = "open", "person", "bot"  # who sits on a seat
# how a match ends; a table that is withdrawn ends before anybody else has sat down
PLAYED, RESIGNED, AGREED, WITHDRAWN = "played", "resigned", "agreed", "withdrawn"
LONGEST = 1000  # steps of a match that is reviewed


class Event(NamedTuple):
    """One row. `seat` is who did it (CHANCE, or NOBODY). `action` is by kind: STEP the action's number, UNDO
    the steps that remain on the line, OFFER what is offered, else 0. `move` is the sender's id for it, or
    None. `at` is in milliseconds since 1970, UTC."""

    kind: int
    seat: int
    action: int
    move: str | None
    at: int


@dataclass(frozen=True, slots=True)
class Seat:
    """A player of the game and who sits there. `holder` is the hash of the cookie token that holds the
    seat."""

    player: str
    kind: str
    name: str = ""
    bot: str = ""
    holder: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """What stays the same as long as a table exists.

    `open`: listed in the lobby. `code`: the join link's. `secret`: in the envelope, told to nobody before the
    end. A practice table was forked from the first `told` steps of `parent`; if `proven`, it has the parent's
    envelope, so its chance steps are still those of the deal.
    """

    id: str
    game: Game
    version: int
    secret: bytes
    seal: str
    open: bool
    code: str
    created: int
    parent: str | None = None
    told: int = 0
    proven: bool = True


@dataclass(frozen=True, slots=True)
class Ended:
    """How a match ended: PLAYED to its end, RESIGNED or WITHDRAWN by a seat, or a draw AGREED."""

    how: str
    seat: int = NOBODY


@dataclass(frozen=True, slots=True)
class Offered:
    """What stands between two players until it is answered or the line goes on."""

    what: int
    seat: int


class Story:
    """One table. `tell` is the only way in which it changes, and it is told only what is committed."""

    def __init__(self, head: Head, seats: Sequence[Seat]) -> None:
        self.head = head
        self._seat(seats)
        self.events: list[Event] = []
        self.lengths: list[int] = [0]  # [ply]: how long the line was when there were `ply` events
        self.moves: dict[str, int] = {}  # move id: the ply of its event
        self.offer: Offered | None = None
        self.ended: Ended | None = None
        self.again: str | None = None  # the rematch, once there is one
        self.match = self._fresh()

    @property
    def ply(self) -> int:
        return len(self.events)

    @property
    def turn(self) -> int:
        """The seat whose step is next; NOBODY before the start and after the end, CHANCE for chance."""
        if not self.started or self.ended:
            return NOBODY
        turn: int = self.match.position.s.turn
        return turn

    @property
    def reviewable(self) -> bool:
        """Is it over, and not so long that the review of it would hold up all others?"""
        return self.ended is not None and self.started and len(self.match) <= LONGEST

    @property
    def closed(self) -> str:
        """What refuses anybody who comes after the end, by its code; "" before it."""
        return "" if not self.ended else "over" if self.started else "withdrawn"

    @property
    def waiting(self) -> bool:
        """May somebody still sit down?"""
        return not self.started and not self.ended

    @property
    def actor(self) -> str | None:
        """Who takes the next step, for programs: "" while a seat is free, None once it has ended."""
        return None if self.ended else self.match.position.actor if self.started else ""

    def held(self, holder: str) -> tuple[int, ...]:
        """The seats that this holder has. All bots have the holder BOT, which is no hash."""
        return self._held.get(holder, ())

    @property
    def envelope(self) -> Envelope:
        """The envelope as everybody may see it: open once the match has ended."""
        return self._envelope if self.ended else self._closed

    @property
    def record(self) -> Match:
        """The match as everybody may see it: with its deal once it has ended, if the deal is proven."""
        if self.ended and self.head.proven:
            shown = self.match.copy()
        else:
            envelope = self.envelope if self.head.proven else None
            shown = Match(self.match.game, None, self.match.seats, envelope, self.match.practice)
            shown.steps = list(self.match.steps)
            shown = shown.until(len(shown.steps))
        if self.ended and self.ended.how in (RESIGNED, AGREED):
            shown.end(self.ended.how, shown.game.seats[self.ended.seat] if self.ended.how == RESIGNED else "")
        return shown

    def tell(
        self, events: Sequence[Event], seats: Sequence[Seat] | None = None, after: Match | None = None
    ) -> None:
        """Go on with committed events. `seats` are those after them, where somebody sat down; `after` is the
        match after them where that is known, else the steps are played."""
        if seats is not None:
            self._seat(seats)
        if after is not None:
            n, self.match = len(self.match), after
            self.offer, self.ended = None, Ended(PLAYED) if after.over else None
            self.lengths += range(n + 1, n + 1 + len(events))
            self.events += events
            for i, event in enumerate(events, self.ply - len(events)):
                if event.move is not None:
                    self.moves[event.move] = i
            return
        line, lengths = surviving(events, len(self.match))
        if lengths and min(lengths) < len(self.match):
            self.match = self.match.until(min(lengths))
        for i, event in enumerate(events):
            if event.kind == STEP:
                self.offer = None
                if i in line:
                    self._step(event)
            else:
                self._tell(event)
            if event.move is not None:
                self.moves[event.move] = self.ply
            self.events.append(event)
        self.lengths += lengths

    def after(
        self, events: Sequence[Event], seats: Sequence[Seat] | None = None, after: Match | None = None
    ) -> Story:
        """The table as it would be if it were told this."""
        told = copy(self)
        told.events, told.lengths, told.moves = self.events[:], self.lengths[:], self.moves.copy()
        told.match = self.match.copy()
        told.tell(events, seats, after)
        return told

    def _seat(self, seats: Sequence[Seat]) -> None:
        """`started`: somebody sits on every seat. `alone`: one person holds every seat that no bot holds."""
        self.seats = tuple(seats)
        self._held: dict[str, tuple[int, ...]] = {}
        for i, seat in enumerate(seats):
            if seat.kind != OPEN:
                self._held[seat.holder] = (*self.held(seat.holder), i)
        self.started = all(seat.kind != OPEN for seat in seats)
        self._closed = self._envelope.closed()
        self.alone = len({seat.holder for seat in seats if seat.kind != BOT}) == 1

    def _tell(self, event: Event) -> None:
        if event.kind == RESIGN:
            self.ended = Ended(RESIGNED if self.started else WITHDRAWN, event.seat)
        elif event.kind == OFFER:
            self.offer = Offered(event.action, event.seat)
        elif event.kind == AGREE:
            self.ended = Ended(AGREED)
        elif event.kind in (UNDO, REFUSE):
            self.offer = None
        else:
            self.match = self._fresh()

    def _step(self, event: Event) -> None:
        actor = "chance" if event.seat == CHANCE else self.match.game.seats[event.seat]
        token = self.match.game.tokens[event.action]
        if len(self.match) >= self.head.told:
            self.match.play(token)
            if self.match.over:
                self.ended = Ended(PLAYED)
            return
        # the steps that a fork was given need not be those of its own deal
        self.match.steps.append(Step(actor, token))
        if len(self.match) == self.head.told:
            self.match = self.match.until(self.head.told)

    @property
    def _envelope(self) -> Envelope:
        words = tuple((seat.player, seat.words) for seat in self.seats if seat.words)
        return Envelope(self.head.seal, words, self.head.secret)

    def _fresh(self) -> Match:
        """The match before its first step; there is a deal only when all have given their words."""
        names, practice = {seat.player: seat.name for seat in self.seats}, self.head.parent or ""
        if not self.started:
            return Match(self.head.game, None, names, None, practice)
        envelope = self._envelope
        return Match(self.head.game, envelope.deal(), names, envelope, practice)


def surviving(events: Sequence[Event], length: int) -> tuple[set[int], list[int]]:
    """Which of these events are steps that no later one of them takes back, and how long the line was after
    each event: so that what was taken back is never played.

    >>> step, undo = Event(STEP, 0, 7, None, 0), Event(UNDO, 0, 1, None, 0)
    >>> surviving([step, step, undo, step], 1)
    ({3}, [2, 3, 1, 2])
    """
    line, lengths = [-1] * length, []
    for i, event in enumerate(events):
        if event.kind == STEP:
            line.append(i)
        elif event.kind == UNDO:
            del line[event.action :]
        lengths.append(len(line))
    return set(line) - {-1}, lengths


def sat(seat: Seat, holder: str, name: str, words: str) -> Seat:
    """The seat with somebody on it."""
    return replace(seat, kind=PERSON, holder=holder, name=name, words=words)


def now() -> int:
    """The time as events have it: milliseconds since 1970."""
    return time.time_ns() // 1_000_000
