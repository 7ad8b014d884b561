"""What the best bot makes of a match: every choice, the best move, what was given away, and luck."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import Game, IllegalMove, Match, Position, mind
from smallchange.fast.alphabeta import WIN
from smallchange.mind import _search, review
from smallchange.mind._alphabeta import SURE, odds_of
from smallchange.mind._ready import points
from smallchange.mind._solved import own_table
from smallchange.mind.review import TELLING, Account, Choice
from smallchange.mind.reviewed import caution, said
from smallchange.solve.exact import Exact

from ..contract.variants import variants

GAMES = smallchange.games()
SOLITAIRE = [id for id in GAMES if len(smallchange.game(id).seats) == 1]
TURNS = "coin-age"  # a game for two whose turns have several steps
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


@pytest.mark.parametrize("id", GAMES)
def test_a_choice_is_where_a_player_had_more_than_one_move(id: str) -> None:
    match = played(id, 1)
    several = []
    for at, step in enumerate(match):
        legal = match.until(at).position.legal()
        if step.actor != "chance" and len(legal) > 1:
            several.append(at)
    assert [at for at, _ in review.choices(match)] == several


@pytest.mark.parametrize("id", GAMES)
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


@pytest.mark.parametrize("id", GAMES)
def test_the_best_move_costs_nothing(id: str) -> None:
    match = played(id, 2)
    for choice in late(match):
        best = judged(match, choice.at, choice.best)
        assert (best.best, best.odds, best.better) == (choice.best, choice.better, choice.better)
        assert best.cost == 0


def test_a_move_that_is_not_possible_is_refused() -> None:
    match = played(GAMES[0], 0)
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


def test_a_sure_win_thrown_away_is_named() -> None:
    """The last step won; here its player does something else instead, whatever costs most."""
    found = 0
    for seed in range(6):
        match = played(TURNS, seed)
        last = match.until(len(match) - 1)
        won = (match.result or {})["winner"] == last.position.actor
        others = set(last.position.legal()) - {match.steps[-1].token}
        if won and "end" in others:
            choice = judged(match, len(last), "end")
            after = last.position.after(choice.best)
            assert choice.better == 1
            assert (after.result() or {})["winner"] == choice.player
            assert choice.odds is not None
            if choice.odds < 0.9:
                assert choice.cost == 1 - choice.odds
                found += 1
    assert found > 1


@pytest.mark.parametrize("seed", range(3))
def test_on_a_solved_board_the_odds_are_those_of_its_table(seed: int) -> None:
    game = smallchange.game("dodgem", size=3)
    table = own_table(game)
    assert table is not None
    match, luck = Match(game), Random(seed)
    while not match.over:
        match.play(luck.choice(match.position.legal()))
    for at, position in review.choices(match):
        worth = {token: SURE[value.outcome] for token, value in table.steps(position)}
        choice = judged(match, at)
        assert choice.exact
        assert (choice.odds, choice.better) == (worth[choice.token], max(worth.values()))
        assert worth[choice.best] == choice.better
    assert review.accounts(match, review.review(match))[0].promised == 0.5, "a draw, played perfectly"


def test_on_a_solved_board_a_hint_says_what_perfect_play_makes_of_it() -> None:
    game, told = smallchange.game("dodgem", size=3), {}
    table = own_table(game)
    assert table is not None
    for seed in range(3):
        match, luck = Match(game), Random(seed)
        while not match.over:
            match.play(luck.choice(match.position.legal()))
        for _, position in review.choices(match):
            hint = mind.hint(position, AMPLE, Random(1), AMPLE)
            assert hint is not None
            told[table.after(position, hint.token).outcome] = hint.says(position)
    assert {outcome: said.en.rpartition(" from there ")[2] for outcome, said in told.items()} == {
        "win": "it wins for certain.",
        "draw": "it draws for certain.",
        "loss": "it loses for certain.",
    }
    assert {outcome: said.ja.rpartition("必ず")[2] for outcome, said in told.items()} == {
        "win": "勝ちになります。",
        "draw": "引き分けになります。",
        "loss": "負けになります。",
    }


@pytest.mark.parametrize("id", GAMES)
def test_a_move_that_ends_the_match_is_worth_what_it_came_to(id: str) -> None:
    for seed in range(40):
        match = played(id, seed)
        at, _ = list(review.choices(match))[-1]
        if at == len(match) - 1:
            came = points(match.position, match.steps[at].actor)
            assert judged(match, at).odds == came
            return
    pytest.skip("chance has the last word")


@pytest.mark.parametrize("seed", range(4))
def test_a_win_that_is_seen_is_certain_and_so_is_its_loss(seed: int) -> None:
    match = played("dodgem", seed)
    winner, last = (match.result or {})["winner"], list(review.choices(match))
    own = [at for at, position in last if position.actor == winner][-1]
    assert judged(match, own).better == 1
    other = next(at for at, position in reversed(last) if position.actor != winner)
    assert judged(match, other).odds == 0


@settings(max_examples=50, deadline=None)
@given(values=st.lists(st.integers(-WIN, WIN), min_size=2))
def test_what_is_worth_more_has_better_odds_and_both_sides_have_all(values: list[int]) -> None:
    game = smallchange.game("dodgem")
    odds = [odds_of(game, value) for value in sorted(values)]
    assert odds == sorted(odds)
    assert [1 - share for share in odds] == pytest.approx([odds_of(game, -value) for value in sorted(values)])
    assert odds_of(game, WIN - 3) == 1


def test_play_outs_of_a_game_for_two_are_of_whoever_moves() -> None:
    """The last step won, whoever took it; what let the other take it is nearly lost."""
    winners = set()
    for seed in range(8):
        match = played("dodgem", seed)
        let, won = match.steps[-2:]
        if (match.result or {})["winner"] != won.actor or let.actor == won.actor:
            continue
        for back, step, low, high in ((1, won, 1.0, 1.0), (2, let, 0.0, 0.2)):
            position = match.until(len(match) - back).position
            found = _search.judge(position, step.token, AMPLE, Random(seed), mind.WAIT, most=300)
            assert found is not None
            assert low <= (found.odds or 0) <= high
        winners.add(won.actor)
    assert winners == {"red", "green"}


def test_the_order_of_a_turns_steps_costs_nothing() -> None:
    """The two best steps of a turn, the second first."""
    found = 0
    for seed in range(3):
        match = played(TURNS, seed)
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
    game = smallchange.game(GAMES[0])
    match = Match(game)
    match.steps = [smallchange.match.Step("player", token) for token in "ab"]
    found = steps(("a", 0.1, "x", 0.7), ("b", 0.05, "y", then))
    first, second = review.linked(match, found)
    assert first.cost == pytest.approx(cost)
    assert second.cost == found[1].cost
    match.steps.insert(1, smallchange.match.Step("chance", "c"))
    apart = [found[0], found[1]._replace(at=2)]
    assert review.linked(match, apart) == apart
    exact = [found[0]._replace(exact=True), found[1]]
    match.steps.pop(1)
    assert review.linked(match, exact) == exact, "no estimate is better known"


@pytest.mark.parametrize("id", GAMES)
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


@pytest.mark.parametrize("id", GAMES)
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
            assert "not played to its end" in said(account, match.game).en
    (account,) = review.accounts(match, found)
    assert account.result is not None


@given(
    promised=st.floats(0, 1),
    given=st.floats(0, 2),
    result=st.sampled_from([0.0, 0.5, 1.0]),
    id=st.sampled_from(GAMES),
)
def test_the_points_of_a_sentence_add_up(promised: float, given: float, result: float, id: str) -> None:
    game = smallchange.game(id)
    account = Account("player", promised, given, result, result - promised + given)
    for lang in "en", "ja":
        told = said(account, game)[lang]
        hundred, *points = [float(n) for n in re.findall(r"\d+(?:\.\d+)?(?:e-\d+)?", told)]
        expected, lost, rest, came = points
        took = "took" in told or "減った" in told
        assert hundred == 100
        assert expected - lost + (-rest if took else rest) == pytest.approx(came, abs=0.01)
        assert came == 100 * result
        assert ("other side" in told or "相手" in told) is (len(game.seats) == 2)
        assert (" luck" in told or "運" in told) is bool(game.sources)


def test_whose_odds_they_are_is_said_where_they_are_not_simply_the_best_bots() -> None:
    notes = {id: caution(smallchange.game(id)) for id in GAMES}
    told = {id: text.en for id, text in notes.items() if text}
    assert set(GAMES) - set(told) == set(SOLITAIRE)
    assert "against itself" in told["dodgem"]
    assert "more than 100 %" in told["coin-age"]


@pytest.mark.parametrize("id", SOLITAIRE)
def test_from_which_step_on_the_odds_are_exact_is_said(id: str) -> None:
    game = smallchange.game(id)
    found = steps(*[("a", 0.5, "b", 0.6)] * 4)
    assert caution(game, found) is None
    found[0] = found[0]._replace(exact=True)
    assert caution(game, found) is None, "what came after it was estimated"
    found[2:] = [choice._replace(exact=True) for choice in found[2:]]
    note = caution(game, found)
    assert note is not None
    assert "From step 3 on the odds are exact" in note.en
    assert "ステップ3から" in note.ja


@pytest.mark.parametrize("id", GAMES)
def test_odds_measured_with_other_options_are_not_said_without_a_word(id: str) -> None:
    """Those of alpha-beta search are by the board."""
    bot = mind.best(smallchange.game(id))
    measured = [{}, *(odds.options for odds in bot.odds)]
    warned = {True: 0, False: 0}
    for game in variants(id):
        note, rough = caution(game), bot.engine != "alphabeta" and game.chosen not in measured
        assert bool(note and "rough" in note.en) == rough
        if not warned[rough]:
            position = first_choice(game)
            hint = mind.hint(position, AMPLE, Random(1), AMPLE)
            assert hint is not None
            told = hint.says(position)
            assert ("about" in told.en, "約" in told.ja) == (rough, rough)
        warned[rough] += 1
    assert warned[False]
    assert bool(warned[True]) == (bot.engine != "alphabeta")


def first_choice(game: Game) -> Position:
    """Where a player first has a choice, whatever chance does."""
    position = game.start()
    while position.actor == "chance":
        position.take(position.chances()[0][0])
    return position


def test_there_is_no_hint_where_nothing_was_looked_at() -> None:
    position = first_choice(smallchange.game("solo"))
    assert mind.hint(position, seconds=1, wait=AMPLE) is not None
    assert mind.hint(position, seconds=0, wait=AMPLE) is None


def test_without_time_nothing_is_made_of_a_choice() -> None:
    for id in smallchange.games():
        match = played(id, 1)
        at, position = next(iter(review.choices(match)))
        found = review.judged(position, at, match.steps[at].token, seconds=0)
        assert found is None or 0 <= found.better <= 1
