"""A guided first game of Coin Collectors: two coins taken, one by its tile and one by " "its number."""

from smallchange.core.lesson import Lesson
from smallchange.i18n.text import Text

DEAL = bytes(15) + b"\x19"
OPTIONS: dict[str, object] = {}
LESSONS = (
    Lesson(
        Text("Four pawns set out to collect all 24 coins, one each turn; the dice say which."),
        ("c3", "dice-S", "dice-M", "dice-C", "dice-A"),
    ),
    Lesson(
        Text(
            "The crowns die shows 5, so any pawn beside the crowns 5 takes its coin. Touch the "
            "suns pawn, then the coin."
        ),
        ("dice-C", "c2", "c3"),
        "Sc2",
    ),
    Lesson(
        Text("Now choose dice to roll again: keep what may still help, and roll the rest."),
        ("dice-S", "dice-M", "dice-C", "dice-A"),
        "roll:CA",
    ),
    Lesson(
        Text(
            "The other way: the arms die shows an ace, and so does this coin. By its number, "
            "only the arms pawn takes it."
        ),
        ("dice-A", "c3", "d3"),
        "Ad3",
    ),
    Lesson(Text("Roll three dice, and keep the crowns die."), ("dice-C",), "roll:SMA"),
    Lesson(Text("If no pawn can take a coin, the game is over, so leave yourself several ways on.")),
)
ADVICE = (
    Text("Send one pawn into each corner: where two share a corner, its coins soon run out."),
    Text("Cut no coin off: behind squares that are empty already, it is hard to reach."),
    Text("Keep dice that still open a coin for the next turn: then a move is certain."),
    Text("A die for a coin two steps away is worth keeping too: another die may bring the first step."),
)
