"""The history of one table, replayed from its rows: the match, the seats, the offers and the end.

A table is a list of events. Each is a row that is never changed or removed. `ply` is their number, so it only
grows, and inserting event number `ply` is the lock. An undo is an event too: it shortens the *line*, which is
the steps that count. The line is the steps of `match`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import NamedTuple

from smallchange.core.commitment import Envelope
from smallchange.core.game import Game
from smallchange.core.match import Match, Step
from smallchange.core.state import CHANCE
from smallchange.server.daily.days import closing_ms
from smallchange.server.ratings.glicko2 import PROVISIONAL_DEVIATION
from smallchange.server.table import clock
from smallchange.server.table.clock import Clock, Moment
from smallchange.server.table.remarks import Remarks
from smallchange.server.table.time_control import DAY_MS, SECOND_MS, TimeControl
from smallchange.server.web.errors import ErrorCode

# kinds of event: stored, so never renumbered
STEP, UNDO, RESIGN, OFFER, AGREE, REFUSE, SIT, TIME_OUT, ABORT, CLAIM, EXTEND, DAYS_OFF = range(12)
# the things offered: a draw, taking back the sender's last move, or after the end a rematch
DRAW, TAKEBACK, REMATCH = range(3)
CLAIMED_WIN, CLAIMED_DRAW = range(2)  # what a CLAIM claims from a player who has left
NOBODY = -2
OPEN, PERSON, BOT = "open", "person", "bot"  # kinds of seat
# how a match ends; a table that is withdrawn ends before anybody else has sat down
PLAYED, RESIGNED, AGREED, WITHDRAWN = "played", "resigned", "agreed", "withdrawn"
# by the clock: out of time, ended before each side had moved, left by a player (lost, or drawn as the other chose)
TIMED_OUT, ABORTED, ABANDONED, LEFT_DRAWN = "timeout", "aborted", "abandoned", "abandoned-draw"
ENDINGS_BY_SEAT = (RESIGNED, TIMED_OUT, ABANDONED, LEFT_DRAWN)  # the record names the seat
MAX_REVIEWED_STEPS = 1000
MAX_EVENTS = 4000  # of a table; after them no step is taken. The longest games have 500 steps


class Event(NamedTuple):
    """One row of a table.

    `seat` is the seat that acted (or CHANCE, or NOBODY). `action` depends on the kind: for STEP the number of
    the action, for UNDO the number of steps that remain, for OFFER the thing offered, for CLAIM the thing
    claimed, for EXTEND the seconds that the clock gets back, for DAYS_OFF their number, else 0. `move` is the
    sender's id for the event, or None. `at` is in milliseconds since 1970, UTC. `lag` is the delay of the
    network, in milliseconds, that the sender's clock is not charged with.
    """

    kind: int
    seat: int
    action: int
    move: str | None
    at: int
    lag: int = 0


@dataclass(frozen=True, slots=True)
class Seat:
    """A player of the game, and the person or bot on that seat.

    `holder` is the hash of the cookie token that holds the seat.
    """

    player: str
    kind: str
    name: str = ""
    bot: str = ""
    holder: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """The facts of a table that never change.

    `open`: the table is listed, in the lobby while a seat is free and among running games after that. `code` is
    that of the join link. `secret` is in the envelope; nobody sees it before the end. A practice table was
    forked from the first `fork_length` steps of `parent`. If it is `proven`, it has the parent's envelope, so
    its chance steps are still those of the deal. Without a parent, one that is
    not proven was played offline. `day`: the table plays the deal of this day (`daily.py`).
    `control` is the time that each seat has; practice has none. `rated`: the match counts for both ratings.
    `delay` is the number of moves by which spectators are behind (`delay.py`).
    `sealed_until`: others play the same deal until this time in milliseconds since 1970. `difficulty`: the deal was
    chosen by it (`bots/deals.py`), so its opening is no fair sample of luck.
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
    fork_length: int = 0
    proven: bool = True
    day: int | None = None
    control: TimeControl | None = None
    rated: bool = False
    delay: int = 0
    sealed_until: int | None = None
    difficulty: str = ""

    @property
    def is_brought(self) -> bool:
        """Return whether the match was played offline, so that its player may have known its luck."""
        return not self.proven and self.parent is None

    @property
    def closes_at(self) -> int | None:
        """The time in milliseconds since 1970 until which the table is sealed; None for a table that never is."""
        return self.sealed_until if self.day is None else closing_ms(self.day)


class SeatRating(NamedTuple):
    """The rating of the account at a seat: points, their standard deviation, and the gain by this match once rated.

    That of a house bot is `fixed`.
    """

    points: float
    deviation: float
    gain: float | None = None
    fixed: bool = False

    @property
    def provisional(self) -> bool:
        """Return whether the rating is too uncertain to be listed."""
        return self.deviation > PROVISIONAL_DEVIATION


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a match: PLAYED to its end, RESIGNED or WITHDRAWN by a seat, a draw AGREED, or by its clock.

    TIMED_OUT and ABANDONED name the seat that lost. LEFT_DRAWN names the seat that left, where the other player
    claimed a draw. An ABORTED match has no result.
    """

    how: str
    seat: int = NOBODY


@dataclass(frozen=True, slots=True)
class PendingOffer:
    """An offer between two players.

    It stands until it is answered, a step is taken, or the match ends. A rematch is offered after the end.
    """

    what: int
    seat: int


class History:
    """The history of one table. It changes by `append` alone, and only committed events are appended."""

    def __init__(self, head: Head, seats: Sequence[Seat]) -> None:
        self.head = head
        self.clock: Clock | None = None
        self._set_seats(seats)
        self.events: list[Event] = []
        self.lengths: list[int] = [0]  # [ply]: how long the line was when there were `ply` events
        self.moves: dict[str, int] = {}  # move id: the ply of its event
        self.offer: PendingOffer | None = None
        self.ending: Ending | None = None
        self.rematch: str | None = None  # the rematch, once there is one
        self.ratings: tuple[SeatRating | None, ...] = ()  # by seat, at a rated table
        self.remarks = Remarks()  # what was said by set phrases
        self.sealed = head.closes_at is not None  # whether nobody but the player may see the table yet
        self.match = self._initial_match()
        self._start_clock()

    @property
    def ply(self) -> int:
        """The number of events."""
        return len(self.events)

    @property
    def turn(self) -> int:
        """The seat whose step is next; NOBODY before the start and after the end, CHANCE for chance."""
        if not self.started or self.ending:
            return NOBODY
        turn: int = self.match.position.s.turn
        return turn

    @property
    def reviewable(self) -> bool:
        """Return whether the match is over, and short enough that its review does not hold up others."""
        return self.is_revealed and self.started and len(self.match) <= MAX_REVIEWED_STEPS

    @property
    def is_revealed(self) -> bool:
        """Return whether the envelope is open."""
        return self.ending is not None and not self.sealed

    @property
    def full(self) -> bool:
        """Return whether the table has MAX_EVENTS events, so that no further step is taken."""
        return self.ply >= MAX_EVENTS

    @property
    def closing_code(self) -> ErrorCode | None:
        """The code with which every command is refused after the end; None before it."""
        if not self.ending:
            return None
        return ErrorCode.OVER if self.started else ErrorCode.WITHDRAWN

    @property
    def waiting(self) -> bool:
        """Return whether a seat can still be taken."""
        return not self.started and not self.ending

    @property
    def actor(self) -> str | None:
        """The player who takes the next step, for programs: "" while a seat is free, None after the end."""
        return None if self.ending else self.match.position.actor if self.started else ""

    def seats_of(self, holder: str) -> tuple[int, ...]:
        """Return the seats of this holder. The holder of a bot is not a hash: BOT, or the id of a house bot."""
        return self._seats_by_holder.get(holder, ())

    @property
    def envelope(self) -> Envelope:
        """The envelope as everybody may see it: open once the match has ended, and its day has closed."""
        return self._envelope if self.is_revealed else self._sealed_envelope

    @property
    def record(self) -> Match:
        """The match as everybody may see it: with its deal once the envelope is open, if the deal is proven."""
        if self.is_revealed and self.head.proven:
            shown = self.match.copy()
        else:
            envelope = self.envelope if self.head.proven else None
            shown = Match(self.match.game, None, self.match.seats, envelope, self.match.practice)
            shown.steps = list(self.match.steps)
            shown = shown.until(len(shown.steps))
        if self.ending and self.ending.how not in (PLAYED, WITHDRAWN):
            by_seat = self.ending.how in ENDINGS_BY_SEAT
            shown.end(self.ending.how, shown.game.seats[self.ending.seat] if by_seat else "")
        return shown

    def append(
        self, events: Sequence[Event], seats: Sequence[Seat] | None = None, after: Match | None = None
    ) -> None:
        """Append committed events.

        `seats` are the seats after them, where a seat was taken. `after` is the match after them; without it,
        the steps are played here.
        """
        if seats is not None:
            self._set_seats(seats)
            self.match.seats = {seat.player: seat.name for seat in seats}
        self.clock = self.clock_after(events, after)
        if after is not None:
            n, self.match = len(self.match), after
            self.offer, self.ending = None, Ending(PLAYED) if after.over else None
            self.lengths += range(n + 1, n + 1 + len(events))
            self.events += events
            for i, event in enumerate(events, self.ply - len(events)):
                if event.move is not None:
                    self.moves[event.move] = i
            return
        line, lengths = surviving_steps(events, len(self.match))
        if lengths and min(lengths) < len(self.match):
            self.match = self.match.until(min(lengths))
        for i, event in enumerate(events):
            if event.kind == STEP:
                self.offer = None
                if i in line:
                    self._apply_step(event)
            else:
                self._apply(event)
            if event.move is not None:
                self.moves[event.move] = self.ply
            self.events.append(event)
        self.lengths += lengths

    def with_events(
        self, events: Sequence[Event], seats: Sequence[Seat] | None = None, after: Match | None = None
    ) -> History:
        """Return a copy of the history with these events appended."""
        history = copy(self)
        history.events, history.lengths, history.moves = self.events[:], self.lengths[:], self.moves.copy()
        history.match = self.match.copy()
        history.append(events, seats, after)
        return history

    def _set_seats(self, seats: Sequence[Seat]) -> None:
        """Set the seats.

        `started`: every seat is taken. `one_person`: one person holds every seat without a bot. `alone`: so it is,
        and nothing counts for a rating, so that the person may take back moves and have hints.
        """
        self.seats = tuple(seats)
        self._seats_by_holder: dict[str, tuple[int, ...]] = {}
        for i, seat in enumerate(seats):
            if seat.kind != OPEN:
                self._seats_by_holder[seat.holder] = (*self.seats_of(seat.holder), i)
        self.started = all(seat.kind != OPEN for seat in seats)
        self._sealed_envelope = self._envelope.without_secret()
        self.one_person = len({seat.holder for seat in seats if seat.kind != BOT}) == 1
        self.alone = self.one_person and not self.head.rated

    def _apply(self, event: Event) -> None:
        if event.kind == RESIGN:
            self.ending, self.offer = Ending(RESIGNED if self.started else WITHDRAWN, event.seat), None
        elif event.kind == OFFER:
            self.offer = PendingOffer(event.action, event.seat)
        elif event.kind == AGREE:
            self.ending, self.offer = Ending(AGREED), None
        elif event.kind in (UNDO, REFUSE):
            self.offer = None
        elif event.kind in (TIME_OUT, ABORT):
            self.ending, self.offer = (
                Ending(TIMED_OUT if event.kind == TIME_OUT else ABORTED, event.seat),
                None,
            )
        elif event.kind == CLAIM:
            how = ABANDONED if event.action == CLAIMED_WIN else LEFT_DRAWN
            self.ending, self.offer = Ending(how, 1 - event.seat), None
        elif event.kind == SIT:
            self.match = self._initial_match()

    def _start_clock(self) -> None:
        """Start the clock of a table at which every seat is taken from the beginning."""
        control = self.head.control
        if control is None:
            return
        clock_state = clock.start(control, [seat.kind != BOT for seat in self.seats])
        turn = self.match.position.s.turn if self.started else NOBODY
        self.clock = clock_state.after(Moment(self.head.created, turn)) if turn >= 0 else clock_state

    def clock_after(self, events: Sequence[Event], after: Match | None = None) -> Clock | None:
        """Return the clock after these events, with the arguments of `append`. Chance takes no time."""
        running = self.clock
        if running is None or not events:
            return running
        if after is not None:
            turns = [CHANCE] * (len(events) - 1) + [after.position.s.turn]
        elif any(event.kind == UNDO for event in events):
            turns = _turns_after(self._initial_match(), [*self.events, *events])[len(self.events) :]
        else:
            turns = _turns_after(self.match, events, bool(self.ending))
        for event, turn in zip(events, turns, strict=True):
            if event.kind == SIT:  # the clock starts with the last of them
                running = clock.start(running.control, running.timed)
            if turn == CHANCE:  # whose turn it is shows after chance
                turn = NOBODY if running.running is None else running.running
            refund = event.lag + (event.action * SECOND_MS if event.kind == EXTEND else 0)
            off = (event.seat, event.at + event.action * DAY_MS) if event.kind == DAYS_OFF else None
            moment = Moment(event.at, turn if self.started else NOBODY, event.kind == UNDO, refund, off)
            running = running.after(moment)
        return running

    def _apply_step(self, event: Event) -> None:
        actor = "chance" if event.seat == CHANCE else self.match.game.seats[event.seat]
        token = self.match.game.tokens[event.action]
        if len(self.match) >= self.head.fork_length:
            self.match.play(token)
            if self.match.over:
                self.ending = Ending(PLAYED)
            return
        # the steps that a fork was given need not be those of its own deal
        self.match.steps.append(Step(actor, token))
        if len(self.match) == self.head.fork_length:
            self.match = self.match.until(self.head.fork_length)

    @property
    def _envelope(self) -> Envelope:
        words = tuple((seat.player, seat.words) for seat in self.seats if seat.words)
        return Envelope(self.head.seal, words, self.head.secret)

    def _initial_match(self) -> Match:
        """Return the match before its first step; it has a deal only when every seat is taken."""
        names, practice = {seat.player: seat.name for seat in self.seats}, self.head.parent or ""
        if not self.started:
            return Match(self.head.game, None, names, None, practice)
        envelope = self._envelope
        return Match(self.head.game, envelope.deal(), names, envelope, practice)


def _turns_after(match: Match, events: Sequence[Event], ended: bool = False) -> list[int]:
    """Return the seat on turn after each of these events, which follow on the match.

    Steps that are taken back have one too.
    """
    game, states, turns = match.game, [match.position.s], []
    for event in events:
        if event.kind == STEP:
            state = states[-1].copy()
            game.rules.play(game.board, state, event.action)
            states.append(state)
        elif event.kind == UNDO:
            del states[event.action + 1 :]
        ends = event.kind in (RESIGN, AGREE, TIME_OUT, ABORT, CLAIM)
        ended = ended or ends
        turns.append(NOBODY if ended else states[-1].turn)
    return turns


def surviving_steps(events: Sequence[Event], length: int) -> tuple[set[int], list[int]]:
    """Return the indices of the events that are steps on the line, and the length of the line after each event.

    Steps that were taken back need not be played.

    >>> step, undo = Event(STEP, 0, 7, None, 0), Event(UNDO, 0, 1, None, 0)
    >>> surviving_steps([step, step, undo, step], 1)
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


def seat_person(seat: Seat, holder: str, name: str, words: str) -> Seat:
    """Return the seat, taken by a person."""
    return replace(seat, kind=PERSON, holder=holder, name=name, words=words)
