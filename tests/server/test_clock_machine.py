"""Any sequence of moves, take-backs, days off, outages and time-outs: the clock of a table follows from its events."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from smallchange.core.game import Game
from smallchange.server.table import command_events, new_tables
from smallchange.server.table.command_events import MAX_LAG_MS, Circumstances
from smallchange.server.table.commands import Answer, Command, Join, NewTable, Offer, PlayMove
from smallchange.server.table.events import DaysOff, Sit, TimeOut
from smallchange.server.table.history import History, SeatKind
from smallchange.server.table.time_control import DAY_MS, PRESETS, SECOND_MS
from smallchange.server.web.errors import ErrorCode, Refused

from .tables import LUCKY_PAIR, PAIR

HOLDERS = ("a" * 64, "b" * 64)
gaps = st.one_of(st.integers(0, 20 * SECOND_MS), st.integers(0, 400 * SECOND_MS), st.integers(0, 3 * DAY_MS))


class TableWithClock(RuleBasedStateMachine):
    """A table, as the process that plays it knows it."""

    @initialize(
        control=st.sampled_from(PRESETS),
        game=st.sampled_from([PAIR, LUCKY_PAIR]),
        gap=gaps,
        secret=st.binary(),
    )
    def open(self, control: object, game: str, gap: int, secret: bytes) -> None:
        self.now = 1_790_000_000_000
        order = NewTable(game, seats={Game(game).seats[0]: "me"}, time=str(control))
        drawn, _ = new_tables.new_table(order, HOLDERS[0], new_tables.random_id, self.now)
        head = replace(drawn.head, secret=secret, seal=sha256(secret).hexdigest())
        self.history = History(head, drawn.seats)
        self.now += gap
        number, seat = new_tables.take_seat(self.history, HOLDERS[1], Join())
        seats = tuple(seat if i == number else one for i, one in enumerate(self.history.seats))
        _, chance = new_tables.start(self.history.head, seats, self.now)
        self.history.append([Sit(number, self.now), *chance], seats)
        self.banks = self.history.clock

    def do(self, command: Command, lag_ms: int = 0) -> None:
        holder = HOLDERS[self.seat_of(command)]
        try:
            new = command_events.execute(self.history, holder, command, self.now, Circumstances(lag_ms))
        except Refused as refused:
            if refused.code != ErrorCode.OUT_OF_TIME:
                raise
            return
        self.history.append(new.events, after=new.after)

    def seat_of(self, command: Command) -> int:
        if isinstance(command, Answer):
            assert self.history.offer is not None
            return 1 - self.history.offer.seat
        return self.history.turn if isinstance(command, PlayMove) else 1 - self.history.turn

    def new_ids(self) -> tuple[str, int, str]:
        return self.history.head.id, self.history.ply, f"move-{self.history.ply:05}"

    @property
    def goes_on(self) -> bool:
        return self.history.ending is None

    @rule(gap=gaps)
    def wait(self, gap: int) -> None:
        self.now += gap

    @precondition(lambda self: self.goes_on)
    @rule(gap=st.integers(0, 40 * SECOND_MS), lag=st.integers(-5, 2 * MAX_LAG_MS), choice=st.integers(0, 99))
    def move(self, gap: int, lag: int, choice: int) -> None:
        self.now += gap
        legal = self.history.match.position.legal()
        self.do(PlayMove(*self.new_ids(), legal[choice % len(legal)]), lag)

    @precondition(lambda self: self.goes_on and "undo" in self.possible())
    @rule(gap=st.integers(0, 9 * SECOND_MS), yes=st.booleans())
    def take_back(self, gap: int, yes: bool) -> None:
        self.do(Offer(*self.new_ids(), "undo"))
        self.now += gap
        self.do(Answer(*self.new_ids(), yes))

    def possible(self) -> tuple[str, ...]:
        return command_events.possible_offers(self.history, (1 - self.history.turn,))

    @precondition(lambda self: self.goes_on)
    @rule(seat=st.integers(0, 1), days=st.integers(1, 9))
    def take_days_off(self, seat: int, days: int) -> None:
        self.history.append([DaysOff(seat, self.now, days=days)])

    @precondition(lambda self: self.goes_on)
    @rule(lost=gaps)
    def lose_the_server(self, lost: int) -> None:
        self.now += lost
        since = max(self.now - lost, self.history.events[-1].at)
        event = command_events.outage_event(self.history, since, self.now, f"outage-{self.history.ply}")
        if event is not None:
            before = self.history.clock
            self.history.append([event])
            assert before is not None
            assert self.history.clock is not None
            if self.goes_on:
                assert all(
                    a >= b
                    for a, b in zip(
                        self.history.clock.remaining(self.now), before.remaining(self.now), strict=True
                    )
                )

    @precondition(lambda self: self.goes_on)
    @rule()
    def sweep(self) -> None:
        clock = self.history.clock
        assert clock is not None
        event = command_events.time_out(self.history, self.now)
        due = command_events.deadline(clock)
        assert (event is not None) == (due is not None and self.now >= due)
        if event is not None:
            self.history.append([event])
            assert not self.goes_on
            assert command_events.time_out(self.history, self.now + DAY_MS) is None, "twice"

    @invariant()
    def nobody_has_less_than_nothing(self) -> None:
        clock = self.history.clock
        assert clock is not None
        assert all(ms >= 0 for ms in (*clock.banks_ms, *clock.remaining(self.now)))
        assert clock.running is None or self.history.seats[clock.running].kind == SeatKind.PERSON
        assert self.goes_on or clock.running is None

    @invariant()
    def the_clock_is_the_same_when_the_table_is_read_anew(self) -> None:
        read = History(self.history.head, self.history.seats)
        read.append(self.history.events)
        assert read.clock == self.history.clock
        assert read.ending == self.history.ending
        half = History(self.history.head, self.history.seats)
        cut = len(self.history.events) // 2
        half.append(self.history.events[:cut])
        half.append(self.history.events[cut:])
        assert half.clock == read.clock

    @invariant()
    def a_time_out_comes_last(self) -> None:
        assert all(not isinstance(event, TimeOut) for event in self.history.events[:-1])


TableWithClock.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
TestTableWithClock = TableWithClock.TestCase
