"""Clocks are pure functions of the control, the events and the time now."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smallchange.server.table.model import clock
from smallchange.server.table.model.clock import (
    DAY_MS,
    PRESETS,
    SECOND_MS,
    BadTimeControl,
    Moment,
    TimeControl,
)

TIMED = (True, True)
controls = st.sampled_from(PRESETS)
gaps = st.one_of(st.integers(0, 90 * SECOND_MS), st.integers(0, 5 * DAY_MS))
pauses = st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)), max_size=5)


@st.composite
def matches(draw: st.DrawFn) -> list[Moment]:
    at, moments = draw(st.integers(0, 2 * 10**12)), []
    for turn, gap, undone in draw(st.lists(st.tuples(st.integers(-1, 1), gaps, st.booleans()), max_size=20)):
        at += gap
        moments.append(Moment(at, turn, undone))
    return moments


@given(controls, matches(), st.integers(0, 20))
def test_a_clock_replayed_in_two_parts_is_the_clock_replayed_whole(
    control: TimeControl, moments: list[Moment], cut: int
) -> None:
    begun = clock.replay(control, TIMED, moments[:cut])
    for moment in moments[cut:]:
        begun = begun.after(moment)
    assert begun == clock.replay(control, TIMED, moments)


@given(controls, matches(), gaps)
def test_no_bank_is_negative_and_none_grows_by_waiting(
    control: TimeControl, moments: list[Moment], gap: int
) -> None:
    now = clock.replay(control, TIMED, moments)
    at = now.since
    assert all(left >= 0 for left in now.remaining(at + gap))
    assert all(a <= b for a, b in zip(now.remaining(at + gap), now.remaining(at), strict=True))


@given(controls, matches(), pauses)
def test_the_flag_falls_at_the_deadline_and_not_before(
    control: TimeControl, moments: list[Moment], off: list[tuple[int, int]]
) -> None:
    now = clock.replay(control, TIMED, moments)
    now = now._replace(pauses=clock.merge_pauses((now.since + a, now.since + b) for a, b in off))
    if now.deadline is None:
        assert not now.is_expired(now.since + 100 * DAY_MS)
        return
    assert now.is_expired(now.deadline)
    assert not now.is_expired(now.deadline - 1) or now.deadline == now.since


@given(st.integers(0, 2 * 10**12), st.integers(0, 30 * DAY_MS), pauses, st.booleans())
def test_the_end_of_a_budget_is_the_inverse_of_the_time_that_passes(
    since: int, budget: int, off: list[tuple[int, int]], weekends: bool
) -> None:
    away = clock.merge_pauses((since + a, since + b) for a, b in off)
    end = clock.end_of(since, budget, away, weekends)
    assert clock.elapsed_ms(since, end, away, weekends) == budget


def test_a_live_turn_uses_the_bank_and_earns_the_increment() -> None:
    begun = clock.replay(clock.live(5, 3), TIMED, [Moment(0, 0), Moment(9_000, 1), Moment(12_000, 0)])
    assert begun.banks_ms == (300_000, 300_000)  # the first turn of each seat is free
    later = begun.after(Moment(22_000, 1))
    assert later.banks_ms == (293_000, 300_000)
    assert later.remaining(32_000) == (293_000, 290_000)


def test_a_correspondence_turn_uses_its_day_before_the_bank_and_the_bank_only_shrinks() -> None:
    control = clock.correspondence(1, 3)
    begun = clock.replay(control, TIMED, [Moment(0, 0), Moment(1, 1), Moment(2, 0)])
    quick = begun.after(Moment(2 + DAY_MS // 2, 1))
    assert quick.banks_ms[0] == 3 * DAY_MS
    slow = begun.after(Moment(2 + 2 * DAY_MS, 1))
    assert slow.banks_ms[0] == 2 * DAY_MS


def test_a_late_first_turn_aborts_the_match() -> None:
    begun = clock.replay(clock.live(5, 3), TIMED, [Moment(0, 0)])
    assert begun.first_turn
    assert begun.deadline == 60_000


def test_a_turn_taken_back_earns_no_second_increment() -> None:
    control = clock.live(5, 3)
    moments = [
        Moment(0, 0),
        Moment(0, 1),
        Moment(0, 0),
        Moment(0, 1),
        Moment(0, 0, undone=True),
        Moment(0, 1),
    ]
    assert clock.replay(control, TIMED, moments).banks_ms == (303_000, 300_000)


def test_a_bot_has_no_clock() -> None:
    begun = clock.replay(clock.live(5, 3), (True, False), [Moment(0, 0), Moment(5, 1)])
    assert begun.deadline is None


def test_time_stands_still_on_a_day_off() -> None:
    begun = clock.replay(clock.correspondence(1, 3), TIMED, [Moment(0, 0), Moment(0, 1), Moment(0, 0)])
    assert begun._replace(pauses=((0, 2 * DAY_MS),)).deadline == 6 * DAY_MS


@pytest.mark.parametrize("text", ["5", "0+3", "181+0", "5+181", "0d+3d", "15d+1d", "1d", "5+3w", "-1+3"])
def test_a_text_that_is_no_time_control_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadTimeControl, match="is no time control; expected MINUTES"):
        clock.read(text)


def test_what_stood_still_is_given_back_once_though_an_event_came_meanwhile() -> None:
    stood = [(10_000, 40_000)]
    offered = clock.replay(clock.live(5, 3), TIMED, [Moment(0, 0), Moment(30_000, 0)])
    assert offered.charged_in(stood, 45_000) == 30_000
    back = offered.after(Moment(45_000, 0, refund_ms=30_000))
    assert back.used_at(45_000) == 15_000
    assert back.charged_in(stood, 50_000) == 0
    assert back.charged_in([*stood, (46_000, 48_000)], 50_000) == 2_000
