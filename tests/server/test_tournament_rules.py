"""The kinds of tournaments: pairings, standings and next steps, as functions of entries and results alone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smallchange.server.daily.days import paired_games
from smallchange.server.tournaments.kinds import KINDS, kind_of, swiss
from smallchange.server.tournaments.kinds.duel import deal_results
from smallchange.server.tournaments.model import (
    DealGame,
    Entry,
    NextStep,
    Pairing,
    Phase,
    Standing,
    Tournament,
    TournamentHead,
    bye,
    scores,
)

RESULTS = ((2, 0), (1, 1), (0, 2))
MINUTE_MS = 60_000
patient = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
ratings = st.lists(st.integers(1000, 2000).map(float), min_size=2, max_size=14)


def tournament(kind: str, rated: list[float], phase: Phase = Phase.RUNNING, **terms: Any) -> Tournament:
    entries = [Entry(i, rating) for i, rating in enumerate(rated, 1)]
    return Tournament(TournamentHead(kind, phase=phase, **({"rounds": 5} | terms)), entries)


def standings(now: Tournament, at: int = 0) -> list[Standing]:
    return kind_of(now).standings(now, at)


def with_round(now: Tournament, new: list[Pairing] | None = None) -> Tournament:
    """Return a tournament with its next round."""
    return now._replace(pairings=[*now.pairings, *(new or kind_of(now).pair_round(now))])


def finish(now: Tournament, results: list[tuple[int, int]]) -> Tournament:
    """Give every match that goes on a result."""
    given = (
        one if one.points else one._replace(points=results[i % len(results)])
        for i, one in enumerate(now.pairings)
    )
    return now._replace(pairings=list(given))


@settings(patient, max_examples=25)
@given(st.lists(st.integers(1000, 2000).map(float), min_size=2, max_size=9), st.data())
def test_in_a_swiss_nobody_meets_anybody_twice_or_has_two_byes_whoever_comes_late_or_goes(
    rated: list[float], data: st.DataObject
) -> None:
    now = tournament("swiss", rated)
    barred = frozenset({1, 2}) if len(rated) > 6 else frozenset()
    now = now._replace(bars=frozenset([barred] if barred else []))
    for round in range(1, now.head.rounds + 1):
        asked = swiss.question(now)
        try:
            pairs = swiss.pair_numbers(asked)
        except swiss.CannotPair:
            assert len(now.active) <= round + 2 or now.bars or len(now.active) < len(now.entries)
            return
        assert pairs == swiss.pair_numbers(asked)
        new = swiss.pairings(now, pairs)
        assert sorted(number for pairing in new for number in pairing.entries) == sorted(
            entry.number for entry in now.active
        )
        now = finish(with_round(now, new), data.draw(st.lists(st.sampled_from(RESULTS), min_size=1)))
        met = Counter(frozenset(p.entries) for p in now.pairings)  # a bye is a meeting of one
        assert max(met.values()) == 1
        assert barred not in met
        if data.draw(st.booleans()) and kind_of(now).may_enter(now, 0):
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
    now = tournament("round-robin", rated)
    for _ in range(kind_of(now).round_count(now)):
        now = with_round(now)
        paired = [number for one in now.pairings if one.round == now.round for number in one.entries]
        assert len(paired) == len(set(paired)) >= len(rated) - 1
    met = sorted(tuple(sorted(pairing.entries)) for pairing in now.pairings)
    assert met == list(combinations(range(1, len(rated) + 1), 2))
    firsts = Counter(pairing.first for pairing in now.pairings)
    assert all(abs(2 * firsts[entry.number] - (len(rated) - 1)) <= 1 for entry in now.entries)


@patient
@given(ratings, st.data())
def test_in_an_arena_nobody_is_in_two_matches_or_meets_the_last_opponent_again_at_once(
    rated: list[float], data: st.DataObject
) -> None:
    now, last = tournament("arena", rated, minutes=1), dict[int, int]()
    for _ in range(6):
        new = kind_of(now).pair_round(now)
        assert new == kind_of(now).pair_round(now)
        for first, second in (pairing.entries for pairing in new):
            assert len(rated) == 2 or (last.get(first) != second and last.get(second) != first)
            last |= {first: second, second: first}
        now = now._replace(pairings=[*now.pairings, *new])
        playing = [pairing.entries for pairing in now.open_pairings]
        assert len({number for both in playing for number in both}) == 2 * len(playing)
        ended = data.draw(st.sets(st.sampled_from(playing))) if playing else set()
        result = data.draw(st.sampled_from(RESULTS))
        now = now._replace(
            pairings=[
                p._replace(points=result) if not p.points and p.entries in ended else p for p in now.pairings
            ]
        )


@patient
@given(ratings, st.lists(st.sampled_from(RESULTS), min_size=1), st.randoms())
def test_standings_follow_from_the_results_in_whatever_order_they_come(
    rated: list[float], results: list[tuple[int, int]], luck: Any
) -> None:
    now = finish(with_round(with_round(tournament("round-robin", rated))), results)
    rows = standings(now)
    assert rows == standings(now._replace(pairings=luck.sample(now.pairings, len(now.pairings))))
    assert [(-row.points, row.place) for row in rows] == sorted((-row.points, row.place) for row in rows)
    assert sum(row.points for row in rows) == 2 * len(now.pairings)


def test_buchholz_and_sonneborn_berger_are_those_of_the_handbook() -> None:
    rounds = [Pairing(1, 1, 2, (2, 0)), Pairing(1, 3, 4, (1, 1)), bye(1, 5)]
    rounds += [Pairing(2, 5, 1, (1, 1)), Pairing(2, 2, 3, (2, 0)), bye(2, 4)]
    now = tournament("swiss", [4.0, 3.0, 2.0, 1.0, 0.0])._replace(pairings=rounds)
    assert scores(now) == {1: 3, 2: 2, 3: 1, 4: 3, 5: 3}
    ties = {row.number: row.tie_breaks for row in standings(now)}
    assert ties[1] == (2 + 3, 2 * 2 + 1 * 3, 1)  # in half points, quarter points, matches
    assert ties[5] == (3 + 3, 2 * 3 + 1 * 3, 0)  # the bye adds one's own points
    assert [(row.number, row.place) for row in standings(now)] == [(5, 1), (1, 2), (4, 3), (2, 4), (3, 5)]


@pytest.mark.parametrize(
    ("kind", "ties"),
    [("swiss", (2 + 4, 2 * 2 + 2 * 4, 1)), ("round-robin", (2 * 2 + 2 * 1, 1)), ("arena", (1, 1))],
)
def test_a_win_over_somebody_who_did_not_come_is_no_played_game_to_the_tie_breaks(
    kind: str, ties: tuple[int, ...]
) -> None:
    """FIDE C.07: in a Swiss as if one had met oneself, in a round robin the opponent who was to come."""
    rounds = [Pairing(1, 1, 2, (2, 0)), Pairing(1, 3, 4, (1, 1))]
    rounds += [Pairing(2, 1, 4, (2, 0), walkover=True), Pairing(2, 2, 3, (2, 0))]
    now = tournament(kind, [4.0, 3.0, 2.0, 1.0])._replace(pairings=rounds)
    assert scores(now) == {1: 4, 2: 2, 3: 1, 4: 1}
    assert next(row.tie_breaks for row in standings(now) if row.number == 1) == ties


def test_who_has_withdrawn_from_a_round_robin_loses_without_a_match() -> None:
    now = tournament("round-robin", [2.0, 1.0])
    now = now._replace(entries=[now.entries[0], now.entries[1]._replace(withdrawn=True)])
    (pairing,) = kind_of(now).pair_round(now)
    assert (pairing.walkover, pairing.points_of(1), pairing.points_of(2)) == (True, 2, 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("phase", "entered", "at"), [("open", 3, 9), ("over", 3, 10), ("cancelled", 3, 10)])
def test_a_tournament_that_has_not_begun_or_is_over_waits(
    kind: str, phase: str, entered: int, at: int
) -> None:
    now = tournament(kind, [1500.0] * entered, Phase(phase), begins_at=10)
    assert kind_of(now).next_step(now, at) == NextStep.WAIT
    assert kind_of(now).may_enter(now, at) == (phase == "open")


@pytest.mark.parametrize("kind", KINDS)
def test_a_tournament_begins_at_its_time_if_two_have_entered(kind: str) -> None:
    now = tournament(kind, [1.0, 2.0], Phase.OPEN, begins_at=10, minutes=1)
    assert kind_of(now).next_step(now, 10) == NextStep.OPEN_ROUND
    assert kind_of(now).next_step(now._replace(entries=now.entries[:1]), 10) == NextStep.CANCEL


def test_a_round_waits_for_the_last_match_unless_all_rounds_begin_together() -> None:
    now = with_round(tournament("round-robin", [4.0, 3.0, 2.0]))
    kind, done = kind_of(now), finish(now, [(2, 0)])
    by_correspondence = now._replace(head=now.head._replace(control="1d+3d"))
    last = done._replace(pairings=[one._replace(round=3) for one in done.pairings])
    steps = [kind.next_step(one, 0) for one in (now, by_correspondence, done, last)]
    assert steps == [NextStep.WAIT, NextStep.OPEN_ROUND, NextStep.OPEN_ROUND, NextStep.END]


def test_an_arena_pairs_until_its_time_is_over_and_ends_with_its_last_match() -> None:
    now = tournament("arena", [4.0, 3.0, 2.0, 1.0], minutes=1)
    kind, paired = kind_of(now), with_round(now)
    moments = [(now, -1), (paired, -1), (paired, 0), (finish(paired, [(1, 1)]), 0)]
    steps = [kind.next_step(one, MINUTE_MS + at) for one, at in moments]
    assert steps == [NextStep.OPEN_ROUND, NextStep.WAIT, NextStep.WAIT, NextStep.END]
    assert not kind.may_enter(paired, MINUTE_MS)


def test_half_a_pair_counts_nothing_and_between_equal_points_the_margins_decide() -> None:
    games = [
        DealGame(entry, margin, seat=seat, points=2 - 2 * seat)
        for entry, margins in ((1, (3, -5)), (2, (4, -9)))
        for seat, margin in enumerate(margins)
    ]
    whole = tournament("duel", [1500.0] * 2, minutes=1, game=paired_games()[0])._replace(games=games)
    half, kind = whole._replace(games=games[:3]), kind_of(whole)
    steps = [kind.next_step(half, 5), kind.next_step(half, MINUTE_MS), kind.next_step(whole, 5)]
    assert steps == [NextStep.ANNOUNCE, NextStep.END, NextStep.END]
    assert [(one.entry, one.points) for one in deal_results(half.games, 2)] == [(1, 0)]
    assert [(one.entry, one.place, one.points) for one in deal_results(games, 2)] == [(1, 1, 2), (2, 2, 0)]


def test_a_win_without_an_opponent_is_no_played_game_to_the_pairing() -> None:
    """FIDE C.04.1: who has had one gets no bye, and the two may still meet."""
    rounds = [
        Pairing(1, 1, 3, (2, 0)),
        Pairing(1, 4, 2, (0, 2), walkover=True),
        bye(1, 5),
        Pairing(2, 5, 1, (0, 2)),
        Pairing(2, 2, 3, (0, 2)),
        bye(2, 4),
    ]
    now = tournament("swiss", [5.0, 4.0, 3.0, 2.0, 1.0])._replace(pairings=rounds)
    asked = swiss.question(now)
    assert [result for *_, result in asked.results[1]] == ["+", "0"]
    assert [result for *_, result in asked.results[3]] == ["-", "U"]
    pairs = {frozenset(pair) for pair in swiss.pair_numbers(asked)}
    assert pairs == {frozenset({1, 2}), frozenset({4, 5}), frozenset({3, 0})}


def test_a_match_to_which_neither_came_is_no_played_game_to_the_pairing() -> None:
    """The two may still meet, and it took nobody's bye or turn to begin."""
    rounds = [Pairing(1, 1, 3, (0, 0), walkover=True), Pairing(1, 4, 2, (0, 2), walkover=True)]
    now = tournament("swiss", [4.0, 3.0, 2.0, 1.0])._replace(pairings=rounds)
    asked = swiss.question(now)
    assert [one for (one,) in asked.results] == [(3, "w", "-"), (4, "b", "+"), (1, "b", "-"), (2, "w", "-")]
    barred = asked._replace(forbidden=((1, 2), (1, 4)))
    assert frozenset({1, 3}) in {frozenset(pair) for pair in swiss.pair_numbers(barred)}
    rows = {row.number: row for row in kind_of(now).standings(now, 0)}
    assert rows[1].points == rows[3].points == 0
