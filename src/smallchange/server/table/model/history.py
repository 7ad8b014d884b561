"""The history of one table, replayed from its rows: the match, the seats, the offers and the end.

A table is a list of events (`events.py`). `ply` is their number, so it only grows, and inserting event number `ply` is
the lock. An undo is an event too: it shortens the *line*, which is the steps that count. The line is the steps of
`match`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from msgspec import Struct

from smallchange.core.commitment import Envelope
from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.core.match import Step as MatchStep
from smallchange.core.state import CHANCE
from smallchange.server.table.model import clock
from smallchange.server.table.model.clock import DAY_MS, Clock, Moment, TimeControl
from smallchange.server.table.model.commands import Remarks
from smallchange.server.table.model.events import NOBODY, Ending, Event, How, PendingOffer, Sit, Step, Undo
from smallchange.server.table.model.plans import Plan
from smallchange.server.web.errors import ErrorCode, Refused


class Fresh(Struct, frozen=True):
    """A deal of its own. By `difficulty` it was chosen (`bots/deals.py`), so that its opening is no fair sample."""

    difficulty: str = ""


class Fork(Struct, frozen=True):
    """Practice that goes on after the first `length` steps of the table `parent`.

    If `proven`, its luck can be verified: it has a deal from the first step on, that of its parent or its own.
    """

    parent: str
    length: int
    proven: bool


class Daily(Struct, frozen=True):
    """The deal of a day. Days count from 1970 in UTC. `put_off` is the end of one that was to end in an outage."""

    day: int
    put_off: int | None = None

    @property
    def closes_at(self) -> int:
        """The end of the day, in milliseconds since 1970."""
        return self.put_off or (self.day + 1) * DAY_MS

    def until(self, closes_at: int) -> Daily:
        """Return the same that closes at another time."""
        return Daily(self.day, closes_at)


class SealedDeal(Struct, frozen=True):
    """A deal that others play too, until a time in milliseconds since 1970."""

    closes_at: int

    def until(self, closes_at: int) -> SealedDeal:
        """Return the same that closes at another time."""
        return SealedDeal(closes_at)


class TournamentGame(Struct, frozen=True):
    """A deal of its own for a game of a tournament, in which nobody is helped."""


class BroughtFromOffline(Struct, frozen=True):
    """A match that was played offline, so that its player may have known its luck."""


Origin = Fresh | Fork | Daily | SealedDeal | TournamentGame | BroughtFromOffline


def origin_columns(origin: Origin) -> dict[str, Any]:
    """Return the columns of a match that hold its origin."""
    return {
        "parent": origin.parent if isinstance(origin, Fork) else None,
        "fork_length": origin.length if isinstance(origin, Fork) else 0,
        "proven": is_proven(origin),
        "day": origin.day if isinstance(origin, Daily) else None,
        "sealed_until": origin.put_off
        if isinstance(origin, Daily)
        else origin.closes_at
        if isinstance(origin, SealedDeal)
        else None,
        "in_tournament": isinstance(origin, TournamentGame),
        "difficulty": origin.difficulty if isinstance(origin, Fresh) else "",
    }


def read_origin(row: Any) -> Origin:
    """Return the origin that the row of a match holds."""
    if row.parent is not None:
        return Fork(row.parent, row.fork_length, row.proven)
    if row.day is not None:
        return Daily(row.day, row.sealed_until)
    if row.sealed_until is not None:
        return SealedDeal(row.sealed_until)
    if row.in_tournament:
        return TournamentGame()
    return Fresh(row.difficulty) if row.proven else BroughtFromOffline()


def is_proven(origin: Origin) -> bool:
    """Return whether the luck of a match can be verified."""
    return origin.proven if isinstance(origin, Fork) else not isinstance(origin, BroughtFromOffline)


MAX_REVIEWED_STEPS = 1000
MAX_EVENTS = 4000  # of a table; after them no step is taken. The longest games have 500 steps


class SeatKind(StrEnum):
    """The occupant of a seat: nobody yet, a person, or a bot. Stored, so never renamed."""

    OPEN = "open"
    PERSON = "person"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Seat:
    """A player of the game, and the person or bot on that seat.

    `holder` is the hash of the cookie token that holds the seat.
    """

    player: str
    kind: SeatKind
    name: str = ""
    bot: str = ""
    holder: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """The facts of a table that never change.

    `secret` is in the envelope; nobody sees it before the end. `code` is that of the join link. `open`: the table is
    listed, in the lobby while a seat is free and among running games after that. `control` is the time that each seat
    has; practice has none. `rated`: the match counts for both ratings.
    """

    id: str
    game: Game
    version: int
    secret: bytes
    seal: str
    code: str
    created: int
    origin: Origin = Fresh()  # noqa: RUF009 - it is frozen
    open: bool = False
    control: TimeControl | None = None
    rated: bool = False

    @property
    def is_practice(self) -> bool:
        """Return whether the table was forked from another."""
        return isinstance(self.origin, Fork)

    @property
    def fork_length(self) -> int:
        """The number of steps that were taken from another table."""
        return self.origin.length if isinstance(self.origin, Fork) else 0

    @property
    def is_proven(self) -> bool:
        """Return whether the luck of the match can be verified."""
        return is_proven(self.origin)

    @property
    def closes_at(self) -> int | None:
        """The time in milliseconds since 1970 until which the table is sealed; None for a table that never is."""
        return self.origin.closes_at if isinstance(self.origin, Daily | SealedDeal) else None


class SeatRating(NamedTuple):
    """The rating of the account at a seat: points, their standard deviation, and the gain by this match once rated.

    That of a house bot is `fixed`.
    """

    points: float
    deviation: float
    gain: float | None = None
    fixed: bool = False
    provisional: bool = False  # too uncertain to be listed


class History:
    """The history of one table. It changes by `append` alone, and only committed events are appended."""

    def __init__(self, head: Head, seats: Sequence[Seat]) -> None:
        self.head = head
        self.clock: Clock | None = None
        self._set_seats(seats)
        self.events: list[Event] = []
        self.ply = 0  # the number of events
        self.lengths: list[int] = [0]  # [ply]: how long the line was when there were `ply` events
        self.command_plies: dict[str, int] = {}  # by command id: the ply of its event
        self.offer: PendingOffer | None = None
        self.ending: Ending | None = None
        self.rematch: str | None = None  # the rematch, once there is one
        self.ratings: tuple[SeatRating | None, ...] = ()  # by seat, at a rated table
        self.remarks = Remarks()  # what was said by set phrases
        self.plans: Mapping[int, Plan] = {}  # by seat: what it is to play by itself
        self.sealed = head.closes_at is not None  # whether nobody but the player may see the table yet
        self.match = self._initial_match()
        self._start_clock()

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

    def may_explore(self, holder: str) -> bool:
        """Return whether a player may try moves out while the match runs: by correspondence, and where all is seen."""
        control = self.head.control
        if control is None or control.live or self.ending or not self.started:
            return False
        return bool(self.seats_of(holder)) and len(self.seats) > 1 and not self.match.game.is_by_memory

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

    def refuse_stranger(self, holder: str) -> None:
        """Refuse everybody but its player at a table whose deal has not closed."""
        if self.sealed and not self.seats_of(holder):
            raise Refused(ErrorCode.SEALED)

    @property
    def is_past_hidden(self) -> bool:
        """Return whether nobody may see earlier states: the game is played by memory, and it goes on."""
        return self.ending is None and self.head.game.is_by_memory

    @property
    def steps_out_of_sight(self) -> int:
        """The number of steps, from the first, that nobody may see: all before the last turn where the past is hidden.

        A turn is a decision with the answers of chance.
        """
        return self.match.start_of_last_turn if self.is_past_hidden else 0

    def steps_known(self, known_ply: int) -> int:
        """Return the number of steps that a client with the first `known_ply` events keeps. A new client has -1.

        The others are to be sent. After a game by memory those are all.
        """
        if self.ending and self.head.game.is_by_memory:
            return 0
        return max(min(self.lengths[known_ply:]) if known_ply >= 0 else 0, self.steps_out_of_sight)

    def refuse_past(self) -> None:
        """Refuse a look at the past where it is hidden."""
        if self.is_past_hidden:
            raise Refused(ErrorCode.BY_MEMORY)

    @property
    def position_text(self) -> str:
        """The position as everybody may see it, for programs."""
        position = self.match.position
        return position.text_in_sight() if self.is_past_hidden else position.key()

    @property
    def envelope(self) -> Envelope:
        """The envelope as everybody may see it: open once the match has ended, and its day has closed."""
        return self._envelope if self.is_revealed else self._sealed_envelope

    @property
    def record(self) -> Match:
        """The match as everybody may see it: with its deal once the envelope is open, if the deal is proven.

        It is refused where the past is hidden.
        """
        self.refuse_past()
        if self.is_revealed and self.head.is_proven:
            shown = self.match.copy()
        else:
            envelope = self.envelope if self.head.is_proven else None
            shown = Match(self.match.game, None, self.match.seats, envelope, self.match.practice)
            shown.steps = list(self.match.steps)
            shown = shown.until(len(shown.steps))
        if self.ending and self.ending.how not in (How.PLAYED, How.WITHDRAWN):
            by_seat = self.ending.how.by_seat
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
            self.ending = Ending(How.PLAYED) if after.over else None
            for event in events:
                assert isinstance(event, Step)
                self.offer = None if self.ending else event.offer_after(self.offer)
            self.lengths += range(n + 1, n + 1 + len(events))
            self._note(events)
            return
        line, lengths = surviving_steps(events, len(self.match))
        if lengths and min(lengths) < len(self.match):
            self.match = self.match.until(min(lengths))
        for i, event in enumerate(events):
            if isinstance(event, Step) and i not in line:
                self.offer = event.offer_after(self.offer)
            else:
                event.apply(self)
        self.lengths += lengths
        self._note(events)

    def _note(self, events: Sequence[Event]) -> None:
        """Note the events, and those of commands by their ids."""
        for ply, event in enumerate(events, self.ply):
            if event.command_id is not None:
                self.command_plies[event.command_id] = ply
        self.events += events
        self.ply = len(self.events)

    def with_events(
        self, events: Sequence[Event], seats: Sequence[Seat] | None = None, after: Match | None = None
    ) -> History:
        """Return a copy of the history with these events appended."""
        history = copy(self)
        history.events, history.lengths = self.events[:], self.lengths[:]
        history.command_plies = self.command_plies.copy()
        history.match = self.match.copy()
        history.append(events, seats, after)
        return history

    def _set_seats(self, seats: Sequence[Seat]) -> None:
        """Set the seats.

        `started`: every seat is taken. `one_person`: one person holds every seat without a bot. `alone`: so it is,
        and the match counts for no rating and no tournament, so that the person may take back moves and have hints.
        """
        self.seats = tuple(seats)
        self._seats_by_holder: dict[str, tuple[int, ...]] = {}
        for i, seat in enumerate(seats):
            if seat.kind != SeatKind.OPEN:
                self._seats_by_holder[seat.holder] = (*self.seats_of(seat.holder), i)
        self.started = all(seat.kind != SeatKind.OPEN for seat in seats)
        self._sealed_envelope = self._envelope.without_secret()
        self.one_person = len({seat.holder for seat in seats if seat.kind != SeatKind.BOT}) == 1
        counts = self.head.rated or isinstance(self.head.origin, TournamentGame)
        self.alone = self.one_person and not counts

    def end(self, how: How, seat: int = NOBODY, counts: bool = False) -> None:
        """End the match. An event does so when it is applied."""
        self.ending, self.offer = Ending(how, seat, counts), None

    def begin_match(self) -> None:
        """Begin the match anew, with the seats as they are. An event does so when it is applied."""
        self.match = self._initial_match()

    def _start_clock(self) -> None:
        """Start the clock of a table at which every seat is taken from the beginning."""
        control = self.head.control
        if control is None:
            return
        clock_state = clock.start(control, [seat.kind != SeatKind.BOT for seat in self.seats])
        turn = self.match.position.s.turn if self.started else NOBODY
        self.clock = clock_state.after(Moment(self.head.created, turn)) if turn >= 0 else clock_state

    def clock_after(self, events: Sequence[Event], after: Match | None = None) -> Clock | None:
        """Return the clock after these events, with the arguments of `append`. Chance takes no time."""
        running = self.clock
        if running is None or not events:
            return running
        if after is not None:
            turns = [CHANCE] * (len(events) - 1) + [after.position.s.turn]
        elif any(isinstance(event, Undo) for event in events):
            turns = _turns_after(self._initial_match(), [*self.events, *events])[len(self.events) :]
        else:
            turns = _turns_after(self.match, events, bool(self.ending))
        for event, turn in zip(events, turns, strict=True):
            if isinstance(event, Sit):  # the clock starts with the last of them
                running = clock.start(running.control, running.timed)
            if turn == CHANCE:  # whose turn it is shows after chance
                turn = NOBODY if running.running is None else running.running
            running = running.after(event.moment(turn if self.started else NOBODY))
        return running

    def take_step(self, event: Step) -> None:
        """Take a step. Its event does so when it is applied."""
        actor = "chance" if event.seat == CHANCE else self.match.game.seats[event.seat]
        token = self.match.game.tokens[event.action]
        if len(self.match) >= self.head.fork_length:
            self.match.play(token)
            if self.match.over:
                self.ending = Ending(How.PLAYED)
            return
        # the steps that a fork was given need not be those of its own deal
        self.match.steps.append(MatchStep(actor, token))
        if len(self.match) == self.head.fork_length:
            self.match = self.match.until(self.head.fork_length)

    @property
    def _envelope(self) -> Envelope:
        words = tuple((seat.player, seat.words) for seat in self.seats if seat.words)
        return Envelope(self.head.seal, words, self.head.secret)

    def _initial_match(self) -> Match:
        """Return the match before its first step; it has a deal only when every seat is taken."""
        names = {seat.player: seat.name for seat in self.seats}
        practice = self.head.origin.parent if isinstance(self.head.origin, Fork) else ""
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
        if isinstance(event, Step):
            state = states[-1].copy()
            game.rules.play(game.board, state, event.action)
            states.append(state)
        elif isinstance(event, Undo):
            del states[event.length + 1 :]
        ended = ended or event.ends_match
        turns.append(NOBODY if ended else states[-1].turn)
    return turns


def surviving_steps(events: Sequence[Event], length: int) -> tuple[set[int], list[int]]:
    """Return the indices of the events that are steps on the line, and the length of the line after each event.

    Steps that were taken back need not be played.

    >>> step, undo = Step(0, 0, action=7), Undo(0, 0, length=1)
    >>> surviving_steps([step, step, undo, step], 1)
    ({3}, [2, 3, 1, 2])
    """
    line, lengths = [-1] * length, []
    for i, event in enumerate(events):
        if isinstance(event, Step):
            line.append(i)
        elif isinstance(event, Undo):
            del line[event.length :]
        lengths.append(len(line))
    return set(line) - {-1}, lengths


def seat_person(seat: Seat, holder: str, name: str, words: str) -> Seat:
    """Return the seat, taken by a person."""
    return replace(seat, kind=SeatKind.PERSON, holder=holder, name=name, words=words)
