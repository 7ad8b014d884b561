"""A guided first game of Solo: the first pawn's way, an ace, a null and a rescue."""

from smallchange.core.lesson import Lesson
from smallchange.i18n.text import Text

DEAL = bytes(15) + b"\x15"
OPTIONS = {"free_moves": 1}
LESSONS = (
    Lesson(
        Text("Turn up all 24 coins before your four pawns are used up."),
        ("pawn-1", "pawn-2", "pawn-3", "pawn-4"),
    ),
    Lesson(
        Text(
            "First spread the coins a little, for a pawn needs a coin to land on. Touch the stack, then the "
            "empty tile."
        ),
        ("b1", "c1"),
        "b1>c1",
    ),
    Lesson(
        Text(
            "A die has put the first pawn here, and the coin below it turned out to be a 2. Go exactly two "
            "tiles to a coin, with one turn at most."
        ),
        ("d1", "b1", "c2", "d3", "found-32"),
        "to:c2",
    ),
    Lesson(
        Text("This coin is an ace: go one tile. You keep it, for it can save a pawn once."),
        ("c2", "b2", "c1", "c3", "found-3a"),
        "to:b2",
    ),
    Lesson(
        Text(
            "A null retires the pawn, and the next one enters. Spend the ace instead: touch the pawn, and it "
            "goes on from here."
        ),
        ("b2", "found-4n", "found-3a"),
        "rescue:b2",
    ),
    Lesson(
        Text("A 4: choose the coin from where you reach more of the others."),
        ("b2", "d4", "e3", "found-44"),
        "to:d4",
    ),
    Lesson(
        Text("A pawn that reaches only empty tiles is retired too. Clear the board before the fourth is.")
    ),
)
ADVICE = (
    Text("End a move where many ways lead on: a pawn that reaches only empty tiles is lost."),
    Text("Spend an ace on a pawn with coins around it, not on one that is lost a move later."),
    Text("Before you spend an ace, look where the next pawn would enter: that may be the better place."),
    Text("Leave coins near each other for last: single ones at the edge cost a pawn each."),
)
