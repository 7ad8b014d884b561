"""Why a move of Coin Age is good: points if the game ended now, and coins that can be covered."""

from smallchange.core.reason import Reason
from smallchange.core.state import count
from smallchange.i18n.text import Plural, Text

from ..model import Board, State
from ..rules import bank_value, controlled_spaces, empty, points
from .features import coverable, kinds

REASONS = (
    Reason(
        Plural("{n} space stays empty", "{n} spaces stay empty"),
        theme=Text("keep the game open", "a theme of puzzles"),
    ),
    Reason(
        Plural(
            "you would have {n} point if the game ended now",
            "you would have {n} points if the game ended now",
        ),
        theme=Text("add points", "a theme of puzzles"),
    ),
    Reason(
        Plural(
            "the other side would have {n} point if the game ended now",
            "the other side would have {n} points if the game ended now",
        ),
        -1,
        theme=Text("deny points", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} of your coins can be covered", "{n} of your coins can be covered"),
        -1,
        theme=Text("safe coins", "a theme of puzzles"),
    ),
    Reason(
        Plural("you can cover {n} coin of the other side", "you can cover {n} coins of the other side"),
        theme=Text("threaten to cover", "a theme of puzzles"),
    ),
)


def measure(b: Board, s: State, a: int, t: State) -> list[int | None]:
    """Return the number of each reason: empty spaces for a side behind. A bank covers by its kinds of coins."""
    side = s.turn
    mine, theirs = controlled_spaces(t, side), controlled_spaces(t, 1 - side)
    lead = points(b, s, side) - points(b, s, 1 - side) or bank_value(s, side) - bank_value(s, 1 - side)
    return [
        count(empty(b, t)) if lead < 0 else None,
        points(b, t, side),
        points(b, t, 1 - side),
        count(mine & coverable(t, kinds(t, 1 - side))),
        count(theirs & coverable(t, kinds(t, side))),
    ]
