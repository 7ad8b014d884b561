"""Late in a game for one, hints and reviews say exact odds, and the best levels play by them."""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction

import pytest

import smallchange
from smallchange import Match, Position, bots
from smallchange.bots import review
from smallchange.bots.levels import EXACT_ENDS_S, ExactEnds, Level
from smallchange.bots.policy import Policy
from smallchange.tablebase.exact import Exact, TooLarge

ALONE = [id for id in smallchange.games() if len(smallchange.game(id).seats) == 1]


@pytest.mark.parametrize("id", ALONE)
def test_late_in_a_game_for_one_hints_and_reviews_go_by_exact_odds(id: str) -> None:
    game = smallchange.game(id)
    exact, open_still = Exact(game, memory=1 << 24), 0
    for i in range(4):
        for at, position in late(game, i):
            exact.forget()
            try:
                worth = dict(exact.moves(position))
            except TooLarge:
                break
            best = max(worth.values())
            open_still += 0 < best < 1
            hint = bots.hint(position, 600.0, random.Random(i), wait=bots.COMPILE_TIMEOUT_S)
            assert hint is not None
            assert worth[hint.token] == best
            assert hint.chance == pytest.approx(float(best), abs=1e-5)
            assert not hint.rough
            told = hint.describe(position)
            assert ("perfect play" in told.en, "正確" in told["ja"]) == (True, True)
            assert "expects" not in told.en, "it is no estimate of the bot's"
            worst = min(worth, key=worth.__getitem__)
            found = review.evaluate_choice(position, at, worst, 600.0, wait=bots.COMPILE_TIMEOUT_S)
            assert found is not None
            assert (found.chance, found.better) == pytest.approx((float(worth[worst]), float(best)), abs=1e-5)
            assert found.exact
    assert open_still, "or there is nothing to see here"


def late(game: smallchange.Game, i: int) -> list[tuple[int, smallchange.Position]]:
    """Return the choices in a game by the rule of thumb, from the last on."""
    match, thumb = Match(game, random.Random(i).randbytes(16)), bots.bot("greedy", luck=random.Random(i))
    while not match.over:
        if not match.settle():
            match.play(thumb(match.position))
    return list(review.choices(match))[::-1]


def test_a_move_that_is_as_good_as_any_stays_the_hint() -> None:
    """Where nothing can be won any more, the bot's move leaves the fewest coins."""
    game = smallchange.game("solo")
    bot = bots.best_bot(game)
    for i in range(20):
        for _, position in late(game, i)[:4]:
            hint = bots.hint(position, 600.0, random.Random(i), wait=bots.COMPILE_TIMEOUT_S)
            assert hint is not None
            if hint.chance == 0:
                luck = random.Random(i)
                own = bot.module.best_move(position, 600.0, luck, wait=bots.COMPILE_TIMEOUT_S, **bot.plan)
                assert hint.token == own.best
                return
    pytest.fail("no such position")


ENDS = ExactEnds(score=-6, positions=5000)


@pytest.fixture(scope="module")
def ends() -> list[tuple[Position, dict[str, Fraction]]]:
    """Positions of Solo with at most six coins, each with the exact odds of its moves."""
    game, found = smallchange.game("solo"), list[tuple[Position, dict[str, Fraction]]]()
    exact = Exact(game)
    for i in range(20):
        for _, position in late(game, i)[::-1]:
            exact.forget()
            if game.rules.score(game.board, position.s, 0) >= ENDS.score:
                with suppress(TooLarge):
                    exact.value(position, positions=ENDS.positions)
                    found.append((position, dict(exact.moves(position))))
    assert len(found) > 20
    return found


def improve(position: Position, token: str, ends: ExactEnds | None = ENDS, seconds: float = 600.0) -> str:
    """Return what a level with these ends makes of its engine's move."""
    level = Level("some", "greedy", exact_ends=ends)
    return level.improve(position, token, seconds, bots.COMPILE_TIMEOUT_S)


def test_a_level_with_exact_ends_makes_no_mistake_there(
    ends: list[tuple[Position, dict[str, Fraction]]],
) -> None:
    mended = 0
    for position, worth in ends:
        for token in position.legal():
            played, best = improve(position, token), max(worth.values())
            assert worth[played] == best
            assert (played == token) == (worth[token] == best), "a move that is as good as any stays"
            mended += played != token
            assert improve(position, token, None) == token
    assert mended > 20


def test_the_answer_depends_on_the_position_alone(ends: list[tuple[Position, dict[str, Fraction]]]) -> None:
    """Not on what was asked before, though what was found serves the rest of a game."""
    fewer = ExactEnds(ENDS.score, 100)
    forward = [improve(position, position.legal()[-1], fewer) for position, _ in ends]
    backward = [improve(position, position.legal()[-1], fewer) for position, _ in ends[::-1]]
    assert forward == backward[::-1]
    assert forward != [improve(position, position.legal()[-1]) for position, _ in ends], "or 100 are enough"


def test_a_level_keeps_its_move_before_its_ends_and_without_time(
    ends: list[tuple[Position, dict[str, Fraction]]],
) -> None:
    position, worth = next((at, worth) for at, worth in ends if len(set(worth.values())) > 1)
    worst = min(worth, key=worth.__getitem__)
    assert improve(position, worst) != worst
    assert improve(position, worst, ExactEnds(0, ENDS.positions)) == worst, "coins are left"
    assert improve(position, worst, ExactEnds(ENDS.score, 1)) == worst, "one position settles nothing"
    assert improve(position, worst, seconds=EXACT_ENDS_S / 2) == worst


def test_an_experiment_plays_the_whole_level_not_its_search_alone() -> None:
    game, policy = smallchange.game("solo"), Policy.parse("level5")
    assert bots.best_bot(game).exact_ends
    assert policy.plan(game) is None, "compiled play would leave the exact ends out"
    assert "exact=" in policy.fingerprint(game)
    assert "late in the game the best move, where 40,000 positions settle it" in policy.about(game)
    assert not policy.depends_on_clock(game)


@pytest.mark.parametrize("id", ALONE)
def test_the_best_level_of_a_game_for_one_makes_no_mistake_late(id: str) -> None:
    """By exact ends, or by a search that sees the end itself."""
    game = smallchange.game(id)
    best, exact, asked = bots.best_bot(game), Exact(game), 0
    least = (
        best.exact_ends.score if best.exact_ends else game.rules.score(game.board, late(game, 0)[3][1].s, 0)
    )
    for i in range(6):
        for _, position in late(game, i)[:5]:
            exact.forget()
            if game.rules.score(game.board, position.s, 0) < least:
                continue
            with suppress(TooLarge):
                value = exact.value(position, positions=5000)
                played = best.choose(position, 600.0, random.Random(i), bots.COMPILE_TIMEOUT_S)
                assert exact.value(position.played(played)) == value
                asked += 0 < value < 1
    assert asked, "or there is nothing to see here"
