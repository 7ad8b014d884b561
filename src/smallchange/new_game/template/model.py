"""The board of My Game, and its state."""

from smallchange.core.options import Option, Value, Whole
from smallchange.core.state import Fields, number

SEATS = ("first", "second")
SOURCES: tuple[str, ...] = ()  # nothing is decided by chance
OPTIONS: tuple[Option, ...] = (Whole("coins", 15, 5, 20),)
MAX_COINS = 20


class Board(Fields):
    """The options of a game as numbers."""

    coins: int = number(5, MAX_COINS)  # in the heap at the start


class State(Fields):
    """The coins that are left, and whose turn it is."""

    turn: int = number(-2, 1)
    left: int = number(0, MAX_COINS)
    winner: int = number(0, 1)  # once the heap is empty


def build(options: dict[str, Value]) -> Board:
    b = Board()
    b.coins = int(options["coins"])
    return b
