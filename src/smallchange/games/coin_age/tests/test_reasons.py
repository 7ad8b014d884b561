"""The reasons of a move, counted again from the coins of the scene and the tally."""

from __future__ import annotations

import smallchange
from smallchange.bots.review import choices
from smallchange.core.game import Position
from smallchange.render.scene import Piece
from tests.support.matches import greedy_match


def tops(position: Position) -> list[Piece]:
    """Return the top coins on the map."""
    scene = position.game.layout.scene(position.game.board, position.s)
    top: dict[str, Piece] = {}
    for piece in scene.pieces:
        if piece.spot in scene.areas[0].by_id and (
            piece.spot not in top or top[piece.spot].level < piece.level
        ):
            top[piece.spot] = piece
    return list(top.values())


def bank(position: Position, side: str) -> set[int]:
    """Return the ranks in a bank."""
    scene = position.game.layout.scene(position.game.board, position.s)
    spots = {f"{side}-{rank}" for rank in range(1, 5)}
    return {int(piece.value) for piece in scene.pieces if piece.spot in spots}


def test_points_and_coins_that_can_be_covered_are_those_on_the_map() -> None:
    game = smallchange.game("coin-age")
    reasons, seen = game.reasons, 0
    assert reasons is not None
    for _, position in list(choices(greedy_match("coin-age", 3)))[::6]:
        own = position.actor or ""
        other = "tails" if own == "heads" else "heads"
        for token in position.legal()[::3]:
            after = position.played(token)
            if after.s.turn == -2:
                continue

            def count_coverable(side: str, by: set[int], after: Position = after) -> int:
                return sum(
                    piece.side == side and any(n < int(piece.value) for n in by) for piece in tops(after)
                )

            tally = after.tally()
            counted = [
                tally[own]["total"],
                tally[other]["total"],
                count_coverable(own, bank(after, other)),
                count_coverable(other, bank(after, own)),
            ]
            lead = [position.tally()[side]["total"] for side in (own, other)]
            spaces, *found = reasons.measure(game.board, position.s, game.actions[token], after.s)
            assert found == counted, token
            assert lead[0] == lead[1] or (spaces is not None) == (lead[0] < lead[1])
            assert spaces is None or spaces == len(
                after.game.layout.scene(game.board, after.s).areas[0].spots
            ) - len(tops(after))
            seen += 1
    assert seen > 20
