"""The best bot's review of a match: every choice, the best move, its cost, and luck."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import IllegalMove, Match, bots
from smallchange.bots import review
from smallchange.bots.engines import mcts as _search
from smallchange.bots.engines.alphabeta import OUTCOME_ODDS, value_to_odds
from smallchange.bots.engines.evaluation import outcome_points
from smallchange.bots.engines.tablebase import make_small_table
from smallchange.bots.review import MIN_COST, Account, Choice
from smallchange.bots.review_account import game_accuracy, whole_points
from smallchange.bots.review_text import account_terms, account_text, caveats, sum_text
from smallchange.contract.variants import variants
from smallchange.core.match import first_choice
from smallchange.core.variants import without_idle_options
from smallchange.engine.kernels.alphabeta import WIN
from smallchange.tablebase.exact import Exact
from tests.support.matches import greedy_match

GAMES = smallchange.games()
SOLITAIRE = [id for id in GAMES if len(smallchange.game(id).seats) == 1]
TURNS = "coin-age"  # a game for two whose turns have several steps
AMPLE = 600.0  # seconds a choice: no clock decides, however busy the machine is
LATE = 4  # choices of a match that are judged


def review_choice(match: Match, at: int, token: str | None = None) -> Choice:
    """Return a choice by itself; of another move, where one is given."""
    position = match.until(at).position
    token = token or match.steps[at].token
    found = review.evaluate_choice(position, at, token, AMPLE, wait=bots.COMPILE_TIMEOUT_S)
    assert found is not None
    return found


def late(match: Match) -> list[Choice]:
    """Return the last choices of a match."""
    return [review_choice(match, at) for at, _ in list(review.choices(match))[-LATE:]]


@pytest.mark.parametrize("id", GAMES)
def test_a_choice_is_where_a_player_had_more_than_one_move(id: str) -> None:
    match = greedy_match(id, 1)
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
    match = greedy_match(id, seed)
    found = late(match)
    for choice in (*found, *review.link_choices(match, found)):
        legal = match.until(choice.at).position.legal()
        assert {choice.token, choice.best} <= set(legal)
        assert (choice.player, choice.token) == match.steps[choice.at]
        assert 0 <= (choice.chance or 0) <= choice.better <= 1
        assert 0 <= choice.cost <= choice.better
        if choice.token == choice.best:
            assert choice.cost == 0


@pytest.mark.parametrize("id", GAMES)
def test_the_best_move_costs_nothing(id: str) -> None:
    match = greedy_match(id, 2)
    for choice in late(match):
        best = review_choice(match, choice.at, choice.best)
        assert (best.best, best.chance, best.better) == (choice.best, choice.better, choice.better)
        assert best.cost == 0


def test_a_move_that_is_not_possible_is_refused() -> None:
    match = greedy_match(GAMES[0], 0)
    at, position = next(review.choices(match))
    chance = next(step.token for step in match if step.actor == "chance")
    with pytest.raises(IllegalMove):
        review.evaluate_choice(position, at, chance, AMPLE, wait=bots.COMPILE_TIMEOUT_S)


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
    match = greedy_match(id, seed)
    exact = Exact(match.game)
    for back in backs:
        worths = exact.moves(match.until(len(match) - back).position)
        better = max(worth for _, worth in worths)
        assert 0 < better < 1
        for token, worth in worths:
            choice = review_choice(match, len(match) - back, token)
            assert choice.chance is not None
            assert choice.better - choice.chance == pytest.approx(float(better - worth), abs=near)


def test_a_sure_win_thrown_away_is_named() -> None:
    """The last step won; here its player does something else instead, whatever costs most."""
    found = 0
    for seed in range(6):
        match = greedy_match(TURNS, seed)
        last = match.until(len(match) - 1)
        won = (match.result or {})["winner"] == last.position.actor
        others = set(last.position.legal()) - {match.steps[-1].token}
        if won and "end" in others:
            choice = review_choice(match, len(last), "end")
            after = last.position.played(choice.best)
            assert choice.better == 1
            assert (after.result or {})["winner"] == choice.player
            assert choice.chance is not None
            if choice.chance < 0.9:
                assert choice.cost == 1 - choice.chance
                found += 1
    assert found > 1


@pytest.mark.parametrize("seed", range(3))
def test_on_a_solved_board_the_odds_are_those_of_its_table(seed: int) -> None:
    game = smallchange.game("dodgem", size=3)
    table = make_small_table(game)
    assert table is not None
    match, luck = Match(game), Random(seed)
    while not match.over:
        match.play(luck.choice(match.position.legal()))
    for at, position in review.choices(match):
        worth = {token: OUTCOME_ODDS[value.outcome] for token, value in table.steps(position)}
        choice = review_choice(match, at)
        assert choice.exact
        assert (choice.chance, choice.better) == (worth[choice.token], max(worth.values()))
        assert worth[choice.best] == choice.better
    assert review.accounts(match, review.review(match))[0].promised == 0.5, "a draw, played perfectly"


def test_on_a_solved_board_a_hint_says_what_perfect_play_makes_of_it() -> None:
    game, told = smallchange.game("dodgem", size=3), {}
    table = make_small_table(game)
    assert table is not None
    for seed in range(3):
        match, luck = Match(game), Random(seed)
        while not match.over:
            match.play(luck.choice(match.position.legal()))
        for _, position in review.choices(match):
            hint = bots.hint(position, AMPLE, Random(1), AMPLE)
            assert hint is not None
            told[table.after(position, hint.token).outcome] = hint.describe(position)
    assert {outcome: said.en.rpartition(", ")[2] for outcome, said in told.items()} == {
        "win": "this move wins for certain.",
        "draw": "this move draws for certain.",
        "loss": "this move loses for certain.",
    }
    assert {outcome: said["ja"].rpartition("必ず")[2] for outcome, said in told.items()} == {
        "win": "勝ちになります。",
        "draw": "引き分けになります。",
        "loss": "負けになります。",
    }


@pytest.mark.parametrize("id", GAMES)
def test_a_move_that_ends_the_match_is_worth_what_it_came_to(id: str) -> None:
    for seed in range(40):
        match = greedy_match(id, seed)
        at, _ = list(review.choices(match))[-1]
        if at == len(match) - 1:
            came = outcome_points(match.position, match.steps[at].actor)
            assert review_choice(match, at).chance == came
            return
    pytest.skip("chance has the last word")


@pytest.mark.parametrize("seed", range(4))
def test_a_win_that_is_seen_is_certain_and_so_is_its_loss(seed: int) -> None:
    match = greedy_match("dodgem", seed)
    winner, last = (match.result or {})["winner"], list(review.choices(match))
    own = [at for at, position in last if position.actor == winner][-1]
    assert review_choice(match, own).better == 1
    other = next(at for at, position in reversed(last) if position.actor != winner)
    assert review_choice(match, other).chance == 0


@settings(max_examples=50, deadline=None)
@given(values=st.lists(st.integers(-WIN, WIN), min_size=2))
def test_what_is_worth_more_has_better_odds_and_both_sides_have_all(values: list[int]) -> None:
    game = smallchange.game("dodgem")
    odds = [value_to_odds(game, value) for value in sorted(values)]
    assert odds == sorted(odds)
    opposite = [value_to_odds(game, -value) for value in sorted(values)]
    assert [1 - share for share in odds] == pytest.approx(opposite)
    assert value_to_odds(game, WIN - 3) == 1


def test_play_outs_of_a_game_for_two_are_of_whoever_moves() -> None:
    """The last step won, whoever took it; what let the other take it is nearly lost."""
    winners = set()
    for seed in range(8):
        match = greedy_match("dodgem", seed)
        let, won = match.steps[-2:]
        if (match.result or {})["winner"] != won.actor or let.actor == won.actor:
            continue
        for back, step, low, high in ((1, won, 1.0, 1.0), (2, let, 0.0, 0.2)):
            position = match.until(len(match) - back).position
            found = _search.evaluate_move(
                position, step.token, AMPLE, Random(seed), bots.COMPILE_TIMEOUT_S, simulations=300
            )
            assert found is not None
            assert low <= (found.chance or 0) <= high
        winners.add(won.actor)
    assert winners == {"red", "green"}


def test_the_order_of_a_turns_steps_costs_nothing() -> None:
    """The two best steps of a turn, the second first."""
    found = 0
    for seed in range(3):
        match = greedy_match(TURNS, seed)
        for at, position in list(review.choices(match))[-14:]:
            first = review_choice(match, at).best
            turn = match.until(at)
            turn.play(first)
            if turn.position.actor != position.actor or len(turn.position.legal()) < 2:
                continue
            second = review_choice(turn, at + 1, turn.position.legal()[0]).best
            swapped = match.until(at)
            if second == "end" or second not in position.legal():
                continue
            swapped.play(second)
            if first not in swapped.position.legal():
                continue
            swapped.play(first)
            known = [review_choice(swapped, i) for i, _ in review.choices(swapped) if i >= at]
            alone, together = known[0].cost, review.link_choices(swapped, known)[0].cost
            turn.play(second)
            if len(known) == 2 and alone > 3 * MIN_COST and turn.position == swapped.position:
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
    match.steps = [smallchange.Step("player", token) for token in "ab"]
    found = steps(("a", 0.1, "x", 0.7), ("b", 0.05, "y", then))
    first, second = review.link_choices(match, found)
    assert first.cost == pytest.approx(cost)
    assert second.cost == found[1].cost
    match.steps.insert(1, smallchange.Step("chance", "c"))
    apart = [found[0], found[1]._replace(at=2)]
    assert review.link_choices(match, apart) == apart
    exact = [found[0]._replace(exact=True), found[1]]
    match.steps.pop(1)
    assert review.link_choices(match, exact) == exact, "no estimate is better known"


@pytest.mark.parametrize("id", GAMES)
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 20), odds=st.data())
def test_start_luck_choices_and_doubt_add_up_to_the_result(id: str, seed: int, odds: st.DataObject) -> None:
    match = greedy_match(id, seed)
    share = st.floats(0, 1)
    found = []
    for at, position in review.choices(match):
        low, high = sorted((odds.draw(share), odds.draw(share)))
        found.append(Choice(at, position.actor or "", match.steps[at].token, low, "other", high))
    accounts = review.accounts(match, found)
    assert {account.player for account in accounts} == {choice.player for choice in found}
    for account in accounts:
        start, given, end = account.promised, account.given, account.end
        assert account.result in (0, 0.5, 1)
        assert end == account.result
        assert account.rest is not None
        total = start + account.luck - given + account.others + account.doubt
        assert total == pytest.approx(end, abs=1e-9)
        assert start - given + account.rest == pytest.approx(end, abs=1e-9)
        assert 0 <= account.accuracy <= 1
        *terms, last = account_terms(account, match.game)
        assert sum(term.points for term in terms) == last.points == 100 * account.result
        assert all(abs(term.points) <= 100 * len(found) for term in terms)
    if len(accounts) == 2:
        assert sum(account.result or 0 for account in accounts) == 1
        for one, other in (accounts, reversed(accounts)):
            assert one.others <= other.given + 1e-9, "nobody is given more than the other gave away"


def test_luck_lies_where_chance_answers_and_doubt_where_it_does_not() -> None:
    """Of a match of two choices: chance lies between them in one, a step of the other player in the other."""
    match = greedy_match("solo", 1)
    (first, _), (second, _) = list(review.choices(match))[-2:]
    found = [
        Choice(first, "player", "x", 0.5, "y", 0.9),
        Choice(second, "player", "x", 0.38, "y", 0.4),
    ]
    (account,) = review.accounts(match, found)
    between = [step.actor for step in match.steps[first + 1 : second]]
    after = [step.actor for step in match.steps[second + 1 :]]
    result = account.result or 0.0
    luck = ("chance" in between) * (0.4 - 0.5) + ("chance" in after) * (result - 0.38)
    assert account.luck == pytest.approx(luck)
    assert account.given == pytest.approx(0.4), "the second is within the noise"
    assert account.doubt == pytest.approx(result - 0.9 + 0.4 - luck)


@given(costs=st.lists(st.floats(0, 1), min_size=1, max_size=60), odds=st.data())
def test_an_accuracy_is_whole_where_nothing_was_lost_and_falls_with_each_loss(
    costs: list[float], odds: st.DataObject
) -> None:
    seen = [odds.draw(st.floats(0, 1)) for _ in range(len(costs) + 1)]
    found = game_accuracy(costs, seen)
    assert 0 <= found <= 1
    assert game_accuracy([0.0] * len(costs), seen) == pytest.approx(1)
    i = odds.draw(st.integers(0, len(costs) - 1))
    worse = [*costs[:i], 1.0, *costs[i + 1 :]]
    assert game_accuracy(worse, seen) <= found + 1e-9


@pytest.mark.parametrize("id", GAMES)
def test_a_match_that_the_rules_did_not_end_has_no_result(id: str) -> None:
    match = greedy_match(id, 0)
    at = list(review.choices(match))[-1][0]
    running = match.until(at + 1)
    found = [review_choice(match, at)]
    resigned = match.until(at + 1)
    if not resigned.over:
        resigned.end("resigned", found[0].player)
        for broken_off in (running, resigned):
            (account,) = review.accounts(broken_off, found)
            assert (account.result, account.rest) == (None, None)
            assert account.end == (found[0].chance if found[0].chance is not None else found[0].better)
            assert "at the end" in sum_text(account, match.game).en
    (account,) = review.accounts(match, found)
    assert account.result is not None


@given(thousandths=st.lists(st.integers(-3000, 3000), min_size=1, max_size=6), total=st.integers(0, 1000))
def test_whole_points_add_up_and_none_is_a_point_off(thousandths: list[int], total: int) -> None:
    parts = [n / 1000 for n in [*thousandths, total - sum(thousandths)]]
    points = whole_points(parts, total / 1000)
    assert sum(points) == round(total / 10)
    assert all(abs(n - 100 * part) <= 1 + 1e-6 for n, part in zip(points, parts, strict=True))


def test_an_account_is_a_sentence_a_child_understands() -> None:
    game = smallchange.game("solo")
    account = Account("player", 0.58, 0.42, 0.0, -0.16, luck=-0.16, accuracy=0.58)
    assert account_text(account, game).en == "Your accuracy: 58%. Luck cost you 16."
    assert (
        sum_text(account, game).en == "Start 58, luck \u221216, choices \u221242, second look +0 = result 0"
    )
    assert account_text(account, game)["ja"] == "あなたの正確さは58%です。運で16損しました。"
    assert (
        account_text(account, game)["de"] == "Deine Genauigkeit: 58\N{NO-BREAK SPACE}%. Pech kostete dich 16."
    )
    pair = smallchange.game("coin-age")
    other = account._replace(player="tails", luck=0.0, others=-0.16)
    assert account_text(other, pair).en == "Tails: accuracy 58%, luck even."
    without = smallchange.game("dodgem")
    assert "luck" not in account_text(account._replace(player="red"), without, True).en
    assert "luck" not in sum_text(account._replace(player="red"), without).en


def test_whose_odds_they_are_is_said_where_they_are_not_simply_the_best_bots() -> None:
    notes = {id: caveats(Match(smallchange.game(id))) for id in GAMES}
    told = {id: text.en for id, text in notes.items() if text}
    assert set(GAMES) - set(told) == set(SOLITAIRE)
    assert "against itself" in told["dodgem"]
    assert "more than 100%" in told["coin-age"]


@pytest.mark.parametrize("id", SOLITAIRE)
def test_from_which_move_on_the_odds_are_exact_is_said(id: str) -> None:
    match = greedy_match(id, 1)
    found = [
        choice._replace(at=at)
        for choice, (at, _) in zip(steps(*[("a", 0.5, "b", 0.6)] * 4), review.choices(match), strict=False)
    ]
    assert caveats(match, found) is None
    found[0] = found[0]._replace(exact=True)
    assert caveats(match, found) is None, "what came after it was estimated"
    found[2:] = [choice._replace(exact=True) for choice in found[2:]]
    note = caveats(match, found)
    assert note is not None
    number = review.move_number(match, found[2].at)
    assert f"From move {number} on, the odds are exact" in note.en
    assert f"{number}手目から" in note["ja"]


@pytest.mark.parametrize("id", GAMES)
def test_odds_measured_with_other_options_are_not_said_without_a_word(id: str) -> None:
    """Those of alpha-beta search are by the board."""
    bot = bots.best_bot(smallchange.game(id))
    measured = [{}, *(odds.options for odds in bot.odds)]
    warned = {True: 0, False: 0}
    for game in variants(id):
        note, rough = (
            caveats(Match(game)),
            bot.engine != "alphabeta" and without_idle_options(game).non_default_options not in measured,
        )
        assert bool(note and "rough" in note.en) == rough
        position = first_choice(game)
        if position.actor and not warned[rough]:
            hint = bots.hint(position, AMPLE, Random(1), AMPLE)
            assert hint is not None
            told = hint.describe(position)
            assert ("about" in told.en, "約" in told["ja"]) == (rough, rough)
            warned[rough] += 1
    assert warned[False]
    assert bool(warned[True]) == (bot.engine != "alphabeta")


def test_there_is_no_hint_where_nothing_was_looked_at() -> None:
    position = first_choice(smallchange.game("solo"))
    assert bots.hint(position, seconds=AMPLE, wait=AMPLE) is not None
    assert bots.hint(position, seconds=0, wait=AMPLE) is None


def test_without_time_nothing_is_made_of_a_choice() -> None:
    for id in smallchange.games():
        match = greedy_match(id, 1)
        at, position = next(iter(review.choices(match)))
        found = review.evaluate_choice(position, at, match.steps[at].token, seconds=0)
        assert found is None or 0 <= found.better <= 1
