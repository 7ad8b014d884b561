"""The reasons of a move, found again by trying every throw and answer."""

from __future__ import annotations

from typing import Any

import pytest

from smallchange.bots.review import choices
from smallchange.core.game import Position
from tests.support.matches import greedy_match


def capturable_coins(after: Position, side: int) -> int:
    """Return how many coins of a side some throw and answer of the other can capture."""
    taken = set()
    for throw, _ in after.weights():
        thrown = after.played(throw)
        for answer in thrown.legal():
            taken.add(after.s.coins[side] & ~thrown.played(answer).s.coins[side])
    return len(taken - {0})


@pytest.mark.parametrize(
    "options", [{}, {"path": "masters", "dice": "three", "safe": False}, {"path": "aseb"}], ids=str
)
def test_captures_throws_and_dangers_are_those_that_can_happen(options: dict[str, Any]) -> None:
    match, seen = greedy_match("royal-ur", 4, **options), 0
    game = match.game
    assert game.reasons is not None
    for _, position in list(choices(match))[::3]:
        side = position.s.turn
        for token in position.legal():
            after = position.played(token)
            back, again, danger = game.reasons.measure(game.board, position.s, game.actions[token], after.s)
            captured = position.s.coins[1 - side] & ~after.s.coins[1 - side]
            assert back == (captured.bit_length() - 1 if captured else 0)
            assert again == (after.s.turn != -2 and after.s.mover == side)
            if after.actor == "chance" and after.s.mover != side:
                assert danger == capturable_coins(after, side), token
                seen += 1
    assert seen > 20
