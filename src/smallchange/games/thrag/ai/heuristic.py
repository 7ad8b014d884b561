"""A sensible player of One Man: Thrag.

Everything is weighed in hundredths of a hit point. A slain beast is worth most; damage, coins and weapons
cost something, and death costs everything. So the player takes certain wins first, flips a coin where it
probably suffices, spends a weapon where a new throw promises more, and otherwise rests.
"""

from smallchange.core.state import count

from ..model import COINS, Board, State
from ..rules import FIGHT, MOONS, PAY, REST, WEAPON, WORTH, beasts, flippable

BEAST = 600  # a slain beast
DAMAGE = 100  # a hit point lost
FLIP = 300  # an attack coin, while no more are left than beasts
PAWN = 200  # a weapon
DEATH = 5000


def move_score(b: Board, s: State, a: int, t: State) -> int:
    """Return the score of action `a` in `s`, given `t`, the state after it; the highest is played."""
    if a >= PAY:
        return keeping(t)
    if a == REST:
        return 0
    if a >= WEAPON + 3:
        return new_black_throw(b, s) - PAWN
    if a >= WEAPON:
        return new_throw(b, s, a - WEAPON) - PAWN
    x = (a - FIGHT) // 4
    return duel(b, s, (a - FIGHT) % 4 - 1, need(s, x))


def need(s: State, x: int) -> int:
    """Return the strength that Thrag lacks against the beast of suit `x`."""
    return s.beast[x] + s.die[x] - s.die[MOONS]


def duel(b: Board, s: State, y: int, lack: int) -> int:
    """Return the average value of a fight with a coin of suit `y`, -1 for no coin."""
    if y < 0:
        return outcome(s, lack)
    total = 0
    for value in range(6):
        if (s.coins[y] >> value) & 1 != 0:
            total += outcome(s, lack - (value if value > 0 else b.null_coins))
    return total // count(s.coins[y]) - coin_price(s)


def outcome(s: State, lack: int) -> int:
    if lack <= 0:
        return BEAST
    if lack > WORTH[s.hits >> 1]:
        return -DEATH
    return -DAMAGE * lack


def coin_price(s: State) -> int:
    """Coins to spare are cheap."""
    spare = count(s.coins[0]) + count(s.coins[1]) + count(s.coins[2]) - beasts(s)
    return FLIP if spare <= 0 else FLIP // (1 + spare)


def best_duel(b: Board, s: State, x: int, lack: int) -> int:
    """Return the value of the best action against the beast of suit `x`, leaving it alone included."""
    best = max(0, duel(b, s, -1, lack))
    for y in range(3):
        if flippable(s, x, y):
            best = max(best, duel(b, s, y, lack))
    return best


def new_throw(b: Board, s: State, x: int) -> int:
    """Return the average gain of a new throw of a beast's die."""
    total = 0
    for value in range(6):
        total += best_duel(b, s, x, s.beast[x] + value - s.die[MOONS])
    return total // 6 - best_duel(b, s, x, need(s, x))


def new_black_throw(b: Board, s: State) -> int:
    """Return the average gain, over all beasts, of a new throw of Thrag's own die."""
    total = 0
    for x in range(3):
        if s.beast[x] != 0:
            for value in range(6):
                total += best_duel(b, s, x, s.beast[x] + s.die[x] - value)
            total -= 6 * best_duel(b, s, x, need(s, x))
    return total // 6


def keeping(t: State) -> int:
    """Hit points kept; and the better if healing may soon bring the others back."""
    back = (COINS & ~t.hits) & t.stack[MOONS]
    return 10 * WORTH[t.hits >> 1] + WORTH[back >> 1]
