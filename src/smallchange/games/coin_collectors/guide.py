"""A guided first game of Coin Collectors: two coins taken, one by its tile and one by its number."""

from smallchange.core.lesson import Lesson
from smallchange.i18n.text import Text

DEAL = bytes(15) + b"\xfe"
OPTIONS: dict[str, object] = {}
DICE = ("dice-S", "dice-M", "dice-C", "dice-A")
LESSONS = (
    Lesson(
        Text(
            "Four pawns set out to collect all 24 coins, one each turn; the dice say which. If none can be "
            "taken, the game is over."
        ),
        ("c3", *DICE),
    ),
    Lesson(
        Text(
            "The suns die shows 4, and its mark points at the suns 4: any pawn beside that tile may take its "
            "coin. Touch the suns pawn, then the coin."
        ),
        ("dice-S", "b3", "c3"),
        "Sb3",
    ),
    Lesson(
        Text(
            "Now roll as many dice again as you like. The suns die opens the next coin already: keep it, and "
            "roll the other three."
        ),
        (*DICE, "a3"),
        "roll:MCA",
    ),
    Lesson(
        Text(
            "This is the other way: the mark points at the coin, whose number is that of the suns die. By its "
            "number, only the suns pawn takes it."
        ),
        ("dice-S", "a3", "b3"),
        "Sa3",
    ),
    Lesson(
        Text("The moons die opens a tile: keep it, and roll the rest."),
        (*DICE, "d3"),
        "roll:SCA",
    ),
    Lesson(
        Text(
            "No pawn enters an empty tile again, so leave yourself several ways on. A is an ace, and O a null."
        )
    ),
)
ADVICE = (
    Text("Send one pawn into each corner: where two share a corner, its coins soon run out."),
    Text("Do not cut a coin off: behind empty squares it is hard to reach."),
    Text("Keep dice that still open a coin for the next turn: then a move is certain."),
    Text("A die for a coin two steps away is worth keeping too: another die may bring the first step."),
)
