"""A guided first game of Dodg'em: a whole game on nine squares."""

from smallchange.core.lesson import Lesson
from smallchange.i18n.text import Text

DEAL = bytes(16)
OPTIONS = {"size": 3}
WAY_OUT = ("c1-right", "c2-right", "c3-right")
LESSONS = (
    Lesson(
        Text("You are Red: get both coins off the right side before Green gets both off the left."),
        ("a1", "a2", *WAY_OUT),
    ),
    Lesson(
        Text("Touch a coin, then the ring: it steps one square forward."), ("a1", "b1"), "a1-b1", ("c3-b3",)
    ),
    Lesson(Text("Green does the same, the other way: go on."), ("b3", "b1", "c1"), "b1-c1", ("b3-b2",)),
    Lesson(
        Text(
            "Green has stepped sideways, as you may too. From the last column, one more step forward leaves the "
            "board."
        ),
        ("b2", "c1", "c1-right"),
        "c1-off",
        ("c2-c3",),
    ),
    Lesson(
        Text("Green stands in your way, and there is no capturing: step sideways, around it."),
        ("a1", "a2", "b2"),
        "a2-a1",
        ("b2-a2",),
    ),
    Lesson(Text("Now the way is free."), ("a1", "b1", "c1", "c1-right"), "a1-b1", ("a2-off",)),
    Lesson(Text("Green has one coin off too."), ("b1", "c1", "c3"), "b1-c1", ("c3-b3",)),
    Lesson(Text("Leave with your last coin."), ("c1", "c1-right"), "c1-off"),
    Lesson(
        Text(
            "You have won. The full board has six squares a side and five coins for each; a player who cannot "
            "move passes."
        )
    ),
)
ADVICE = (
    Text("Run and block at once: a coin in the other side’s way costs them a step to the side."),
    Text("Bring the coins at the back along: the one left behind decides the race."),
    Text("Count the steps of both sides: the one that is ahead runs, the other one blocks."),
)
