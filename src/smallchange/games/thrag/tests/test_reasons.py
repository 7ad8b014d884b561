"""The reasons of a move, found again by what happens after it."""

from __future__ import annotations

import smallchange
from smallchange.bots.review import choices
from smallchange.core.game import Position
from tests.support.matches import greedy_match


def hit_points(position: Position) -> int:
    """Return the sum of the hit points."""
    return sum(n for n in range(1, 6) if position.s.hits >> n & 1)


def test_wounds_and_winning_coins_are_those_that_come() -> None:
    game, fought, flipped, weighed, paid = smallchange.game("thrag"), 0, 0, 0, 0
    assert game.reasons is not None
    positions = [position for seed in (1, 2, 5) for _, position in choices(greedy_match("thrag", seed))]
    for position in positions[::2]:
        for token in position.legal():
            after = position.played(token)
            cost, coins, slain, free, _, stay, back = game.reasons.measure(
                game.board, position.s, game.actions[token], after.s
            )
            if cost and coins is None and after.s.turn >= 0:
                lost = hit_points(position) - hit_points(after)
                assert after.s.damage == cost or lost >= cost, "paid at once where there is one way"
                fought += 1
            if coins is not None:
                ends = [(after.played(flip), weight) for flip, weight in after.weights()]
                won = sum(w for end, w in ends if not end.s.damage and end.s.hits == position.s.hits)
                if all(end.s.damage or end.s.hits == position.s.hits for end, _ in ends):  # none paid at once
                    assert cost == round(sum(end.s.damage for end, _ in ends) / len(ends))
                    weighed += 1
                assert coins == slain == 100 * won // sum(weight for _, weight in ends)
                left = [n.bit_count() for n in position.s.coins]
                last = left["SCA".index(token[-1])] == 1 and token[-1] == token[6]
                assert not free or (last and free == sum(left) - 1)
                flipped += 1
            if stay is not None:
                assert stay == hit_points(after)
                assert back is not None
                assert stay + back <= 15
                paid += 1
    assert min(fought, flipped, weighed, paid) > 0
