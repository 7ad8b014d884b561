"""What the best bot makes of a match: every choice, the best move, what was given away, and luck."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import IllegalMove, Match, mind
from smallchange.mind import review
from smallchange.mind.review import TELLING, Account, Choice
from smallchange.mind.reviewed import caution, said
from smallchange.solve.exact import Exact

REVIEWED = [id for id in smallchange.games() if review.possible(smallchange.game(id))]
TWO = [id for id in REVIEWED if len(smallchange.game(id).seats) == 2]
AMPLE = 60.0  # seconds a choice: no clock
LATE = 4  # choices of a match that are judged


@cache
def played(id: str, seed: int) -> Match:
    """A whole match by the rule of thumb."""
    match = Match(smallchange.game(id), Random(f"{id} {seed}").randbytes(16))
    play = mind.bot("greedy", luck=Random(seed))
    while not match.over:
        if not match.settle():
            match.play(play(match.position))
    return match


def judged(match: Match, at: int, token: str | None = None) -> Choice:
    """A choice by itself; of another move, where one is given."""
    position = match.until(at).position
    found = review.judged(position, at, token or match.steps[at].token, AMPLE, wait=mind.WAIT)
    assert found is not None
    return found


def late(match: Match) -> list[Choice]:
    """The last choices of a match."""
    return [judged(match, at) for at, _ in list(review.choices(match))[-LATE:]]


def test_games_without_odds_are_not_reviewed() -> None:
    others = [id for id in smallchange.games() if id not in REVIEWED]
    assert REVIEWED
    for id in others:
        match = played(id, 0)
        with pytest.raises(ValueError, match=f"best bot of {id} does not say what the odds are"):
            review.review(match)


@pytest.mark.parametrize("id", REVIEWED)
def test_a_choice_is_where_a_player_had_more_than_one_move(id: str) -> None:
    match = played(id, 1)
    several = []
    for at, step in enumerate(match):
        legal = match.until(at).position.legal()
        if step.actor != "chance" and len(legal) > 1:
            several.append(at)
    assert [at for at, _ in review.choices(match)] == several


@pytest.mark.parametrize("id", REVIEWED)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 20))
def test_the_best_move_is_possible_and_nothing_is_better(id: str, seed: int) -> None:
    match = played(id, seed)
    found = late(match)
    for choice in (*found, *review.linked(match, found)):
        legal = match.until(choice.at).position.legal()
        assert {choice.token, choice.best} <= set(legal)
        assert (choice.player, choice.token) == match.steps[choice.at]
        assert 0 <= (choice.odds or 0) <= choice.better <= 1
        assert 0 <= choice.cost <= choice.better
        if choice.token == choice.best:
            assert choice.cost == 0


@pytest.mark.parametrize("id", REVIEWED)
def test_the_best_move_costs_nothing(id: str) -> None:
    match = played(id, 2)
    for choice in late(match):
        best = judged(match, choice.at, choice.best)
        assert (best.best, best.odds, best.better) == (choice.best, choice.better, choice.better)
        assert best.cost == 0


def test_a_move_that_is_not_possible_is_refused() -> None:
    match = played(REVIEWED[0], 0)
    at, position = next(review.choices(match))
    chance = next(step.token for step in match if step.actor == "chance")
    with pytest.raises(IllegalMove):
        review.judged(position, at, chance, AMPLE, wait=mind.WAIT)


@pytest.mark.parametrize(
    ("id", "seed", "backs", "near"),
    [
        ("coin-collectors", 6, (8, 14, 19), 0.001),
        ("coin-collectors", 11, (5, 10), 0.001),
        ("thrag", 6, (2, 4, 9), 0.15),
    ],
)
def test_what_a_move_gives_away_late_is_what_it_gives_away_exactly(
    id: str, seed: int, backs: tuple[int, ...], near: float
) -> None:
    match = played(id, seed)
    exact = Exact(match.game)
    for back in backs:
        worths = exact.moves(match.until(len(match) - back).position)
        better = max(worth for _, worth in worths)
        assert 0 < better < 1
        for token, worth in worths:
            choice = judged(match, len(match) - back, token)
            assert choice.odds is not None
            assert choice.better - choice.odds == pytest.approx(float(better - worth), abs=near)


@pytest.mark.parametrize("id", TWO)
def test_a_sure_win_thrown_away_is_named(id: str) -> None:
    """The last step won; here its player does something else instead, whatever costs most."""
    found = 0
    for seed in range(6):
        match = played(id, seed)
        last = match.until(len(match) - 1)
        won = (match.result or {})["winner"] == last.position.actor
        others = set(last.position.legal()) - {match.steps[-1].token}
        if won and "end" in others:
            choice = judged(match, len(last), "end")
            after = last.position.copy()
            after.take(choice.best)
            assert choice.better == 1
            assert (after.result() or {})["winner"] == choice.player
            assert choice.odds is not None
            if choice.odds < 0.9:
                assert choice.cost == 1 - choice.odds
                found += 1
    assert found > 1


@pytest.mark.parametrize("id", TWO)
def test_the_order_of_a_turns_steps_costs_nothing(id: str) -> None:
    """The two best steps of a turn, the second first."""
    found = 0
    for seed in range(3):
        match = played(id, seed)
        for at, position in list(review.choices(match))[-14:]:
            first = judged(match, at).best
            turn = match.until(at)
            turn.play(first)
            if turn.position.actor != position.actor or len(turn.position.legal()) < 2:
                continue
            second = judged(turn, at + 1, turn.position.legal()[0]).best
            swapped = match.until(at)
            if second == "end" or second not in position.legal():
                continue
            swapped.play(second)
            if first not in swapped.position.legal():
                continue
            swapped.play(first)
            known = [judged(swapped, i) for i, _ in review.choices(swapped) if i >= at]
            alone, together = known[0].cost, review.linked(swapped, known)[0].cost
            turn.play(second)
            if len(known) == 2 and alone > 3 * TELLING and turn.position == swapped.position:
                assert known[1].cost > 0 or together == 0, (seed, at)
                found += 1
    assert found > 5


def steps(*odds: tuple[str, float | None, str, float]) -> list[Choice]:
    return [Choice(at, "player", token, o, best, better) for at, (token, o, best, better) in enumerate(odds)]


@pytest.mark.parametrize(
    ("then", "cost"),
    [
        (0.68, 0),  # the turn goes on to what is as good as the best
        (0.5, 0.2),  # .. to what is better than was known, but not as good
        (0.1, 0.6),  # nothing that comes after makes it better
    ],
)
def test_a_step_is_as_good_as_what_its_player_can_still_make_of_it(then: float, cost: float) -> None:
    game = smallchange.game(REVIEWED[0])
    match = Match(game)
    match.steps = [smallchange.match.Step("player", token) for token in "ab"]
    found = steps(("a", 0.1, "x", 0.7), ("b", 0.05, "y", then))
    first, second = review.linked(match, found)
    assert first.cost == pytest.approx(cost)
    assert second.cost == found[1].cost
    match.steps.insert(1, smallchange.match.Step("chance", "c"))
    apart = [found[0], found[1]._replace(at=2)]
    assert review.linked(match, apart) == apart


@pytest.mark.parametrize("id", REVIEWED)
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 20), odds=st.data())
def test_an_account_adds_up_to_the_result(id: str, seed: int, odds: st.DataObject) -> None:
    match = played(id, seed)
    share = st.floats(0, 1)
    found = []
    for at, position in review.choices(match):
        low, high = sorted((odds.draw(share), odds.draw(share)))
        found.append(Choice(at, position.actor or "", match.steps[at].token, low, "other", high))
    accounts = review.accounts(match, found)
    assert {account.player for account in accounts} == {choice.player for choice in found}
    for account in accounts:
        assert account.result in (0, 0.5, 1)
        assert account.rest is not None
        assert account.promised - account.given + account.rest == pytest.approx(account.result)
    if len(accounts) == 2:
        assert sum(account.result or 0 for account in accounts) == 1


@pytest.mark.parametrize("id", REVIEWED)
def test_a_match_that_the_rules_did_not_end_has_no_result(id: str) -> None:
    match = played(id, 0)
    at = list(review.choices(match))[-1][0]
    running = match.until(at + 1)
    found = [judged(match, at)]
    resigned = match.until(at + 1)
    if not resigned.over:
        resigned.end("resigned", found[0].player)
        for broken_off in (running, resigned):
            (account,) = review.accounts(broken_off, found)
            assert (account.result, account.rest) == (None, None)
            assert "not played to its end" in said(account, 1).en
    (account,) = review.accounts(match, found)
    assert account.result is not None


@given(
    promised=st.floats(0, 1),
    given=st.floats(0, 2),
    result=st.sampled_from([0.0, 0.5, 1.0]),
    seats=st.sampled_from([1, 2]),
)
def test_the_points_of_a_sentence_add_up(promised: float, given: float, result: float, seats: int) -> None:
    account = Account("player", promised, given, result, result - promised + given)
    for lang in "en", "ja":
        told = said(account, seats)[lang]
        hundred, *points = [float(n) for n in re.findall(r"\d+(?:\.\d+)?(?:e-\d+)?", told)]
        expected, lost, rest, came = points
        took = "took" in told or "減った" in told
        assert hundred == 100
        assert expected - lost + (-rest if took else rest) == pytest.approx(came, abs=0.01)
        assert came == 100 * result
        assert ("other side" in told or "相手" in told) is (seats == 2)


def test_odds_of_quick_play_are_called_too_low() -> None:
    for id in REVIEWED:
        game = smallchange.game(id)
        careful = caution(game)
        assert (careful is not None) is (mind.best(game).engine == "search")
