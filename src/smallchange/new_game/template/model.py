"""The board of Pig, and its state."""

from smallchange.core.options import Option, Value, Whole
from smallchange.core.state import Fields, number, numbers

SEATS = ("sun", "moon")
SOURCES = ("die",)
OPTIONS: tuple[Option, ...] = (Whole("goal", 50, 10, 100),)
MAX_POINTS = 104  # the goal, and a throw beyond it
MAX_THROWS = 1000


class Board(Fields):
    """The options of a game as numbers."""

    goal: int = number(10, 100)  # points that win


class State(Fields):
    """The points of both sides, those of the turn, and the die."""

    turn: int = number(-2, 1)
    mover: int = number(0, 1)
    points: list[int] = numbers(2, 0, MAX_POINTS)
    pot: int = number(0, MAX_POINTS)  # points of this turn
    face: int = number(-1, 5)  # of the last throw; -1 before the first
    throws: int = number(0, MAX_THROWS)
    winner: int = number(-1, 1)  # -1 for none


def build(options: dict[str, Value]) -> Board:
    b = Board()
    b.goal = int(options["goal"])
    return b
