"""The clock of a table as plain data for one viewer, and times in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from smallchange.i18n.formats import clock_digits
from smallchange.i18n.text import Text, plain
from smallchange.server.table.model import command_events
from smallchange.server.table.model.events import Extend
from smallchange.server.table.model.history import History
from smallchange.server.table.model.time_control import DAY_MS, MINUTE_MS, PRESETS, SECOND_MS, TimeControl
from smallchange.server.web import phrases as p

HOUR_MS = 60 * MINUTE_MS
USUAL_TIME = str(PRESETS[2])  # chosen on forms


class ClockView(NamedTuple):
    """The clock of a table as one viewer sees it at a time.

    `left_ms` is by seat, None for a bot. `running` is the seat on turn whose time passes until `deadline`, or None.
    `off_until` is, by seat, the time when its days off end, 0 for none. `abort`: may this viewer end the match
    without a result? `claim_at` is the time from which the viewer may claim it from the other player, who is away,
    or None. `given_back_ms` was given back by the last event, after the server could not be reached.
    """

    control: TimeControl
    at: int
    left_ms: tuple[int | None, ...]
    running: int | None
    deadline: int | None
    off_until: tuple[int, ...]
    abort: bool
    claim_at: int | None
    given_back_ms: int


def clock_view(
    history: History, held: tuple[int, ...], now: int, away_since: Mapping[int, int]
) -> ClockView | None:
    """Return the clock as the holder of these seats sees it now; None for a table without one."""
    clock = history.clock
    if clock is None:
        return None
    left: list[int | None] = list(clock.remaining(now))
    if clock.running is not None and clock.deadline is not None:
        left[clock.running] = max(0, clock.deadline - now)
    last = history.events[-1] if history.events else None
    return ClockView(
        clock.control,
        now,
        tuple(ms if on else None for ms, on in zip(left, clock.timed, strict=True)),
        clock.running,
        clock.deadline,
        tuple(until if until > now else 0 for until in clock.off_until),
        command_events.may_abort(history, held),
        command_events.claim_time(history, held, away_since),
        last.ms if isinstance(last, Extend) else 0,
    )


def control_text(control: TimeControl) -> Text:
    """Describe a time control."""
    if control.live:
        minutes, seconds = control.bank_ms // MINUTE_MS, control.increment_ms // SECOND_MS
        return p.LIVE_CONTROL.fill(minutes=minutes, seconds=seconds)
    days, in_hand = control.allowance_ms // DAY_MS, control.bank_ms // DAY_MS
    text = p.SLOW_CONTROL.fill(n=days, in_hand=in_hand)
    return p.WITH_WEEKENDS.fill(control=text) if control.rests_at_weekends else text


def turn_text(history: History, now: int) -> Text:
    """Say that it is the reader's turn; by correspondence, with the time that is left.

    It is given in minutes, so that a list does not change all the time.
    """
    clock = history.clock
    if clock is None or clock.control.live or clock.deadline is None:
        return p.YOUR_TURN
    left = max(0, clock.deadline - now)
    short = p.HOURS_AND_MINUTES.fill(hours=left // HOUR_MS, minutes=left % HOUR_MS // MINUTE_MS)
    return p.YOUR_TURN_FOR.fill(time=duration_text(left) if left >= DAY_MS else short)


def duration_text(ms: int) -> Text:
    """Return a time that is left, as a digital clock or in days and hours.

    >>> [duration_text(ms).en for ms in (0, 9_400, 303_000, 3_723_000, 100_000_000)]
    ['0:00', '0:10', '5:03', '1:02:03', '1 d 3 h']
    """
    if ms >= DAY_MS:
        return p.DAYS_AND_HOURS.fill(days=ms // DAY_MS, hours=ms % DAY_MS // HOUR_MS)
    return plain(clock_digits(ms))
