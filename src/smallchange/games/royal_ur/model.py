"""The board of the Royal Game of Ur, with each side's way over it, and its state.

A coin's step counts along its own way: 0 is off the board and waiting, 1 and on are the squares, the one after the
last is off the board and home. Both sides share some squares, at steps that need not be the same.
Sun is seat 0, moon seat 1. Places are squares under one number for both sides, as `rules.py` draws them.
"""

from smallchange.core.options import Flag, OneOf, Option, Value, Whole
from smallchange.core.state import Fields, bit, mask, masks, number, numbers

SEATS = ("sun", "moon")
SOURCES = ("sun throws", "moon throws")  # the same coins, in either hand
PATHS = ("bell", "masters", "aseb")
DICE = ("four", "three")
OPTIONS: tuple[Option, ...] = (
    Whole("coins", 7, 1, 7),
    Flag("safe", True),
    OneOf("path", "bell", PATHS),
    OneOf("dice", "four", DICE),
    Flag("capture_again", False),
)

WAITING = 0  # the step before the first square
LONGEST = 16  # squares of a way
PLACES = 21
NOWHERE = LONGEST + 1  # the step of a place that is not on a side's way
MAX_THROWS = 1000
ALL = (1 << LONGEST + 1) - 2  # steps 1 to 16

OWN = ((1, 2, 3, 4), (5, 6, 7, 8))  # by seat: the places of its first steps
MIDDLE = (9, 10, 11, 12, 13, 14, 15)
WAYS: dict[str, tuple[tuple[int, ...], ...]] = {  # the places after the first four, by path and seat
    "bell": ((*MIDDLE, 16, 17, 18), (*MIDDLE, 16, 19, 20)),
    "masters": ((*MIDDLE, 20, 19, 16, 17, 18), (*MIDDLE, 18, 17, 16, 19, 20)),
    "aseb": 2 * ((*MIDDLE, 16, 17, 18, 19, 20),),
}
ROSETTES: dict[str, tuple[int, ...]] = {
    "bell": (4, 8, 14),
    "masters": (4, 8, 12, 16),
    "aseb": (4, 8, 12, 16),
}  # steps of either side


class Board(Fields):
    """The options of a game as numbers, and the tables of both ways."""

    coins: int = number(1, 7)  # of a side
    safe: int = number(0, 1)  # 1 where a coin on a rosette cannot be captured
    path: int = number(0, 2)  # the index in PATHS
    dice: int = number(0, 1)  # the index in DICE
    capture_again: int = number(0, 1)  # 1 where a capture gives another throw
    goal: int = number(15, 17)  # the step of a coin that is home
    rosettes: int = mask(ALL)  # steps
    shared: int = mask(ALL)  # steps at which a coin can meet one of the other side
    places: list[int] = numbers(2 * (LONGEST + 1), 0, PLACES - 1)  # by seat and step
    steps: list[int] = numbers(2 * PLACES, 0, NOWHERE)  # by seat and place
    across: list[int] = numbers(LONGEST + 1, 0, NOWHERE)  # by step of a side: the other's step on that square


class State(Fields):
    """The coins of both sides, the throw, and the limit of the length of play."""

    turn: int = number(-2, 1)
    mover: int = number(0, 1)  # whose throw it is, or whose move
    heads: int = number(-1, 4)  # the squares that the last throw is worth; -1 before the first
    coins: list[int] = masks(2, ALL)  # by seat: the steps of its coins on the board
    home: list[int] = numbers(2, 0, 7)  # by seat: coins that have left the board
    throws: int = number(0, MAX_THROWS)
    reason: int = number(0, 2)  # 0 none yet, then rules.ALL_HOME, THROWN_OUT


def build(options: dict[str, Value]) -> Board:
    b = Board()
    path = str(options["path"])
    b.coins, b.safe, b.capture_again = (int(options[name]) for name in ("coins", "safe", "capture_again"))
    b.path, b.dice = PATHS.index(path), DICE.index(str(options["dice"]))
    ways = [(0, *own, *rest) for own, rest in zip(OWN, WAYS[path], strict=True)]  # places by step
    b.goal = len(ways[0])
    b.rosettes = sum(map(bit, ROSETTES[path]))
    b.places = [place for way in ways for place in (*way, *(NOWHERE - b.goal) * (0,))]
    b.steps = [way.index(place) if place in way else NOWHERE for way in ways for place in range(PLACES)]
    met = [(step, b.steps[PLACES + place]) for step, place in enumerate(ways[0])]
    b.across = [at for _, at in met] + (NOWHERE - b.goal) * [NOWHERE]
    b.shared = sum(bit(step) for step, at in met if 0 < at < NOWHERE)
    return b
