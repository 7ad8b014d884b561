"""A guided first game of Solo: the first pawn's way, an ace, a null and a rescue."""

from smallchange.core.lesson import Lesson
from smallchange.i18n.text import Text

DEAL = bytes(15) + b"\x02"
OPTIONS = {"free_moves": 1}
LESSONS = (
    Lesson(
        Text("Turn up all 24 coins before your four pawns are used up."),
        ("pawn-1", "pawn-2", "pawn-3", "pawn-4"),
    ),
    Lesson(
        Text("First spread the coins a little: pawns live longer where more tiles have one."),
        ("b1", "b2"),
        "b1>b2",
    ),
    Lesson(
        Text(
            "A die has put the suns pawn here, and the coin below it was a 2: go exactly two "
            "tiles, with one turn at most."
        ),
        ("b2", "a1", "c1", "a3"),
        "to:a1",
    ),
    Lesson(
        Text("An ace: one tile, and you keep it, for it can save a pawn once."),
        ("a1", "b1", "a2", "found-2a"),
        "to:b1",
    ),
    Lesson(
        Text(
            "A null: the pawn must go, and the next one sets out. Spend the ace instead, and go on from here."
        ),
        ("b1", "found-2a"),
        "rescue:b1",
    ),
    Lesson(
        Text("A 5: end where a coin lies, and from where many ways lead on."),
        ("b1", "e3", "d4"),
        "to:d4",
    ),
    Lesson(Text("A pawn that reaches only empty tiles is lost too. Clear the board before the fourth is.")),
)
ADVICE = (
    Text("End a move where many ways lead on: a pawn that reaches only empty tiles is lost."),
    Text("Spend an ace where its pawn has coins around it, not where it is lost a move later."),
    Text("Leave coins near each other for last: single ones at the edge cost a pawn each."),
)
