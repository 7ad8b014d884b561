"""Why a move of One Man: Thrag! is good: fights that are won, and hit points that stay."""

from smallchange.core.reason import Reason
from smallchange.core.state import count
from smallchange.i18n.text import Plural, Text

from ..model import Board, State
from ..rules import FIGHT, MOONS, PAY, REST, WEAPON, WORTH
from .heuristic import need

REASONS = (
    Reason(
        Plural("on average it costs {n} hit point", "on average it costs {n} hit points"),
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
    Reason(Text("the beast is slain in {n} of 100 cases"), theme=Text("strike now", "a theme of puzzles")),
    Reason(
        Plural("it frees {n} coin of another suit", "it frees {n} coins of other suits"),
        theme=Text("free the other coins", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} attack coin is left", "{n} attack coins are left"),
        theme=Text("save the coins", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} hit point stays", "{n} hit points stay"),
        theme=Text("pay with what is worth least", "a theme of puzzles"),
    ),
    Reason(
        Plural("healing may soon bring back {n} hit point", "healing may soon bring back {n} hit points"),
        theme=Text("pay with what comes back", "a theme of puzzles"),
    ),
)


def measure(b: Board, s: State, a: int, t: State) -> list[int | None]:
    """Return the number of each reason: a fight by hand, one with a coin, a weapon, a payment."""
    left = count(s.coins[0]) + count(s.coins[1]) + count(s.coins[2])
    damage, coins, slain, free = None, None, None, None
    if a >= PAY:
        back = WORTH[(t.stack[MOONS] & ~t.hits) >> 1]
        return [damage, coins, slain, free, None, WORTH[t.hits >> 1], back]
    if FIGHT <= a < WEAPON:
        x, coin = divmod(a - FIGHT, 4)
        lack = need(s, x)
        own = count(s.coins[x])
        if coin == 0:
            damage, slain = max(0, lack), 100 if lack <= 0 else 0
        else:
            coins = slain = winning_coins(b, s, coin - 1, lack)
            damage = mean_damage(b, s, coin - 1, lack)
            left -= 1
            own -= coin - 1 == x
        if s.coins[x] != 0:
            free = 0 if own > 0 else left
    elif a == REST:
        damage, slain = 0, 0
    return [damage, coins, slain, free, left, None, None]


def mean_damage(b: Board, s: State, y: int, lack: int) -> int:
    """Return the damage of a fight with a coin of a suit, as they are left, rounded to the nearest."""
    values = [value if value > 0 else b.null_coins for value in range(6) if (s.coins[y] >> value) & 1 != 0]
    return round(sum(max(0, lack - value) for value in values) / len(values))


def winning_coins(b: Board, s: State, y: int, lack: int) -> int:
    """Return how many of 100 coins of a suit, as they are left, have the strength that Thrag lacks."""
    won = 0
    for value in range(6):
        if (s.coins[y] >> value) & 1 != 0 and (value if value > 0 else b.null_coins) >= lack:
            won += 1
    return 100 * won // count(s.coins[y])
