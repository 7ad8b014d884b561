"""Why a move of the Royal Game of Ur is good: another throw, a capture, and coins out of reach."""

from smallchange.core.reason import Reason
from smallchange.core.state import CHANCE, OVER, lowest
from smallchange.i18n.text import Plural, Text

from ..model import Board, State
from ..rules import capturable, steps_made, throws_onto

REASONS = (
    Reason(
        Plural("it sends a coin back {n} step", "it sends a coin back {n} steps"),
        theme=Text("capture", "a theme of puzzles"),
    ),
    Reason(
        Plural("it gives {n} more throw", "it gives {n} more throws"),
        theme=Text("win another throw", "a theme of puzzles"),
    ),
    Reason(
        Plural(
            "{n} of your coins stands where the next throw may capture it",
            "{n} of your coins stand where the next throw may capture them",
        ),
        -1,
        theme=Text("leave no shot", "a theme of puzzles"),
    ),
)


def measure(b: Board, s: State, a: int, t: State) -> list[int | None]:
    """Return the number of each reason."""
    side = s.mover
    lost = steps_made(b, s, 1 - side) - steps_made(b, t, 1 - side)
    again = int(t.turn != OVER and (t.turn == side or (t.turn == CHANCE and t.mover == side)))
    return [lost, again, coins_in_danger(b, t, side)]


def coins_in_danger(b: Board, t: State, side: int) -> int:
    """Return the number of coins of a side that some throw of the other can capture."""
    coins, found = capturable(b, t, side), 0
    while coins != 0:
        step = lowest(coins)
        coins &= coins - 1
        if throws_onto(b, t, 1 - side, b.across[step]) > 0:
            found += 1
    return found
