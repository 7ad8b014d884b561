"""Late in a game for one, hints and reviews say exact odds."""

from __future__ import annotations

import random

import pytest

import smallchange
from smallchange import Match, bots
from smallchange.bots import review
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
            assert hint.odds == pytest.approx(float(best), abs=1e-5)
            assert not hint.rough
            told = hint.describe(position)
            assert ("perfect play" in told.en, "正確" in told["ja"]) == (True, True)
            assert "expects" not in told.en, "it is no estimate of the bot's"
            worst = min(worth, key=worth.__getitem__)
            found = review.evaluate_choice(position, at, worst, 600.0, wait=bots.COMPILE_TIMEOUT_S)
            assert found is not None
            assert (found.odds, found.better) == pytest.approx((float(worth[worst]), float(best)), abs=1e-5)
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
            if hint.odds == 0:
                luck = random.Random(i)
                own = bot.module.best_move(position, 600.0, luck, wait=bots.COMPILE_TIMEOUT_S, **bot.plan)
                assert hint.token == own.best
                return
    pytest.fail("no such position")
