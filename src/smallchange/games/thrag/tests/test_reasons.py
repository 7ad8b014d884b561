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
    game, fought, flipped, thrown, paid = smallchange.game("thrag"), 0, 0, 0, 0
    assert game.reasons is not None
    positions = [position for seed in (1, 2, 5) for _, position in choices(greedy_match("thrag", seed))]
    for position in positions[::2]:
        for token in position.legal():
            after = position.played(token)
            cost, coins, throws, stay = game.reasons.measure(
                game.board, position.s, game.actions[token], after.s
            )
            if cost and after.s.turn >= 0:
                lost = hit_points(position) - hit_points(after)
                assert after.s.damage == cost or lost >= cost, "paid at once where there is one way"
                fought += 1
            if coins is not None:
                ends = [(after.played(flip), weight) for flip, weight in after.weights()]
                won = sum(w for end, w in ends if not end.s.damage and end.s.hits == position.s.hits)
                assert coins == 100 * won // sum(weight for _, weight in ends)
                flipped += 1
            if throws is not None:
                faces = [after.played(face) for face, _ in after.weights()]
                beast = next(x for x in range(3) if faces[0].s.die[x] != faces[1].s.die[x])
                assert throws == sum(
                    s.beast[beast] + s.die[beast] <= s.die[3] for s in (end.s for end in faces)
                )
                thrown += 1
            if stay is not None:
                assert stay == hit_points(after)
                paid += 1
    assert min(fought, flipped, thrown, paid) > 0
