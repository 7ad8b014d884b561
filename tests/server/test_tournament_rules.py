"""The rules of tournaments: pairings, standings, and the next step, as functions of entries and results alone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smallchange.server.tournaments import arena, round_robin, swiss
from smallchange.server.tournaments.model import (
    ARENA,
    OPEN,
    OVER,
    ROUND_ROBIN,
    RUNNING,
    SWISS,
    Entry,
    Pairing,
    Rules,
    Tournament,
    bye,
)
from smallchange.server.tournaments.progress import NextStep, may_enter, next_step, round_count
from smallchange.server.tournaments.standings import scores, standings

RESULTS = ((2, 0), (1, 1), (0, 2))
patient = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
ratings = st.lists(st.integers(1000, 2000).map(float), min_size=2, max_size=14)


def tournament(kind: str, rated: list[float], rounds: int = 5, ends_at: int | None = None) -> Tournament:
    entries = [Entry(i, rating) for i, rating in enumerate(rated, 1)]
    return Tournament(Rules(kind, rounds, 0, ends_at), RUNNING, entries)


def finish(played: Tournament, data: st.DataObject) -> Tournament:
    """Give every match that goes on a result."""
    finished = [
        p if p.points else p._replace(points=data.draw(st.sampled_from(RESULTS))) for p in played.pairings
    ]
    return played._replace(pairings=finished)


@settings(patient, max_examples=25)
@given(st.lists(st.integers(1000, 2000).map(float), min_size=2, max_size=9), st.data())
def test_in_a_swiss_nobody_meets_anybody_twice_or_has_two_byes_whoever_comes_late_or_goes(
    rated: list[float], data: st.DataObject
) -> None:
    now = tournament(SWISS, rated)
    barred = frozenset({1, 2}) if len(rated) > 6 else frozenset()
    now = now._replace(bars=frozenset([barred] if barred else []))
    for round in range(1, now.rules.rounds + 1):
        asked = swiss.question(now)
        try:
            pairs = swiss.pair_numbers(asked)
        except swiss.CannotPair:
            assert len(now.active) <= round + 1 or now.bars or len(now.active) < len(now.entries)
            return
        assert pairs == swiss.pair_numbers(asked)
        new = swiss.pairings(now, pairs)
        paired = [number for pairing in new for number in pairing.entries]
        assert sorted(paired) == sorted(entry.number for entry in now.active)
        now = finish(now._replace(pairings=[*now.pairings, *new]), data)
        met = Counter(frozenset(p.entries) for p in now.pairings if p.second)
        assert not met or max(met.values()) == 1
        assert barred not in met
        byes = Counter(p.first for p in now.pairings if p.second is None)
        assert not byes or max(byes.values()) == 1
        if data.draw(st.booleans()) and may_enter(now, 0):
            late = Entry(len(now.entries) + 1, data.draw(st.integers(1000, 2000)) * 1.0)
            now = now._replace(entries=[*now.entries, late])
        if data.draw(st.integers(0, 3)) == 0 and len(now.active) > 2:
            gone = data.draw(st.sampled_from(now.active)).number
            now = now._replace(
                entries=[e._replace(withdrawn=e.withdrawn or e.number == gone) for e in now.entries]
            )


@given(ratings)
def test_in_a_round_robin_everybody_plays_everybody_once_and_has_each_seat_as_often(
    rated: list[float],
) -> None:
    now = tournament(ROUND_ROBIN, rated)
    rounds = [round_robin.pair_round(now, i) for i in range(1, round_count(now) + 1)]
    for pairings in rounds:
        paired = [number for pairing in pairings for number in pairing.entries]
        assert len(paired) == len(set(paired)) >= len(rated) - 1
    met = [frozenset(pairing.entries) for pairings in rounds for pairing in pairings]
    numbers = range(1, len(rated) + 1)
    assert sorted(map(sorted, met)) == sorted(map(sorted, combinations(numbers, 2)))
    firsts = Counter(pairing.first for pairings in rounds for pairing in pairings)
    assert all(abs(2 * firsts[number] - (len(rated) - 1)) <= 1 for number in numbers)


@patient
@given(ratings, st.data())
def test_in_an_arena_nobody_is_in_two_matches_or_meets_the_last_opponent_again_at_once(
    rated: list[float], data: st.DataObject
) -> None:
    now, last = tournament(ARENA, rated, ends_at=1), dict[int, int]()
    for _ in range(6):
        new = arena.pair_wave(now)
        assert new == arena.pair_wave(now)
        for first, second in (pairing.entries for pairing in new):
            assert len(rated) == 2 or (last.get(first) != second and last.get(second) != first)
            last |= {first: second, second: first}
        now = now._replace(pairings=[*now.pairings, *new])
        busy = Counter(number for pairing in now.open_pairings for number in pairing.entries)
        assert not busy or max(busy.values()) == 1
        ended = data.draw(
            st.sets(st.sampled_from([p.entries for p in now.open_pairings])) if busy else st.just(set())
        )
        result = data.draw(st.sampled_from(RESULTS))
        now = now._replace(
            pairings=[
                p._replace(points=result) if not p.points and p.entries in ended else p for p in now.pairings
            ]
        )


@patient
@given(ratings, st.data())
def test_standings_follow_from_the_results_in_whatever_order_they_come(
    rated: list[float], data: st.DataObject
) -> None:
    now = tournament(ROUND_ROBIN, rated)
    now = finish(
        now._replace(pairings=[*round_robin.pair_round(now, 1), *round_robin.pair_round(now, 2)]), data
    )
    rows = standings(now)
    assert rows == standings(now._replace(pairings=data.draw(st.permutations(now.pairings))))
    assert [(-row.points, row.place) for row in rows] == sorted((-row.points, row.place) for row in rows)
    assert sum(row.points for row in rows) == 2 * len(now.pairings)


def test_buchholz_and_sonneborn_berger_are_those_of_the_handbook() -> None:
    now = tournament(SWISS, [4.0, 3.0, 2.0, 1.0, 0.0])
    now = now._replace(
        pairings=[
            Pairing(1, 1, 2, (2, 0)),
            Pairing(1, 3, 4, (1, 1)),
            bye(1, 5),
            Pairing(2, 5, 1, (1, 1)),
            Pairing(2, 2, 3, (2, 0)),
            bye(2, 4),
        ]
    )
    assert scores(now) == {1: 3, 2: 2, 3: 1, 4: 3, 5: 3}
    first, *_ = (row for row in standings(now) if row.number == 1)
    assert first.tie_breaks == (2 + 3, 2 * 2 + 1 * 3, 1)  # in half points, quarter points, matches
    fifth, *_ = (row for row in standings(now) if row.number == 5)
    assert fifth.tie_breaks == (3 + 3, 2 * 3 + 1 * 3, 0)  # the bye adds one's own points
    assert [(row.number, row.place) for row in standings(now)] == [(5, 1), (1, 2), (4, 3), (2, 4), (3, 5)]


def test_who_has_withdrawn_from_a_round_robin_loses_without_a_match() -> None:
    now = tournament(ROUND_ROBIN, [2.0, 1.0])
    now = now._replace(entries=[now.entries[0], now.entries[1]._replace(withdrawn=True)])
    (pairing,) = round_robin.pair_round(now, 1)
    assert (pairing.walkover, pairing.points_of(1), pairing.points_of(2)) == (True, 2, 0)


@pytest.mark.parametrize(
    ("phase", "entered", "now", "step"),
    [
        (OPEN, 3, 9, NextStep.WAIT),
        (OPEN, 1, 10, NextStep.CANCEL),
        (OPEN, 3, 10, NextStep.OPEN_ROUND),
        (RUNNING, 3, 10, NextStep.OPEN_ROUND),
        (OVER, 3, 10, NextStep.WAIT),
    ],
)
def test_a_tournament_begins_at_its_time_if_two_have_entered(
    phase: str, entered: int, now: int, step: NextStep
) -> None:
    entries = [Entry(i, 1500.0) for i in range(1, entered + 1)]
    assert next_step(Tournament(Rules(SWISS, 3, 10), phase, entries), now) == step


def test_a_round_waits_for_the_last_match_unless_all_rounds_begin_together() -> None:
    now = tournament(ROUND_ROBIN, [4.0, 3.0, 2.0])
    now = now._replace(pairings=round_robin.pair_round(now, 1))
    assert next_step(now, 0) == NextStep.WAIT
    assert next_step(now._replace(rules=now.rules._replace(one_by_one=False)), 0) == NextStep.OPEN_ROUND
    done = [pairing._replace(points=(2, 0)) for pairing in now.pairings]
    assert next_step(now._replace(pairings=done), 0) == NextStep.OPEN_ROUND
    last = [pairing._replace(round=3) for pairing in done]
    assert next_step(now._replace(pairings=last), 0) == NextStep.END


def test_an_arena_pairs_until_its_time_is_over_and_ends_with_its_last_match() -> None:
    now = tournament(ARENA, [4.0, 3.0, 2.0, 1.0], ends_at=100)
    assert next_step(now, 99) == NextStep.OPEN_ROUND
    now = now._replace(pairings=arena.pair_wave(now))
    assert next_step(now, 99) == NextStep.WAIT
    assert next_step(now, 100) == NextStep.WAIT
    assert not may_enter(now, 100)
    assert (
        next_step(now._replace(pairings=[p._replace(points=(1, 1)) for p in now.pairings]), 100)
        == NextStep.END
    )
