"""Why a move is better: features of the game, compared with the other moves."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

import smallchange
from smallchange import bots
from smallchange.bots.reasons import MAX_REASONS, advantages, comparison_text, reasons_text
from smallchange.bots.review import choices
from smallchange.core.game import Game, Position
from smallchange.i18n.text import LANGUAGES
from tests.support.matches import greedy_match

GAMES = smallchange.games()


def numbers(position: Position, token: str) -> list[int | None]:
    game = position.game
    assert game.reasons is not None
    return list(game.reasons.measure(game.board, position.s, game.actions[token], position.played(token).s))


@pytest.mark.parametrize("id", GAMES)
def test_a_reason_is_a_number_in_which_the_move_is_better_than_the_others(id: str) -> None:
    greedy, said = bots.bot("greedy", luck=Random(1)), 0
    for _, position in list(choices(greedy_match(id, 3)))[::5]:
        token = greedy(position)
        game: Game = position.game
        assert game.reasons is not None
        others = [numbers(position, one) for one in position.legal() if one != token]
        found = advantages(position, token)
        assert len(found) <= MAX_REASONS
        for one in found:
            i = next(
                i
                for i, reason in enumerate(game.reasons.REASONS)
                if numbers(position, token)[i] == one.n and reason.text.fill(n=one.n) == one.text
            )
            rest = [n for row in others if (n := row[i]) is not None]
            assert (one.low, one.high) == (min(rest), max(rest))
            assert (one.n - fmean(rest)) * game.reasons.REASONS[i].better > 0
        text = reasons_text(position, token)
        assert (text is None) == (not found)
        if text:
            assert len({text[lang] for lang in LANGUAGES}) == len(LANGUAGES), "in words of its language"
            said += 1
    assert said, "most moves have a reason"


@pytest.mark.parametrize("id", GAMES)
def test_a_move_is_compared_with_the_one_that_was_played(id: str) -> None:
    for _, position in list(choices(greedy_match(id, 3)))[::9]:
        one, other, *_ = position.legal()
        text, back = comparison_text(position, one, other), comparison_text(position, other, one)
        assert (text is None and back is None) == (
            all(
                n is None or m is None or n == m
                for n, m in zip(numbers(position, one), numbers(position, other), strict=True)
            )
        )


@pytest.mark.parametrize("id", GAMES)
def test_a_hint_names_the_piece_then_the_move_then_why(id: str) -> None:
    _, position = list(choices(greedy_match(id, 2)))[4]
    hint = bots.Hint(bots.bot("greedy", luck=Random(1))(position), 0.5)
    nudge, move, why = hint.nudge(position).en, hint.describe(position).en, hint.why(position).en
    assert nudge.startswith("Hint: ")
    assert position.describe(hint.token).en in move
    assert why.startswith("Why: ") or not why, "a reason of the game, or nothing"
    touch = position.game.layout.touch(position.game.board, position.s, position.game.actions[hint.token])
    assert hint.first_touched(position) == (touch.path[:1] or touch.marks)
    assert nudge.startswith("Hint: mark this") == bool(touch.marks and not touch.path)
    if len(touch.path) > 1:
        assert position.describe(hint.token).en not in nudge, "the move is not given away"
