"""A learner's description of Coin Age is fair to both sides and agrees with the rules."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import smallchange
from smallchange import Position

from ..ai.features import AHEAD, DEEP, FEATURES, FLAGS, LEADS, LEFT, UNDER, features, shape
from ..model import MAPS, State
from ..rules import controlled_spaces, empty, points


def positions() -> Iterator[Position]:
    """Yield steps of games by random players, on every map."""
    luck = random.Random(4)
    for name in MAPS:
        for _ in range(3):
            position = smallchange.game("coin-age", map=name).start()
            while position.actor is not None:
                yield position
                position.play(luck.choice([token for token in position if token != "end"] or ["end"]))


def swap_sides(s: Any) -> State:
    """Return the same position with heads and tails the other way round."""
    t: State = s.copy()
    t.bank = s.bank[4:] + s.bank[:4]
    t.coins = s.coins[4:] + s.coins[:4]
    t.mover = 1 - s.mover
    t.turn = 1 - s.turn if s.turn >= 0 else s.turn
    return t


def describe(position: Position, s: Any, seat: int) -> list[int]:
    out = [0] * (FEATURES + FLAGS)
    b: Any = position.game.board
    features(b, s, seat, out)
    return out


def test_what_one_side_sees_the_other_would_see_if_they_changed_sides() -> None:
    for position in positions():
        for seat in (0, 1):
            assert describe(position, position.s, seat) == describe(
                position, swap_sides(position.s), 1 - seat
            )


def test_the_lead_and_the_room_that_are_seen_are_those_of_the_rules() -> None:
    for position in positions():
        b: Any = position.game.board
        s: Any = position.s
        marks = describe(position, s, 1)
        lead = points(b, s, 1) - points(b, s, 0)
        assert marks[AHEAD] == lead
        assert LEADS + 25 * min(5, empty(b, s).bit_count()) + 12 + min(12, max(-12, lead)) in marks[FEATURES:]


def test_every_covered_coin_is_seen() -> None:
    for position in positions():
        s: Any = position.s
        covered = sum(coins.bit_count() for coins in s.coins)
        covered -= sum(controlled_spaces(s, side).bit_count() for side in (0, 1))
        marks = describe(position, s, 0)
        assert sum(marks[UNDER : UNDER + 16]) + sum(marks[DEEP : DEEP + 8]) == covered


def test_only_the_player_whose_turn_it_is_has_placings_left() -> None:
    for position in positions():
        for seat in (0, 1):
            flags = describe(position, position.s, seat)[FEATURES:]
            assert any(LEFT <= flag < LEFT + 4 for flag in flags) == (position.s.turn == seat)


def test_each_set_of_coins_on_top_in_a_region_has_a_number_of_its_own() -> None:
    numbers = set()
    for spaces in (1, 2, 3, 4):
        for tops in itertools.combinations_with_replacement(range(9), spaces):
            s: Any = smallchange.game("coin-age").start().s
            for space, top in enumerate(tops):
                if top < 8:
                    s.coins[top] |= 1 << space
            numbers.add(shape(s, 0, (1 << spaces) - 1))
    assert numbers == set(range(714))


def test_a_set_of_coins_has_the_same_number_in_whichever_spaces_they_lie() -> None:
    s: Any = smallchange.game("coin-age").start().s
    s.coins = [0b0001, 0b0100, 0, 0, 0, 0b0010, 0, 0b0100]  # the other's 4 lies under a 2
    t = s.copy()
    t.coins = [0b1000, 0b0001, 0, 0, 0, 0b0100, 0, 0b0001]
    assert shape(s, 0, 0b1111) == shape(t, 0, 0b1111)
    assert shape(s, 0, 0b1111) != shape(s, 1, 0b1111)
