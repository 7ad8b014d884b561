"""The reasons of a move, counted again from the squares of the scene."""

from __future__ import annotations

import smallchange
from smallchange.bots.review import choices
from smallchange.core.game import Position
from tests.support.matches import greedy_match


def squares(position: Position, suit: str) -> set[tuple[int, int]]:
    """Return the columns and rows of the coins of a suit on the board."""
    scene = position.game.layout.scene(position.game.board, position.s)
    on = scene.areas[0].by_id
    return {
        (ord(piece.spot[0]) - ord("a"), int(piece.spot[1:]))
        for piece in scene.pieces
        if piece.suit == suit and piece.spot in on and "-" not in piece.spot
    }


def test_free_ways_and_steps_are_those_on_the_board() -> None:
    game = smallchange.game("dodgem")
    reasons, seen = game.reasons, 0
    assert reasons is not None
    for _, position in list(choices(greedy_match("dodgem", 2)))[::5]:
        for token in position.legal():
            after = position.played(token)
            if after.s.turn < 0:
                continue
            red, green = squares(after, "S"), squares(after, "C")
            free = {
                "red": sum((column + 1, row) not in red | green for column, row in red),
                "green": sum((column - 1, row) not in red | green for column, row in green),
            }
            steps = {
                "red": sum(6 - column for column, _ in red),
                "green": sum(1 + column for column, _ in green),
            }
            own, other = position.actor or "", "green" if position.actor == "red" else "red"
            counted = [free[other], free[own], steps[own]]
            assert reasons.measure(game.board, position.s, game.actions[token], after.s) == counted
            seen += 1
    assert seen > 50
