"""The board of the Royal Game of Ur, and its state.

Both sides walk 14 squares. A coin's step counts along its own way: 0 is off the board and waiting, 1 to 14
are the squares, 15 is off the board and home. Both sides share steps 5 to 12; the others are their own.
Sun is seat 0, moon seat 1.
"""

from smallchange.core.options import Flag, Option, Value, Whole
from smallchange.core.state import Fields, masks, number, numbers

SEATS = ("sun", "moon")
SOURCES = ("sun throws", "moon throws")  # the same four coins, in either hand
OPTIONS: tuple[Option, ...] = (Whole("coins", 7, 1, 7), Flag("safe", True))

WAITING, HOME = 0, 15  # the steps before the first square and after the last
MAX_THROWS = 1000
ALL = (1 << HOME) - 2  # steps 1 to 14


class Board(Fields):
    """The options of a game as numbers."""

    coins: int = number(1, 7)  # of a side
    safe: int = number(0, 1)  # 1 where a coin on the middle rosette cannot be captured


class State(Fields):
    """The coins of both sides, the throw, and the limit of the length of play."""

    turn: int = number(-2, 1)
    mover: int = number(0, 1)  # whose throw it is, or whose move
    heads: int = number(-1, 4)  # of the last throw; -1 before the first
    coins: list[int] = masks(2, ALL)  # by seat: the steps of its coins on the board
    home: list[int] = numbers(2, 0, 7)  # by seat: coins that have left the board
    throws: int = number(0, MAX_THROWS)
    reason: int = number(0, 2)  # 0 none yet, then rules.ALL_HOME, THROWN_OUT


def build(options: dict[str, Value]) -> Board:
    b = Board()
    b.coins, b.safe = int(options["coins"]), int(options["safe"])
    return b
