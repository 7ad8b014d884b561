"""Positions that tests of the Royal Game of Ur begin from."""

import smallchange
from smallchange import Position
from smallchange.core.state import bit

from .slow_game import PATHS


def position_of(sun: str, moon: str = "", mover: str = "sun", **options: object) -> Position:
    """Return the position with coins on these squares and all others waiting, before a throw of `mover`."""
    position = smallchange.game("royal-ur", **options).start()
    for seat, squares in enumerate((sun, moon)):
        way = PATHS[str(position.game.options["path"])][position.game.seats[seat]]
        position.s.coins[seat] = sum(bit(way.index(name) + 1) for name in squares.split())
    position.s.mover = position.game.seats.index(mover)
    return position
