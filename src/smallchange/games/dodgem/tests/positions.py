"""Positions and moves for the tests of this game."""

import smallchange
from smallchange import Position


def position_of(picture: str, turn: str = "red", **options: object) -> Position:
    """Return the position of a picture: rows from the top, `r` and `g` coins, `.` an empty square."""
    rows = [line.strip() for line in picture.split()]
    position = smallchange.game("dodgem", size=len(rows), **options).start()
    position.s.coins = [
        sum(
            1 << len(rows) * column + row
            for row, line in enumerate(reversed(rows))
            for column, letter in enumerate(line)
            if letter == side
        )
        for side in "rg"
    ]
    position.s.turn = ("red", "green").index(turn)
    return position
