"""The reasons of a move, found again by flipping the coin and looking where it leads."""

from __future__ import annotations

import smallchange
from smallchange.bots.review import choices
from smallchange.core.game import Position
from tests.support.matches import greedy_match


def leads_on(position: Position) -> bool:
    """Return whether a pawn can move to a square with a coin."""
    scene = position.game.layout.scene(position.game.board, position.s)
    coins = {
        piece.spot for piece in scene.pieces if piece.kind == "coin" and piece.spot in scene.areas[0].by_id
    }
    to = [
        position.game.layout.touch(position.game.board, position.s, a).path[:1]
        for a in position.legal_actions()
        if position.s.step == 6  # rules.MOVE
    ]
    return any(path and path[0] in coins for path in to)


def test_numbers_that_lead_on_are_those_after_which_a_coin_can_be_reached() -> None:
    game, seen = smallchange.game("solo"), 0
    assert game.reasons is not None
    for _, position in [*choices(greedy_match("solo", 1)), *choices(greedy_match("solo", 4))]:
        for token in position.legal():
            after = position.played(token)
            leading, ways, beside, *_ = game.reasons.measure(
                game.board, position.s, game.actions[token], after.s
            )
            board, lain = game.board, after.s.coins[0]
            if after.s.step == 5:  # rules.COIN
                shown = [(flip, after.played(flip)) for flip, _ in after.weights()]
                assert leading == sum(leads_on(end) for _, end in shown if end.s.flipped)
                top = 1 << after.s.at
                lain = lain if after.s.coins[1] & top else lain & ~top
                seen += 1
            squares = [i for i in range(20) if lain >> i & 1]
            joined = [
                (i, k)
                for i in squares
                for k in range(5)
                if any(board.reach[20 * k + i] >> j & 1 for j in squares if j != i)
            ]
            assert ways == len(joined)
            if beside is not None:
                steps = [one for one in after.legal() if one.startswith("rescue:") and one != "rescue:?"]
                assert (beside, after.s.step) == (len(steps), 7)  # rules.PLIGHT
    assert seen > 5
