"""Positions and moves for the tests of this game."""

from typing import Any

import smallchange
from smallchange import Position
from smallchange.games.thrag.rules import FIGHTING

SUITS, VALUES = "SCA", "na2345"


def mask(values: str) -> int:
    """Return the set of these values.

    >>> mask("n2")
    5
    """
    return sum(1 << VALUES.index(v) for v in values)


def night(**options: Any) -> Position:
    return smallchange.game("thrag", **options).start()


def take_tokens(position: Position, tokens: str) -> Position:
    for token in tokens.split():
        position.play(token)
    return position


def meet(tiles: str, dice: str, **options: Any) -> Position:
    """Return the first hour once these tiles are drawn and these dice thrown, in the order S C A M."""
    drawn = [f"{suit}:{v}" for suit, v in zip(SUITS, tiles, strict=True)]
    thrown = [f"{suit}={v}" for suit, v in zip("SCAM", dice, strict=True)]
    return take_tokens(night(**options), " ".join(drawn + thrown))


def fighting(beasts: str, dice: str, **options: Any) -> Position:
    """Return a late position where these beasts lie in front of Thrag, "-" for none, and no other lives."""
    position = night(**options)
    s = position.s
    s.stack = [0, 0, 0, mask("345")]
    s.discards = [0, 0, 0, mask("a2")]
    s.beast = [0 if v == "-" else VALUES.index(v) for v in beasts]
    s.slain = [mask("a2345".replace(v, "")) for v in beasts]
    s.die = [-1 if v == "-" else VALUES.index(v) for v in dice]
    s.hour, s.fought, s.phase, s.turn = 6, 1, FIGHTING, 0
    return position


def hour_space(position: Position) -> tuple[int, int]:
    """Return the space of the moons pawn."""
    table = position.game.layout.scene(position.game.board, position.s)
    spot = next(piece.spot for piece in table.pieces if piece.id == "pawn-M")
    return next((s.x, s.y) for area in table.areas for s in area.spots if s.id == spot)
