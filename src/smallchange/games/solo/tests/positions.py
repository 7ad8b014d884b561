"""Positions and moves for the tests of this game."""

import re
from typing import Any

import smallchange
from smallchange import Position
from smallchange.core.state import CHANCE
from smallchange.games.solo.notation import square as square_name
from smallchange.games.solo.rules import COIN


def position_with_tiles(values: str = "5a423", **options: Any) -> Position:
    """Return a position with the tiles laid.

    Row 1 is suns, row 2 moons, row 3 crowns, row 4 arms; each row has these values. So on the rectangle,
    column a has three coins, c two and e one. The pawns play in the order S M C A.
    """
    position = smallchange.game("solo", **options).start()
    for suit in "SMCA":
        position.play(f"pawn={suit}")
    for tile in [suit + value for suit in "SMCA" for value in values]:
        position.play(next(token for token, _ in position.weights() if token.endswith(f"={tile}")))
    return position


def scene(coins: str, at: str, aces: str = "", **options: Any) -> Position:
    """Return a position where the first pawn stands on `at`, its top coin not yet flipped.

    `coins` is like "a1=S2": two coins of suns on a1.
    """
    position = position_with_tiles(**options)
    game, s = position.game, position.s
    squares = [square_name(game.board, i) for i in range(20)]
    s.coins, s.suit, s.free = [0, 0, 0], [0, 0, 0, 0], 0
    for square, suit, n in re.findall(r"(\w+)=(\w)(\d)", coins):
        for level in range(int(n)):
            s.coins[level] |= 1 << squares.index(square)
        s.suit["SMCA".index(suit)] |= 1 << squares.index(square)
    for i, suit in enumerate("SMCA".index(letter) for letter in aces):
        s.aces[i] = suit
        s.seen[suit] |= 2
    s.at, s.step, s.turn = squares.index(at), COIN, CHANCE
    return position


def after(position: Position, *tokens: str) -> Position:
    for token in tokens:
        position.play(token)
    return position


def stands(position: Position) -> tuple[str, str]:
    """Return the suit of the pawn in play, and its square."""
    s, game = position.s, position.game
    return "SMCA"[s.order[s.pawn]], square_name(game.board, s.at)
