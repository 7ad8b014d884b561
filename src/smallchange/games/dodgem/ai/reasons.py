"""Why a move of Dodg'em is good: ways that are free, and coins that stand in the way."""

from smallchange.core.reason import Reason
from smallchange.core.state import count
from smallchange.i18n.text import Plural, Text

from ..model import Board, State
from ..rules import ahead, to_go

REASONS = (
    Reason(
        Plural(
            "{n} coin of the other side can go forward",
            "{n} coins of the other side can go forward",
        ),
        -1,
        theme=Text("block", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} of your coins can go forward", "{n} of your coins can go forward"),
        theme=Text("make way", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} step forward is left to you", "{n} steps forward are left to you"),
        -1,
        theme=Text("race home", "a theme of puzzles"),
    ),
)


def measure(b: Board, s: State, a: int, t: State) -> list[int | None]:
    """Return the number of each reason."""
    side = s.turn
    return [count(ahead(b, t, 1 - side)), count(ahead(b, t, side)), to_go(b, t, side)]
