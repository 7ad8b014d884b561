"""The time control of a match, and its clock: a pure function of it, of the events with their times, and the time now.

All times are milliseconds since 1970, UTC; all durations are milliseconds. A deadline that is stored in a row
is only a cache of `Clock.deadline`. The turns of bots take no time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS
DAY_MS = 24 * 60 * MINUTE_MS
MAX_LIVE_BANK_MIN = 180
MAX_INCREMENT_S = 180
MAX_DAYS = 14
BLITZ, RAPID, SLOW = SPEEDS = ("blitz", "rapid", "correspondence")  # stored
RATED_TURNS = 40  # of a side, by which the length of a live match is reckoned
MAX_BLITZ_MS = 8 * MINUTE_MS  # of a side, over so many turns
FIRST_TURN_LIVE_MS = MINUTE_MS  # a live match whose first turns take longer is aborted

EXPECTED = (
    f"MINUTES+SECONDS (5+3; 1 to {MAX_LIVE_BANK_MIN} minutes, 0 to {MAX_INCREMENT_S} seconds), or DAYSd+DAYSd "
    f"(1d+3d; 1 to {MAX_DAYS} days a turn, 0 to {MAX_DAYS} in hand; 1d+3dw pauses at weekends)"
)


TIME_PATTERN = "^([0-9]{1,3}[+][0-9]{1,3}|[0-9]{1,2}d[+][0-9]{1,2}dw?|)$"


class BadTimeControl(ValueError):
    """The text is no time control."""


class TimeControl(NamedTuple):
    """The time that each seat has, in milliseconds.

    A turn first uses its allowance, which does not carry over, then the bank. At the end of a turn the
    increment is added to the bank. A live control has no allowance; a correspondence control has no increment,
    so that its bank only shrinks. With `rests_at_weekends` no time passes on Saturdays and Sundays, UTC.
    """

    allowance_ms: int
    bank_ms: int
    increment_ms: int
    rests_at_weekends: bool = False

    @property
    def live(self) -> bool:
        """Return whether the match is played in one sitting."""
        return self.allowance_ms == 0

    @property
    def speed(self) -> str:
        """Return the speed under which ratings count: BLITZ, RAPID or SLOW.

        >>> [read(text).speed for text in ("5+3", "10+5", "1d+3d")]
        ['blitz', 'rapid', 'correspondence']
        """
        if not self.live:
            return SLOW
        return BLITZ if self.bank_ms + RATED_TURNS * self.increment_ms < MAX_BLITZ_MS else RAPID

    @property
    def first_turn_ms(self) -> int:
        """The time for the first turn of each seat, after which the match is aborted without a result."""
        return FIRST_TURN_LIVE_MS if self.live else self.allowance_ms + self.bank_ms

    def __str__(self) -> str:
        if self.live:
            return f"{self.bank_ms // MINUTE_MS}+{self.increment_ms // SECOND_MS}"
        weekends = "w" if self.rests_at_weekends else ""
        return f"{self.allowance_ms // DAY_MS}d+{self.bank_ms // DAY_MS}d{weekends}"


def live(minutes: int, seconds: int) -> TimeControl:
    """Return the live control with a bank in minutes and an increment in seconds."""
    return TimeControl(0, minutes * MINUTE_MS, seconds * SECOND_MS)


def correspondence(days: int, in_hand: int, rests_at_weekends: bool = False) -> TimeControl:
    """Return the correspondence control with this many days a turn, and this many in hand."""
    return TimeControl(days * DAY_MS, in_hand * DAY_MS, 0, rests_at_weekends)


PRESETS = (
    *(live(minutes, seconds) for minutes, seconds in ((1, 2), (3, 2), (5, 3), (10, 5), (20, 10))),
    correspondence(1, 3),
    correspondence(2, 4),
    correspondence(3, 7),
    correspondence(1, 3, rests_at_weekends=True),
)


def read(text: str) -> TimeControl | None:
    """Return the control that a text names; None for "". Raise BadTimeControl for any other text.

    >>> read("5+3") == live(5, 3), read("1d+3dw") == correspondence(1, 3, True), read("")
    (True, True, None)
    >>> all(read(str(control)) == control for control in PRESETS)
    True
    """
    if not text:
        return None
    if found := re.fullmatch(r"([0-9]{1,3})\+([0-9]{1,3})", text):
        minutes, seconds = int(found[1]), int(found[2])
        if 1 <= minutes <= MAX_LIVE_BANK_MIN and seconds <= MAX_INCREMENT_S:
            return live(minutes, seconds)
    elif found := re.fullmatch(r"([0-9]{1,2})d\+([0-9]{1,2})d(w?)", text):
        days, in_hand = int(found[1]), int(found[2])
        if 1 <= days <= MAX_DAYS and in_hand <= MAX_DAYS:
            return correspondence(days, in_hand, bool(found[3]))
    raise BadTimeControl(f"{text!r} is no time control; expected {EXPECTED}")


FIRST_SATURDAY_MS = 2 * DAY_MS  # 1970-01-03; 1970 began on a Thursday
WEEK_MS = 7 * DAY_MS
MIN_WARNING_MS = DAY_MS // 4

Stretch = tuple[int, int, int]  # of a turn: from, until the event that ends it, and how much that gives back
Pause = tuple[int, int]  # from a time until before a time: days off, or a server that was down


class Moment(NamedTuple):
    """The state of a match after an event.

    `turn` is the seat on turn, negative for nobody. If `undone`, the event took a turn back: that turn is
    taken once more, without an increment.
    `refund_ms` of the running turn are given back; it has `least_ms` left then at least. `off` is the seat that takes
    days off from now on, and the time when they end, which may be now.
    """

    at: int
    turn: int
    undone: bool = False
    refund_ms: int = 0
    least_ms: int = 0
    off: tuple[int, int] | None = None


class Clock(NamedTuple):
    """The clock after an event.

    `banks_ms` is by seat; `turns_taken` counts the finished turns of each seat. `running` is the seat whose
    time passes since `since`, or None. `used_ms` is the part of the running turn that was used before
    `since`, in the stretches between its events. `grace_ms` is for that turn alone. `off_until` is, by seat, the time
    when its days off end.
    """

    control: TimeControl
    timed: tuple[bool, ...]  # by seat: whether it has a clock, which bots have not
    banks_ms: tuple[int, ...]
    turns_taken: tuple[int, ...]
    running: int | None = None
    since: int = 0
    used_ms: int = 0
    stretches: tuple[Stretch, ...] = ()
    grace_ms: int = 0
    retaken: bool = False
    pauses: tuple[Pause, ...] = ()  # of the running seat, in order, without overlaps
    off_until: tuple[int, ...] = ()

    @property
    def first_turn(self) -> bool:
        """Return whether the running seat has not taken a turn yet. A late first turn aborts the match."""
        return self.running is not None and self.turns_taken[self.running] == 0

    @property
    def turn_number(self) -> int:
        """The number of the running turn: no other turn of the table has it."""
        return len(self.timed) * sum(self.turns_taken) + (self.running or 0)

    @property
    def budget_ms(self) -> int:
        """The time that the running seat had for its whole turn when the turn began."""
        assert self.running is not None
        if self.first_turn:
            return self.control.first_turn_ms + self.grace_ms
        return self.control.allowance_ms + self.banks_ms[self.running] + self.grace_ms

    @property
    def deadline(self) -> int | None:
        """The time at which the running seat has no time left; None if no clock runs."""
        if self.running is None:
            return None
        return end_of(self.since, self.budget_ms - self.used_ms, self.pauses, self.control.rests_at_weekends)

    @property
    def warning(self) -> int | None:
        """The time, outside days off, at which the running seat is warned by correspondence; None for never.

        A quarter of its time is left then, or MIN_WARNING_MS where that is more.
        """
        if self.running is None or self.control.live:
            return None
        until = self.budget_ms - max(self.budget_ms // 4, MIN_WARNING_MS)
        at = end_of(self.since, until - self.used_ms, self.pauses, self.control.rests_at_weekends)
        return next((end for start, end in self.pauses if start <= at < end), at)

    def used_at(self, now: int) -> int:
        """Return the time that the running turn has used until now."""
        if self.running is None or now <= self.since:
            return self.used_ms
        return self.used_ms + self._time_between(self.since, now)

    def remaining(self, now: int) -> tuple[int, ...]:
        """Return the time that each seat has left.

        For the running seat this is the time for its turn, for the others the time in their banks.
        """
        left = list(self.banks_ms)
        if self.running is not None:
            left[self.running] = max(0, self.budget_ms - self.used_at(now))
        return tuple(left)

    def is_expired(self, now: int, refund_ms: int = 0) -> bool:
        """Return whether the running seat has no time left, though so much is given back."""
        return self.running is not None and self.used_at(now) - refund_ms >= self.budget_ms

    def charged_in(self, pauses: Iterable[Pause], now: int) -> int:
        """Return the time that the running turn was charged with during these pauses until now, less refunds.

        An event does not say which of the time before it is given back, so this is the least that is still charged.
        """
        merged, most, charged = merge_pauses(pauses), 0, 0
        if self.running is None:
            return 0
        for began, until, given_ms in ((self.since, now, 0), *reversed(self.stretches)):
            charged += sum(self._time_between(max(began, a), min(until, b)) for a, b in merged) - given_ms
            most = max(most, charged)
        return most

    def _time_between(self, since: int, now: int) -> int:
        return elapsed_ms(since, now, self.pauses, self.control.rests_at_weekends)

    def after(self, moment: Moment) -> Clock:
        """Return the clock after an event."""
        used = max(0, self.used_at(moment.at) - moment.refund_ms)
        runs = moment.turn if moment.turn >= 0 and self.timed[moment.turn] else None
        at = max(self.since, moment.at)  # the time of another process may be behind
        if runs == self.running:
            stretches = () if runs is None else (*self.stretches, (self.since, at, moment.refund_ms))
            changed = self._replace(
                since=at, used_ms=used, stretches=stretches, retaken=self.retaken or moment.undone
            )
            if moment.least_ms and runs is not None:
                missing = max(0, moment.least_ms - (changed.budget_ms - used))
                changed = changed._replace(grace_ms=self.grace_ms + missing)
        else:
            changed = self._end_turn(used, moment.undone)._replace(
                running=runs,
                since=at,
                used_ms=0,
                stretches=(),
                grace_ms=0,
                retaken=moment.undone,
                pauses=self._pauses_of(runs, at),
            )
        return changed._with_days_off(at, *moment.off) if moment.off else changed

    def _end_turn(self, used: int, undone: bool) -> Clock:
        """Charge the running turn with the time used. A turn that was `undone` earns no increment."""
        if self.running is None:
            return self
        seat, banks, taken = self.running, list(self.banks_ms), list(self.turns_taken)
        if not self.first_turn:
            banks[seat] = max(0, banks[seat] - max(0, used - self.control.allowance_ms))
        if not undone:
            banks[seat] += 0 if self.first_turn or self.retaken else self.control.increment_ms
            taken[seat] += 1
        return self._replace(banks_ms=tuple(banks), turns_taken=tuple(taken))

    def _pauses_of(self, seat: int | None, at: int) -> tuple[Pause, ...]:
        """Return the days off that a seat still has when its turn begins."""
        until = self.off_until[seat] if seat is not None and self.off_until else 0
        return ((at, until),) if until > at else ()

    def _with_days_off(self, at: int, seat: int, until: int) -> Clock:
        """Return the clock with days off of a seat from `at` on. They take the place of those that go on."""
        off = list(self.off_until or (0,) * len(self.timed))
        off[seat] = until
        changed = self._replace(off_until=tuple(off))
        return changed._replace(pauses=changed._pauses_of(seat, at)) if seat == self.running else changed


def start(control: TimeControl, timed: Sequence[bool]) -> Clock:
    """Return the clock before the first event.

    `timed` says of each seat whether it has a clock.
    """
    n = len(timed)
    return Clock(control, tuple(timed), (control.bank_ms,) * n, (0,) * n)


def replay(control: TimeControl, timed: Sequence[bool], moments: Iterable[Moment]) -> Clock:
    """Return the clock after these moments."""
    clock = start(control, timed)
    for moment in moments:
        clock = clock.after(moment)
    return clock


def merge_pauses(pauses: Iterable[Pause]) -> tuple[Pause, ...]:
    """Return the pauses in order, with those that overlap or touch joined into one.

    >>> merge_pauses([(5, 9), (1, 3), (3, 4), (8, 12), (20, 20)])
    ((1, 4), (5, 12))
    """
    found: list[Pause] = []
    for start_at, end_at in sorted(pauses):
        if end_at <= start_at:
            continue
        if found and start_at <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end_at))
        else:
            found.append((start_at, end_at))
    return tuple(found)


def elapsed_ms(since: int, now: int, pauses: Sequence[Pause] = (), rests_at_weekends: bool = False) -> int:
    """Return the time that passes from `since` until `now` outside the pauses.

    >>> elapsed_ms(0, 100, [(10, 30), (90, 200)])
    70
    >>> elapsed_ms(0, WEEK_MS, rests_at_weekends=True) // DAY_MS
    5
    """
    if now <= since:
        return 0
    inside = [(max(since, a), min(now, b)) for a, b in pauses if a < now and b > since]
    passed = _workdays(since, now) if rests_at_weekends else now - since
    return passed - sum(_workdays(a, b) if rests_at_weekends else b - a for a, b in inside)


def end_of(since: int, budget: int, pauses: Sequence[Pause] = (), rests_at_weekends: bool = False) -> int:
    """Return the first time at which `budget` has passed since `since` outside the pauses.

    It is the inverse of `elapsed_ms`.

    >>> end_of(0, 70, [(10, 30), (90, 200)])
    90
    >>> end_of(0, 3 * DAY_MS, rests_at_weekends=True) // DAY_MS  # Thursday, Friday, Monday
    5
    """
    low, high = since, since + max(budget, 0)
    while elapsed_ms(since, high, pauses, rests_at_weekends) < budget:
        low, high = high, high + max(WEEK_MS, high - since)
    while high - low > 1:
        middle = (low + high) // 2
        if elapsed_ms(since, middle, pauses, rests_at_weekends) < budget:
            low = middle
        else:
            high = middle
    return high if budget > 0 else since


def _workdays(since: int, now: int) -> int:
    """Return the time from `since` until `now` that is not on a Saturday or Sunday, UTC."""
    return _work_since_start(now) - _work_since_start(since)


def _work_since_start(at: int) -> int:
    """Return the time outside weekends from the first Saturday of 1970 until `at`."""
    weeks, rest = divmod(at - FIRST_SATURDAY_MS, WEEK_MS)
    return weeks * 5 * DAY_MS + max(0, rest - 2 * DAY_MS)
