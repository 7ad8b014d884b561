"""Positions and moves for the tests of this game."""

import re
from typing import Any

import smallchange
from smallchange import Position
from smallchange.games.coin_collectors.model import GONE
from smallchange.games.coin_collectors.rules import HOLE, begin_collecting

SUITS, VALUES = "SMCA", "na2345"


def position_with(laid: str, pawns: str, dice: str, **options: Any) -> Position:
    """Return a position after a roll.

    `laid` gives tile and coin of each square that still has one, as in "a1=S4:2 ..".
    """
    position = smallchange.game("coin-collectors", **options).start()
    s = position.s
    for at, suit, value, coin in re.findall(r"(..)=(.)(.):(.)", laid):
        s.spot[6 * SUITS.index(suit) + VALUES.index(value)] = square(at)
        s.coins[VALUES.index(coin)] |= 1 << square(at)
    empty = [i for i in range(25) if i != HOLE and i not in s.spot]
    s.spot = [empty.pop() if at == -1 else at for at in s.spot]
    s.pawns = [square(name) for name in pawns.split()]
    s.left = sum(1 << i for i, at in enumerate(s.pawns) if at != HOLE)
    s.dice = [VALUES.index(value) for value in dice]
    begin_collecting(position.game.board, s)
    return position


def take_tokens(position: Position, tokens: str) -> Position:
    for token in tokens.split():
        position.play(token)
    return position


def square(name: str) -> int:
    """Return the number of a square; "-" is where pawns go that are given up.

    >>> square("a1"), square("b1"), square("e5")
    (0, 1, 24)
    """
    return GONE if name == "-" else "abcde".index(name[0]) + 5 * (int(name[1]) - 1)
