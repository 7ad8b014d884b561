"""Why a move of One Man: Thrag! is good: fights that are won, and hit points that stay."""

from smallchange.core.reason import Reason
from smallchange.core.state import count
from smallchange.i18n.text import Plural, Text

from ..model import Board, State
from ..rules import FIGHT, MOONS, PAY, REST, WEAPON, WORTH
from .heuristic import need

REASONS = (
    Reason(
        Plural("it costs {n} hit point", "it costs {n} hit points"),
        -1,
        theme=Text("save hit points", "a theme of puzzles"),
    ),
    Reason(
        Plural(
            "{n} of 100 coins you may draw wins without a wound",
            "{n} of 100 coins you may draw win without a wound",
        ),
        theme=Text("choose the coin", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} of 6 throws wins without a coin", "{n} of 6 throws win without a coin"),
        theme=Text("choose the die", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} hit point stays", "{n} hit points stay"),
        theme=Text("pay with what is worth least", "a theme of puzzles"),
    ),
)


def measure(b: Board, s: State, a: int, t: State) -> list[int | None]:
    """Return the number of each reason: a fight by hand, one with a coin, a weapon, a payment."""
    if a >= PAY:
        return [None, None, None, WORTH[t.hits >> 1]]
    if FIGHT <= a < WEAPON:
        x, coin = divmod(a - FIGHT, 4)
        lack = need(s, x)
        if coin == 0:
            return [max(0, lack), None, None, None]
        return [None, winning_coins(b, s, coin - 1, lack), None, None]
    if WEAPON <= a < WEAPON + MOONS:
        return [None, None, winning_throws(s, a - WEAPON), None]
    if a == REST:
        return [0, None, None, None]
    return [None, None, None, None]


def winning_coins(b: Board, s: State, y: int, lack: int) -> int:
    """Return how many of 100 coins of a suit, as they are left, have the strength that Thrag lacks."""
    won = 0
    for value in range(6):
        if (s.coins[y] >> value) & 1 != 0 and (value if value > 0 else b.null_coins) >= lack:
            won += 1
    return 100 * won // count(s.coins[y])


def winning_throws(s: State, x: int) -> int:
    """Return how many faces of the die of beast `x` make it as weak as Thrag."""
    return sum(1 for value in range(6) if s.beast[x] + value <= s.die[MOONS])
