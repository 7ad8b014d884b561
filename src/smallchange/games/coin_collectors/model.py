"""The board and the state of Coin Collectors.

Squares are numbered row by row from a1: a1 is 0, b1 is 1, .. e5 is 24. The hole, c3, is 12; a pawn
given up stands at GONE, next to nothing. Suits are numbered 0 suns, 1 moons, 2 crowns, 3 arms; a tile
is 6 * suit + value. Sets of squares, pawns and dice are masks.
"""

from typing import ClassVar

from smallchange.core.options import Flag, Option, Value, Whole
from smallchange.core.state import Fields, mask, masks, number, numbers

SEATS = ("player",)
SOURCES = ("tile stack", "coins", "suns die", "moons die", "crowns die", "arms die")
OPTIONS: tuple[Option, ...] = (
    Flag("stud", False),
    Whole("stay_home", 0, 0, 3),
    Flag("acceptable_losses", False),
    Whole("rolls", 1, 1, 3),
)

ALL = (1 << 25) - 1
GONE = 25


class Board(Fields):
    """The options of a game as numbers, and the tables that follow from them."""

    stud: int = number(0, 1)  # are all four dice rolled after every collection?
    leavers: int = number(1, 4)  # how many pawns may ever leave the hole
    losses: int = number(0, 1)  # may a stuck player give up a pawn?
    rolls: int = number(1, 3)  # how many times a turn dice may be chosen and rolled
    near: list[int] = numbers(26, 0, ALL)  # by square: its neighbours


class State(Fields):
    """Tiles, coins, pawns and dice, and the phase of the turn."""

    optional: ClassVar[tuple[str, ...]] = ("rolls_left",)
    turn: int = number(-2, 0)
    phase: int = number(0, 5)  # rules.LAYING, COINING, ROLLING, COLLECTING, CHOOSING, LOSING
    at: int = number(0, 24)  # during setup: the square that gets its tile or coin next
    spot: list[int] = numbers(24, -1, 24)  # by tile: its square, -1 while it is in the stack
    coins: list[int] = masks(6, ALL)  # by number: the squares where such a coin lies
    dice: list[int] = numbers(4, -1, 5)  # by suit: the face, -1 while it is in the hand
    hand: int = mask(15)  # the dice about to be rolled
    pawns: list[int] = numbers(4, 0, GONE)  # by suit: its square
    left: int = mask(15)  # the pawns that have ever left the hole
    rolls_left: int = number(0, 2)  # how many rolls may follow the next one in this turn


def build(options: dict[str, Value]) -> Board:
    b = Board()
    b.stud = int(options["stud"])
    b.leavers = 4 - int(options["stay_home"])
    b.losses = int(options["acceptable_losses"])
    b.rolls = 1 if b.stud else int(options["rolls"])  # CC-10
    b.near = [neighbours(square) for square in range(25)] + [0]
    return b


def neighbours(square: int) -> int:
    """Return the squares beside, below and above a square.

    >>> neighbours(0) == 1 << 1 | 1 << 5
    True
    """
    row, column = divmod(square, 5)
    beside = [5 * row + c for c in (column - 1, column + 1) if 0 <= c < 5]
    above = [5 * r + column for r in (row - 1, row + 1) if 0 <= r < 5]
    return sum(1 << i for i in beside + above)
