"""A guided first hour of One Man: Thrag!: a fight, a coin, a weapon, a wound and a rest."""

from smallchange.core.lesson import Lesson
from smallchange.i18n.text import Text

DEAL = bytes(14) + b"\x2c\x24"
OPTIONS: dict[str, object] = {}
LESSONS = (
    Lesson(
        Text("Fifteen beasts are loose: slay them all within twelve hours."),
        ("beast-S", "beast-C", "beast-A"),
    ),
    Lesson(
        Text(
            "A beast is as strong as its tile and its die together, and you as the moons die: 3. The mark "
            "shows its strength, then what a fight would cost you."
        ),
        ("beast-S", "throw-S", "beast-C", "throw-C", "beast-A", "throw-A", "throw-M"),
    ),
    Lesson(
        Text("The suns beast has 3 as well, and the same strength is enough: touch its tile."),
        ("beast-S", "throw-S", "throw-M"),
        "fight:S",
    ),
    Lesson(
        Text("Crowns has 4: add an attack coin of its suit, whose number is hidden until you fight."),
        ("beast-C", "throw-C", "coins-C", "throw-M"),
        "fight:C+C",
    ),
    Lesson(
        Text(
            "It was a 5, more than enough. Arms has 7: spend the weapon of its suit to throw its die again."
        ),
        ("beast-A", "throw-A", "weapon-A"),
        "weapon:A",
    ),
    Lesson(
        Text("Now it has 4: fight it with a coin."),
        ("beast-A", "throw-A", "coins-A", "throw-M"),
        "fight:A+A",
    ),
    Lesson(
        Text(
            "The coin was a null, so you lose by 1, and the beast lives. Pay with whole coins: choose the 2."
        ),
        ("hits-2", "hits-4"),
        "pay:2",
    ),
    Lesson(
        Text("Rest: the next hour brings new dice, and a healing tile may bring a coin back."),
        ("beast-A", "throw-A", "hits-2"),
        "rest",
    ),
    Lesson(
        Text(
            "You lose when the attack coins run out, or the hit points: a dagger (†) marks a fight that would "
            "kill you."
        )
    ),
)
ADVICE = (
    Text(
        "Remember which coins have turned up: spend one of a suit where most of those left would be enough."
    ),
    Text("Use a special weapon where no coin is enough: a new throw can bring a strong beast down."),
    Text("Watch the clock: a beast that is put off must still be fought before the night is over."),
)
