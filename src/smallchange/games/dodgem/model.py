"""The board of Dodg'em, with each side's direction of travel, and its state.

Squares are numbered column by column, each from the bottom: a1 is 0, a2 is 1, .. on any size, so a
set of squares is the bits of one integer. Red is seat 0, green seat 1.
"""

from math import comb

from smallchange.core.options import OneOf, Option, Value, Whole
from smallchange.core.state import Fields, masks, number, numbers

SEATS = ("red", "green")
SOURCES: tuple[str, ...] = ()  # no chance in this game
OPTIONS: tuple[Option, ...] = (
    Whole("size", 6, 3, 7),
    OneOf("start", "facing", ("facing", "crosswise")),
    OneOf("blocked", "pass", ("pass", "wins", "loses")),
    Whole("quiet_limit", 40, 4, 1000),
)

ALL = (1 << 49) - 1
LEFT, DOWN, UP, RIGHT = range(4)
CHOOSE = tuple(
    tuple(comb(n, k) for n in range(50)) for k in range(7)
)  # [k][n]: the sets of k squares among n


class Board(Fields):
    """The options of a game as numbers, and the tables that follow from them."""

    width: int = number(3, 7)  # squares on a side
    blocked: int = number(0, 2)  # rules.PASSES, WINS, LOSES
    quiet_limit: int = number(4, 1000)
    step: list[int] = numbers(4, -7, 7)  # by direction: what it adds to a square's number
    edge: list[int] = numbers(4, 0, ALL)  # .. and the squares from which it leads off the board
    home: list[int] = numbers(2, 0, ALL)  # by seat: the squares its coins start on
    forward: list[int] = numbers(2, 0, 3)  # .. and its direction of travel
    ways: list[int] = numbers(6, 0, 3)  # .. and its three directions, ascending


class State(Fields):
    """The coins of both sides, and the limit of the length of play."""

    turn: int = number(-2, 1)
    coins: list[int] = masks(2, ALL)  # by seat: the squares of its coins
    quiet: int = number(0, 1000)  # plies since the last forward move
    plies: int = number(0, 100_000)  # tokens taken
    winner: int = number(-1, 1)  # once over: a seat, or -1 for a draw
    reason: int = number(0, 3)  # 0 none yet, then rules.HOME, QUIET, BLOCKED


def first_numbers(width: int) -> tuple[tuple[int, ...], ...]:
    """Return, by coins of the mover and of the other side, less one, the first number of such positions."""
    first, n, squares = [[0] * 6 for _ in range(6)], 0, width * width
    for coins in range(2, 2 * width - 1):
        for mine in range(max(1, coins - width + 1), min(width, coins)):
            first[mine - 1][coins - mine - 1] = n
            n += comb(squares, mine) * comb(squares - mine, coins - mine)
    return tuple(map(tuple, first))


FIRST = tuple(map(first_numbers, range(3, 8)))  # by width, less three


def steps(width: int) -> list[int]:
    """Return the difference of square numbers for each direction."""
    return [-width, -1, 1, width]


def build(options: dict[str, Value]) -> Board:
    b = Board()
    b.width = n = int(options["size"])
    b.quiet_limit = int(options["quiet_limit"])
    b.blocked = ("pass", "wins", "loses").index(str(options["blocked"]))

    first_column, last_column = ((1 << n) - 1), ((1 << n) - 1) << n * (n - 1)
    bottom_row = sum(1 << n * column for column in range(n))
    top_row = bottom_row << n - 1
    b.step = steps(n)
    b.edge = [first_column, bottom_row, top_row, last_column]
    if options["start"] == "facing":
        b.home = [first_column & ~top_row, last_column & ~bottom_row]
        b.forward = [RIGHT, LEFT]
        b.ways = [DOWN, UP, RIGHT, LEFT, DOWN, UP]
    else:
        b.home = [first_column & ~bottom_row, bottom_row & ~first_column]
        b.forward = [RIGHT, UP]
        b.ways = [DOWN, UP, RIGHT, LEFT, UP, RIGHT]
    return b
