"""A guided first game of the Royal Game of Ur: rosettes, a capture, and the refuge in the middle."""

from smallchange.core.lesson import Lesson
from smallchange.i18n.text import Text

DEAL = bytes(14) + b"\xb9\xb3"
OPTIONS: dict[str, object] = {}
WAY = ("d1", "c1", "b1", "a1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2", "h1", "g1")
THROW = ("thrown-1", "thrown-2", "thrown-3", "thrown-4")
LESSONS = (
    Lesson(
        Text(
            "You are Sun: bring all seven coins home before Moon does. Your path runs left along your row, right "
            "through the middle, and back along your row to f1."
        ),
        ("sun-waiting", *WAY, "sun-home"),
    ),
    Lesson(
        Text("You throw four coins: the heads say how far one of yours goes. Four heads, so enter on a1."),
        (*THROW, "sun-waiting", "d1", "c1", "b1", "a1"),
        "enter",
    ),
    Lesson(
        Text(
            "On a rosette you throw again: one head, so one square on, into the lane that both sides share."
        ),
        (*THROW, "a1", "a2"),
        "a1",
        ("enter", "a3"),
    ),
    Lesson(
        Text("Moon is one square ahead of you, and you threw one: capture the coin, and it starts again."),
        (*THROW, "a2", "b2"),
        "a2",
    ),
    Lesson(
        Text(
            "Moon threw no heads and misses its turn. You threw two: go to the rosette in the middle, where "
            "nobody can capture you."
        ),
        (*THROW, "b2", "d2"),
        "b2",
    ),
    Lesson(
        Text("Two again: bring a second coin onto the board."), (*THROW, "sun-waiting", "d1", "c1"), "enter"
    ),
    Lesson(
        Text("A coin goes home to f1 by the exact throw. The first to have every coin there wins."),
        ("h1", "g1", "sun-home"),
    ),
)
ADVICE = (
    Text("Land on rosettes: a coin there throws again."),
    Text("Send back the coin that has come furthest: it loses the most."),
    Text("Keep several coins on the board, so that every throw has a good move."),
)
