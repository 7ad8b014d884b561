"""A small model of a table for two: what each command should do, by the rules of the protocol alone.

It knows no rows, processes, commits or ids. Of the server it uses the rules of games, which say who is on turn and what
is legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from smallchange.core.game import Game, Position
from smallchange.server.table.model.clock import TimeControl
from smallchange.server.table.model.command_events import (
    CLAIM_AFTER_MS,
    MAX_LAG_MS,
    MAX_LIVE_OUTAGE_MS,
    MIN_OUTAGE_MS,
)
from smallchange.server.table.model.events import NOBODY, RETURN_MS, How
from smallchange.server.table.model.outcome import MIN_COUNTED_MOVES
from smallchange.server.web.errors import ErrorCode

FREE, BOT = "", "bot"
LOSS, DRAW, WIN = range(3)


@dataclass
class ModelClock:
    """The time of each seat, with the turn that runs."""

    control: TimeControl
    banks: list[int]
    turns: list[int] = field(default_factory=lambda: [0, 0])
    running: int | None = None
    begun: int = 0  # the running turn
    since: int = 0
    used: int = 0
    grace: int = 0
    retaken: bool = False

    @property
    def budget(self) -> int:
        assert self.running is not None
        first = not self.turns[self.running]
        whole = self.control.first_turn_ms if first else self.control.allowance_ms + self.banks[self.running]
        return whole + self.grace

    @property
    def flag_at(self) -> int | None:
        return None if self.running is None else self.since + self.budget - self.used

    def pass_to(self, seat: int | None, now: int, undone: bool = False, refund: int = 0) -> None:
        """Let time pass until an event, after which this seat's time runs."""
        last = self.running
        if last is not None:
            self.used = max(0, self.used + now - self.since - refund)
        self.since = now
        if seat == last:
            self.retaken |= undone
            return
        if last is not None:
            first = not self.turns[last]
            if not first:
                self.banks[last] = max(0, self.banks[last] - max(0, self.used - self.control.allowance_ms))
            if not undone:
                self.banks[last] += 0 if first or self.retaken else self.control.increment_ms
                self.turns[last] += 1
        self.running, self.used, self.grace, self.retaken, self.begun = seat, 0, 0, undone, now


class TableModel:
    """A table at which `sitters` sit: names, FREE or BOT. A person may have both seats."""

    def __init__(self, game: Game, control: TimeControl | None, sitters: Sequence[str], now: int) -> None:
        self.positions: list[Position] = [game.start()]
        self.actors: list[int] = []  # of each step on the line
        self.sitters = list(sitters)
        self.clock = ModelClock(control, [control.bank_ms] * 2) if control else None
        self.ending: tuple[How, int] | None = None
        self.offer: tuple[str, int] | None = None
        self.offered: set[int] = set()  # seats that have made an offer since the last step
        self.asked: set[int] = set()  # seats that have asked for a rematch
        self.has_rematch = False
        self.acted_at = [now, now]

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def is_started(self) -> bool:
        return FREE not in self.sitters

    @property
    def one_person(self) -> bool:
        return len({who for who in self.sitters if who != BOT}) == 1

    @property
    def turn(self) -> int:
        return self.position.s.turn if self.is_started and not self.ending else NOBODY

    def seats_of(self, who: str) -> list[int]:
        return [seat for seat, sitter in enumerate(self.sitters) if sitter == who]

    @property
    def ends_at(self) -> int | None:
        """The time from which the seat on turn is out of time, whatever its lag."""
        if self.clock is None or self.clock.flag_at is None:
            return None
        return self.clock.flag_at + (MAX_LAG_MS if self.clock.control.live else 0)

    @property
    def points(self) -> tuple[int | None, ...]:
        """The points of each seat that count."""
        nothing = (None, None)
        if self.ending is None or self.ending[0] in (How.WITHDRAWN, How.ABORTED):
            return nothing
        if self.one_person and BOT not in self.sitters:
            return nothing
        how, seat = self.ending
        if how == How.PLAYED:
            scores = [self.position.score(player) or 0 for player in self.position.game.seats]
            return (
                (WIN, LOSS)
                if scores[0] > scores[1]
                else (LOSS, WIN)
                if scores[1] > scores[0]
                else (DRAW, DRAW)
            )
        if min(self.actors.count(seat) for seat in (0, 1)) < MIN_COUNTED_MOVES:
            return nothing
        if how in (How.AGREED, How.LEFT_DRAWN):
            return (DRAW, DRAW)
        return (LOSS, WIN) if seat == 0 else (WIN, LOSS)

    def length_after_undo(self, seats: Sequence[int]) -> int | None:
        """Return where the last decision of these seats stands on the line, unless chance has answered it."""
        for i in reversed(range(len(self.actors))):
            if self.actors[i] < 0:
                return None
            if self.actors[i] in seats:
                return i
        return None

    def may_abort(self) -> bool:
        timed = [seat for seat in (0, 1) if self.sitters[seat] != BOT]
        return (
            self.clock is not None and self.is_started and any(not self.clock.turns[seat] for seat in timed)
        )

    def claim_at(self, seats: Sequence[int], away: dict[int, int]) -> int | None:
        """Return the time from which these seats may claim the match."""
        if self.clock is None or not self.clock.control.live or len(seats) != 1 or self.may_abort():
            return None
        other = 1 - seats[0]
        if self.sitters[other] == BOT or other not in away:
            return None
        return max(away[other], self.acted_at[other]) + CLAIM_AFTER_MS

    def offers(self, seats: Sequence[int]) -> set[str]:
        """Return what these seats may offer."""
        if not seats or not self.is_started or self.offer:
            return set()
        if self.ending:
            is_over = self.one_person or self.has_rematch or seats[0] in self.asked
            return set() if is_over else {"rematch"}
        if self.one_person:
            return {"draw"} if len(seats) == 2 else set()
        if seats[0] in self.offered:
            return set()
        return {"draw"} | ({"undo"} if self.length_after_undo(seats) is not None else set())

    def opens_rematch(self, who: str, kind: str, **fields: object) -> bool:
        """Return whether a command opens the rematch, or would if it were not open."""
        seats = self.seats_of(who)
        wished = kind == "offer" and fields["what"] == "rematch"
        if not seats or not self.ending or not self.is_started:
            return False
        offered = self.offer is not None and self.offer[1] not in seats
        return (wished and self.one_person) or (offered and (wished or fields.get("yes") is True))

    def refusal(
        self, who: str, kind: str, now: int, away: dict[int, int], **fields: object
    ) -> ErrorCode | None:
        """Return why a command is refused; None if it is not."""
        seats = self.seats_of(who)
        if not seats:
            return ErrorCode.SPECTATOR
        again = (kind == "offer" and fields["what"] == "rematch" and self.is_started) or (
            kind == "answer" and self.offer is not None
        )
        if self.ending and not again:
            return ErrorCode.OVER if self.is_started else ErrorCode.WITHDRAWN
        if not self.is_started and kind != "resign":
            return ErrorCode.NOT_STARTED
        match kind:
            case "act":
                return self._refusal_of_move(seats, str(fields["token"]), now)
            case "offer" if fields["what"] not in self.offers(seats):
                return ErrorCode.CANNOT_OFFER
            case "answer" if self.offer is None or (fields["yes"] and self.offer[1] in seats):
                return ErrorCode.NO_OFFER
            case "undo" if not self.one_person:
                return ErrorCode.MUST_ASK_TO_UNDO
            case "undo" if self.length_after_undo(seats) is None:
                return ErrorCode.NOTHING_TO_UNDO
            case "abort" if not self.may_abort():
                return ErrorCode.CANNOT_ABORT
            case "claim" if (at := self.claim_at(seats, away)) is None or now < at:
                return ErrorCode.CANNOT_CLAIM
        return None

    def _refusal_of_move(self, seats: Sequence[int], token: str, now: int) -> ErrorCode | None:
        if self.turn not in seats:
            return ErrorCode.NOT_YOUR_TURN
        if self.clock and self.clock.flag_at is not None and now >= self.clock.flag_at:
            return ErrorCode.OUT_OF_TIME
        if token not in self.position.game.actions:
            return ErrorCode.UNKNOWN_TOKEN
        return None if token in self.position.legal() else ErrorCode.ILLEGAL

    def do(self, who: str, kind: str, now: int, **fields: object) -> None:
        """Do a command that is not refused; chance does not answer yet."""
        seats = self.seats_of(who)
        seat = self.turn if kind == "resign" and self.turn in seats else seats[0]
        offer, self.offer = self.offer, None
        match kind:
            case "act":
                seat = self.turn
                self.step(str(fields["token"]))
                if offer and offer == ("draw", seat) and not self.ending:
                    self.offer = offer
            case "offer":
                what = str(fields["what"])
                (self.asked if what == "rematch" else self.offered).add(seat)
                if self.one_person:
                    self.end(How.AGREED, NOBODY)
                else:
                    self.offer = what, seat
            case "answer" if offer and fields["yes"]:
                if offer[0] == "draw":
                    self.end(How.AGREED, NOBODY)
                else:
                    seat = offer[1]
                    self.take_back([seat])
            case "undo":
                self.take_back(seats)
            case "resign":
                self.end(How.RESIGNED if self.is_started else How.WITHDRAWN, seat)
            case "abort":
                self.end(How.ABORTED, seat)
            case "claim":
                how = How.ABANDONED if fields["what"] == "win" else How.LEFT_DRAWN
                self.end(how, 1 - seat)
        self.acted_at[seat] = now
        if kind == "offer" and self.one_person:
            self.acted_at[seats[1]] = now
        if self.turn != -1:  # whose turn it is shows after chance
            self.turn_clock(now, undone=kind == "undo" or (kind == "answer" and bool(fields["yes"])))

    def step(self, token: str) -> None:
        """Take a step of a player or of chance."""
        self.actors.append(self.position.s.turn)
        self.positions.append(self.position.played(token))
        self.offered.clear()
        if self.position.actor is None:
            self.ending = How.PLAYED, NOBODY

    def take_back(self, seats: Sequence[int]) -> None:
        length = self.length_after_undo(seats)
        assert length is not None
        del self.actors[length:], self.positions[length + 1 :]

    def turn_clock(self, now: int, undone: bool = False, refund: int = 0) -> None:
        """Charge the clock until now, and let that of the seat on turn run."""
        timed = self.turn >= 0 and self.sitters[self.turn] != BOT
        if self.clock:
            ends = self.ending is not None and self.ending[0] != How.PLAYED  # no turn was taken
            self.clock.pass_to(self.turn if timed else None, now, undone or ends, refund)

    def end(self, how: How, seat: int) -> None:
        self.ending = how, seat

    def sweep(self, now: int) -> bool:
        """End the match if a clock has run out; return whether it did so now."""
        if self.ending or self.clock is None or self.ends_at is None or now < self.ends_at:
            return False
        seat = self.clock.running
        assert seat is not None
        self.end(How.TIMED_OUT if self.clock.turns[seat] else How.ABORTED, seat)
        self.offer, self.acted_at[seat] = None, now
        self.turn_clock(now)
        return True

    def lose_server(self, since: int, now: int) -> bool:
        """Pass over a time in which the server could not be reached; return whether anything changes."""
        clock = self.clock
        if self.ending or clock is None or clock.running is None or clock.flag_at is None:
            return False
        lost = now - max(since, clock.begun)
        if now - since < MIN_OUTAGE_MS or not lost:
            return False
        if clock.control.live and lost > MAX_LIVE_OUTAGE_MS:
            self.end(How.ABORTED, NOBODY)
            self.offer = None
            self.turn_clock(now)
        else:
            self.acted_at = [now, now]
            self.turn_clock(now, refund=lost)
            clock.grace += max(0, RETURN_MS - (clock.budget - clock.used))
        return True
