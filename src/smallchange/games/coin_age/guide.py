"""A guided first game of Coin Age: two turns of heads, one of tails."""

from smallchange.core.lesson import Lesson
from smallchange.i18n.text import Text

from .model import Board, State

DEAL = bytes(14) + b"\x01\x8e"
OPTIONS: dict[str, object] = {}
BANK = ("heads-1", "heads-2", "heads-3", "heads-4")
LESSONS = (
    Lesson(
        Text(
            "You are Heads: hold more points on the map than Tails. A space counts what the coin "
            "on top is worth."
        ),
        ("a1", "b1", "c1", "a2", "b2", "c2", "d2", "a3", "b3", "c3"),
    ),
    Lesson(Text("Each turn begins with a toss: coins that show your side match, and may be placed."), BANK),
    Lesson(
        Text(
            "Two or more match, so place two: the 4 on b1, a region by itself. In a region where you hold more "
            "spaces than Tails, your points count double."
        ),
        ("heads-4", "b1"),
        "4@b1",
    ),
    Lesson(
        Text(
            "Then the 3 on d2: a region’s mark counts the spaces that each side holds, with a frame around the "
            "one that counts double."
        ),
        ("heads-3", "b1", "d2"),
        "3@d2",
        ("1@b1", "end"),
    ),
    Lesson(Text("Tails has covered your 4 with a 1: a smaller coin goes on top of a larger one."), ("b1",)),
    Lesson(
        Text("No coin of yours matches now, so you may capture a coin for your bank: take the 1."),
        (*BANK, "b1"),
        "xb1",
    ),
    Lesson(
        Text(
            "You may also move all the coins of a space, even of one that Tails holds, to an empty space beside "
            "it. Leave them, and end the turn."
        ),
        ("b1", "d2"),
        "end",
    ),
    Lesson(
        Text(
            "The game ends when the map is full or a bank is empty, and coins still in your bank "
            "count one each."
        )
    ),
)


def is_gentle(b: Board, s: State) -> bool:
    """Return whether a first turn begins with a coin that matches."""
    return s.matches > 0


ADVICE = (
    Text("Secure small regions first: a region you control counts double."),
    Text("Put small coins on top of the other side’s large ones: the coin on top counts."),
    Text("The quarter scores most, and is the likeliest to be covered: place it where that is hard."),
    Text("Look ahead to the end: a full map or an empty bank ends the game, so be ahead by then."),
)
