"""A guided first hour of One Man: Thrag!: a fight, a coin, a weapon, a wound and a rest."""

from smallchange.core.lesson import Lesson
from smallchange.i18n.text import Text

DEAL = bytes(15) + b"\xc9"
OPTIONS: dict[str, object] = {}
LESSONS = (
    Lesson(
        Text("Fifteen beasts are loose: slay them all within twelve hours."),
        ("beast-S", "beast-C", "beast-A"),
    ),
    Lesson(
        Text(
            "A beast is as strong as its tile and its die together, and you are as strong as the "
            "moons die: 4."
        ),
        ("beast-S", "throw-S", "beast-C", "throw-C", "beast-A", "throw-A", "throw-M"),
    ),
    Lesson(
        Text("The suns beast has 4 as well: fight it, for equal strength slays."),
        ("beast-S", "throw-S", "throw-M"),
        "fight:S",
    ),
    Lesson(
        Text("Crowns has 5, so add an attack coin of its suit; its number is hidden until you fight."),
        ("beast-C", "throw-C", "coins-C", "throw-M"),
        "fight:C+C",
    ),
    Lesson(
        Text("It was an ace: just enough. Arms has 8, so spend a weapon to throw its die again."),
        ("beast-A", "throw-A", "weapon-A"),
        "weapon:A",
    ),
    Lesson(
        Text("Now it has 5, one more than you: fight anyway, and pay for the difference."),
        ("beast-A", "throw-A", "throw-M"),
        "fight:A",
    ),
    Lesson(Text("You lose 1, but pay with whole coins: choose the 2."), ("hits-2", "hits-4"), "pay:2"),
    Lesson(
        Text("Rest: a healing tile may bring a coin back, and the next hour begins."),
        ("beast-A", "throw-A"),
        "rest",
    ),
    Lesson(Text("Spend attack coins with care: when the last is gone, you have lost.")),
)
ADVICE = (
    Text("Fight with the smallest coin that is enough, and keep the large ones for strong beasts."),
    Text("Use a special weapon where no coin is enough: a new throw can bring a strong beast down."),
    Text("Watch the clock: a beast that is put off must still be fought before the night is over."),
)
