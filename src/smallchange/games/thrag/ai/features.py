"""Features of One Man: Thrag! for learning: hours, beasts, coins, hit points, the cost of a fight."""

from smallchange.core.state import bit, count

from ..model import Board, State
from ..rules import FIGHTING, FLIPPING, MOONS, PAYING, REROLLING, WORTH, beasts

HOUR = 0  # hours gone by: 0 to 12
ALIVE = 13  # beasts left: 0 to 15
HITS = 29  # what the numbered hit points are worth: 0 to 15
HELD = 45  # each hit point by value, null first
BACK = 51  # each healing tile in the stack that would bring a hit point back, ace first
FULL = 56  # healing tiles in the stack: 0 to 5; those that bring one back
PURSES = 63  # attack coins: 0 to 18
SPARE = 82  # .. less beasts left, -6 to 6
PAWNS = 95  # weapons: 0 to 3
DOING = 99  # fighting, flipping, throwing anew, resting or paying; has Thrag fought?
BLACK = 104  # the moons die: 0 to 5, 6 for not rolled
FLIPPED = 111  # of the coin being flipped, in 60ths: wins, damage, death, damage with null ignored
NEAR = 115  # beasts drawn that can be slain without a coin; with the best coin; their costs, at most 9
SUIT = 120  # three times:
DEAD, STACKED, DRAWN, THROWN, LACK, PURSE, ARMED = 0, 6, 11, 17, 24, 37, 44  # .. see `suit`
SIZE = 45
FEATURES = 255


def is_afterstate(b: Board, s: State) -> bool:
    """Return whether an action can be judged by this state: not before the damage is paid."""
    return s.phase != PAYING


def features(b: Board, s: State, seat: int, out: list[int]) -> None:
    """Write the FEATURES numbers that describe a state."""
    for i in range(FEATURES):
        out[i] = 0
    alive = beasts(s)
    coins = count(s.coins[0]) + count(s.coins[1]) + count(s.coins[2])
    out[HOUR + s.hour] = 1
    out[ALIVE + alive] = 1
    out[PURSES + coins] = 1
    out[SPARE + 6 + min(6, max(-6, coins - alive))] = 1
    out[PAWNS + count(s.pawns)] = 1
    health(s, out)
    phase(s, out)
    for x in range(3):
        suit(b, s, x, out)
    if s.phase == FLIPPING:
        flip(b, s, out)


def health(s: State, out: list[int]) -> None:
    """Describe the hit points, and those that healing may bring back."""
    out[HITS + WORTH[s.hits >> 1]] = 1
    for value in range(6):
        out[HELD + value] = (s.hits >> value) & 1
    back = s.stack[MOONS] & ~s.hits
    for value in range(1, 6):
        out[BACK + value - 1] = (back >> value) & 1
    out[FULL + count(s.stack[MOONS])] = 1
    out[FULL + 6] = count(back)


def phase(s: State, out: list[int]) -> None:
    step = 3
    if s.phase == FIGHTING or s.phase == PAYING:
        step = 0
    elif s.phase == FLIPPING:
        step = 1
    elif s.phase == REROLLING:
        step = 2
    out[DOING + step] = 1
    out[DOING + 4] = s.fought
    out[BLACK + (6 if s.die[MOONS] < 0 else s.die[MOONS])] = 1


def suit(b: Board, s: State, x: int, out: list[int]) -> None:
    """One suit: its beasts, die, coins and weapon, and what Thrag lacks against the beast drawn."""
    i = SUIT + SIZE * x
    out[i + DEAD + count(s.slain[x])] = 1
    for value in range(1, 6):
        out[i + STACKED + value - 1] = (s.stack[x] >> value) & 1
    out[i + DRAWN + s.beast[x]] = 1
    out[i + THROWN + (6 if s.die[x] < 0 else s.die[x])] = 1
    for value in range(6):
        out[i + PURSE + value] = (s.coins[x] >> value) & 1
    out[i + PURSE + 6] = count(s.coins[x])
    out[i + ARMED] = (s.pawns >> x) & 1
    rerolled = s.phase == REROLLING and (s.suit == x or s.suit == MOONS)
    if s.beast[x] == 0 or s.die[x] < 0 or s.die[MOONS] < 0 or rerolled:
        out[i + LACK + 12] = 1
        return
    lack = s.beast[x] + s.die[x] - s.die[MOONS]
    out[i + LACK + min(10, max(0, lack))] = 1
    out[NEAR] += 1 if lack <= 0 else 0
    out[NEAR + 1] += 1 if 0 < lack <= 5 and s.coins[x] >> lack != 0 else 0
    out[NEAR + 2] += min(9, max(0, lack))
    out[i + LACK + 11] = 1 if lack > WORTH[s.hits >> 1] else 0


def flip(b: Board, s: State, out: list[int]) -> None:
    """Write what the coin being flipped may bring."""
    x = s.suit
    lack = s.beast[x] + s.die[x] - s.die[MOONS]
    n = count(s.coins[s.flip])
    share = 60 // max(1, n)
    for value in range(6):
        if s.coins[s.flip] & bit(value) != 0:
            missing = lack - (value if value > 0 else b.null_coins)
            if missing <= 0:
                out[FLIPPED] += share
            elif missing > WORTH[s.hits >> 1]:
                out[FLIPPED + 2] += share
            else:
                out[FLIPPED + 1] += share * missing // 5
