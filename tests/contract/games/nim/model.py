"""The board of Nim, and its state."""

from smallchange.core.options import Flag, Option, Value, Whole
from smallchange.core.state import Fields, number, numbers

SEATS = ("first", "second")
SOURCES: tuple[str, ...] = ()
HEAPS, HIGHEST = 3, 7
OPTIONS: tuple[Option, ...] = (
    Whole("heap_a", 3, 0, HIGHEST),
    Whole("heap_b", 4, 0, HIGHEST),
    Whole("heap_c", 5, 1, HIGHEST),
    Flag("misere", False),
)


class Board(Fields):
    """The heaps at the start, and whether the last coin loses."""

    start: list[int] = numbers(HEAPS, 0, HIGHEST)
    misere: int = number(0, 1)


class State(Fields):
    """The heaps, and whose turn it is."""

    turn: int = number(-2, 1)
    heaps: list[int] = numbers(HEAPS, 0, HIGHEST)
    winner: int = number(0, 1)


def build(options: dict[str, Value]) -> Board:
    b = Board()
    b.start = [int(options[name]) for name in ("heap_a", "heap_b", "heap_c")]
    b.misere = int(options["misere"])
    return b
