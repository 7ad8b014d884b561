"""Positions and moves for the tests of this game."""

import re
from typing import Any

import smallchange
from smallchange import Position
from smallchange.games.coin_age.notation import space

SQUARE = "a b\n c d"  # four regions of one space: a2 b2 / a1 b1


def play_tokens(tokens: str, **options: object) -> Position:
    """Return the position after these tokens."""
    position = smallchange.game("coin-age", **options).start()
    for token in tokens.split():
        position.play(token)
    return position


def position_with(coins: str, tosses: str = "", map: str = "forest") -> Position:
    """Return a position with coins on the map, after these tosses of heads.

    Coins are written as space:coins, from the bottom up: `b1:4h2t` is a quarter showing heads with a penny
    showing tails on top.
    """
    position = smallchange.game("coin-age", map=map).start()
    names = spaces(position)
    for word in coins.split():
        name, stack = word.split(":")
        for rank, side in re.findall(r"(\d)([ht])", stack):
            position.s.coins[4 * "ht".index(side) + int(rank) - 1] |= 1 << names.index(name)
    for i, side in enumerate(tosses, 1):
        position.play(f"{i}={side}")
    return position


def bank(position: Position, player: str) -> list[int]:
    """Return coins by rank in a player's bank."""
    start = 4 * position.game.seats.index(player)
    return list(position.s.bank[start : start + 4])


def result(position: Position) -> dict[str, Any]:
    """Return the result of a game that is over."""
    ended = position.result
    assert ended is not None
    return ended


def spaces(position: Position) -> list[str]:
    """Return the names of the spaces by number."""
    board: Any = position.game.board
    return [space(board, i) for i in range(board.spaces)]
