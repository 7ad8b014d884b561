"""What a learner sees of Coin Age is fair to both sides and agrees with the rules."""

import random
from collections.abc import Iterator
from typing import Any

import smallchange
from smallchange import Position

from .board import MAPS, State
from .features import AHEAD, DEEP, FEATURES, LEADS, LEFT, UNDER, features
from .rules import controlled, empty, points


def positions() -> Iterator[Position]:
    """Steps of games by random players, on every map."""
    luck = random.Random(4)
    for name in MAPS:
        for _ in range(3):
            position = smallchange.game("coin-age", map=name).start()
            while position.actor is not None:
                yield position
                position.take(luck.choice([token for token in position if token != "end"] or ["end"]))


def swapped(s: Any) -> State:
    """The same position with heads and tails the other way round."""
    t: State = s.copy()
    t.bank = s.bank[4:] + s.bank[:4]
    t.coins = s.coins[4:] + s.coins[:4]
    t.mover = 1 - s.mover
    t.turn = 1 - s.turn if s.turn >= 0 else s.turn
    return t


def seen(position: Position, s: Any, seat: int) -> list[int]:
    out = [0] * FEATURES
    b: Any = position.game.board
    features(b, s, seat, out)
    return out


def test_what_one_side_sees_the_other_would_see_if_they_changed_sides() -> None:
    for position in positions():
        for seat in (0, 1):
            assert seen(position, position.s, seat) == seen(position, swapped(position.s), 1 - seat)


def test_the_lead_and_the_room_that_are_seen_are_those_of_the_rules() -> None:
    for position in positions():
        b: Any = position.game.board
        s: Any = position.s
        marks = seen(position, s, 1)
        lead = points(b, s, 1) - points(b, s, 0)
        assert marks[AHEAD] == lead
        assert marks[LEADS + 17 * min(5, empty(b, s).bit_count()) + 8 + min(8, max(-8, lead))] == 1


def test_every_covered_coin_is_seen() -> None:
    for position in positions():
        s: Any = position.s
        covered = sum(coins.bit_count() for coins in s.coins)
        covered -= sum(controlled(s, side).bit_count() for side in (0, 1))
        marks = seen(position, s, 0)
        assert sum(marks[UNDER : UNDER + 16]) + sum(marks[DEEP : DEEP + 8]) == covered


def test_only_the_player_whose_turn_it_is_has_placings_left() -> None:
    for position in positions():
        for seat in (0, 1):
            assert any(seen(position, position.s, seat)[LEFT : LEFT + 4]) == (position.s.turn == seat)
