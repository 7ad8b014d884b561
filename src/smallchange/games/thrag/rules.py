"""The rules of One Man: Thrag.

Actions, for beast suits X and coin suits Y (0 suns, 1 crowns, 2 arms) and any suit D (3 moons):

    DRAW + 6 X + value      tile drawn          FIGHT + 4 X         without a coin
    ROLL + 6 D + value      die thrown          FIGHT + 4 X + 1 + Y with a coin of suit Y
    COIN + value            coin flipped        WEAPON + X          pawn X rerolls die X
    HEAL + value            healing tile drawn  WEAPON + 3 + X      black pawn X rerolls the moons die
    PAY + coins             a mask of the numbered coins paid, bit 0 the ace
"""

from smallchange.core.state import CHANCE, OVER, bit, count, lowest

from .model import COINS, TILES, Board, State

VERSION = 1
DRAW, ROLL, COIN, HEAL = 0, 18, 42, 48
FIGHT, WEAPON, REST, PAY = 54, 66, 72, 73
ACTIONS = PAY + 32
MOST = 11  # three fights, four with a coin, three weapons, rest
DRAWING, ROLLING, FIGHTING, FLIPPING, REROLLING, PAYING, HEALING = 0, 1, 2, 3, 4, 5, 6
SLAIN, KILLED, EXHAUSTED, BREAKFAST = 1, 2, 3, 4
MOONS = 3
HOURS = 12
# what a set of numbered coins is worth
WORTH = (
    0, 1, 2, 3, 3, 4, 5, 6, 4, 5, 6, 7, 7, 8, 9, 10,
    5, 6, 7, 8, 8, 9, 10, 11, 9, 10, 11, 12, 12, 13, 14, 15,
)  # fmt: skip


def setup(b: Board, s: State) -> None:
    for d in range(4):
        s.stack[d] = TILES
    for x in range(3):
        s.coins[x] = COINS
    s.hits = bit(0) | bit(2) | bit(4)
    s.pawns = b.weapons
    begin(s)


def begin(s: State) -> None:
    """Begin a new hour: the dice are picked up, and the first living suit draws."""
    for d in range(4):
        s.die[d] = -1
    s.fought = 0
    s.phase = DRAWING
    s.suit = living_after(s, -1)
    s.turn = CHANCE


def living_after(s: State, x: int) -> int:
    """Return the next suit with living beasts, or 3 if none is left."""
    x += 1
    while x < MOONS and s.slain[x] == TILES:  # TH-9
        x += 1
    return x


def legal(b: Board, s: State, out: list[int]) -> int:
    if s.phase == PAYING:
        return payments(s, out)
    n = 0
    for x in range(3):
        if s.beast[x] != 0:
            n = fights(s, x, out, n)
    for x in range(3):
        if s.beast[x] != 0 and s.pawns & bit(x) != 0:  # TH-3
            out[n] = WEAPON + x
            n += 1
    for x in range(3):
        if s.slain[x] == TILES and s.pawns & bit(x) != 0:  # TH-6
            out[n] = WEAPON + 3 + x
            n += 1
    if s.fought != 0:
        out[n] = REST
        n += 1
    return n


def fights(s: State, x: int, out: list[int], n: int) -> int:
    """Ways to fight the beast of suit `x`: without a coin, and with one coin at most."""
    out[n] = FIGHT + 4 * x  # TH-2
    n += 1
    for y in range(3):
        if flippable(s, x, y):
            out[n] = FIGHT + 4 * x + 1 + y
            n += 1
    return n


def flippable(s: State, x: int, y: int) -> bool:
    """Return whether a coin of suit `y` may be flipped against the beast of suit `x`."""
    return s.coins[y] != 0 and (y == x or s.coins[x] == 0)  # TH-1


def payments(s: State, out: list[int]) -> int:
    """List the sets of numbered coins that pay the damage and from which no coin can be left out."""
    held = s.hits >> 1
    n = 0
    for paid in range(1, 32):
        if paid & ~held == 0 and pays(paid, s.damage):  # TH-4
            out[n] = PAY + paid
            n += 1
    return n


def odds(b: Board, s: State, out: list[int], weights: list[int]) -> int:
    first = ROLL + 6 * s.suit
    shown = COINS  # a die shows null to five
    if s.phase == DRAWING:
        first = DRAW + 6 * s.suit
        shown = s.stack[s.suit]
    elif s.phase == FLIPPING:
        first = COIN
        shown = s.coins[s.flip]
    elif s.phase == HEALING:
        first = HEAL
        shown = s.stack[MOONS]
    n = 0
    for value in range(6):
        if (shown >> value) & 1 != 0:
            out[n] = first + value
            weights[n] = 1
            n += 1
    return n


def source(b: Board, s: State) -> int:
    if s.phase == DRAWING:
        return s.suit
    if s.phase == FLIPPING:
        return 8 + s.flip
    if s.phase == HEALING:
        return MOONS
    return 4 + s.suit


def play(b: Board, s: State, a: int) -> None:
    if a < ROLL:
        draw(s, a - DRAW - 6 * s.suit)
    elif a < COIN:
        roll(s, a - ROLL - 6 * s.suit)
    elif a < HEAL:
        value = a - COIN
        s.coins[s.flip] ^= bit(value)
        strike(b, s, value if value > 0 else b.null_coins)
    elif a < FIGHT:
        heal(s, a - HEAL)
    elif a < WEAPON:
        fight(b, s, (a - FIGHT) // 4, (a - FIGHT) % 4 - 1)
    elif a < REST:
        reroll(s, (a - WEAPON) % 3, a >= WEAPON + 3)
    elif a == REST:
        rest(s)
    else:
        s.hits ^= (a - PAY) << 1
        onward(s)


def draw(s: State, value: int) -> None:
    s.stack[s.suit] ^= bit(value)
    s.beast[s.suit] = value
    s.suit = living_after(s, s.suit)
    if s.suit == MOONS:
        s.phase = ROLLING
        s.suit = living_after(s, -1)


def roll(s: State, value: int) -> None:
    s.die[s.suit] = value
    if s.phase == REROLLING or s.suit == MOONS:
        onward(s)
    else:
        s.suit = living_after(s, s.suit)


def reroll(s: State, x: int, black: bool) -> None:
    s.pawns ^= bit(x)
    s.suit = MOONS if black else x
    s.phase = REROLLING
    s.turn = CHANCE


def onward(s: State) -> None:
    """Thrag may go on fighting."""
    s.damage = 0
    s.phase = FIGHTING
    s.turn = 0


def fight(b: Board, s: State, x: int, y: int) -> None:
    """Thrag fights the beast of suit `x` with a coin of suit `y`; -1 for none."""
    s.suit = x
    s.fought = 1
    if y < 0:
        strike(b, s, 0)
    else:
        s.flip = y
        s.phase = FLIPPING
        s.turn = CHANCE


def strike(b: Board, s: State, coin: int) -> None:
    x = s.suit
    missing = s.beast[x] + s.die[x] - s.die[MOONS] - coin
    if missing <= 0:
        s.slain[x] |= bit(s.beast[x])
        s.beast[x] = 0
        if beasts(s) == 0:
            finish(s, SLAIN)  # TH-8
            return
    elif missing > WORTH[s.hits >> 1]:
        s.damage = missing
        finish(s, KILLED)  # TH-5
        return
    if b.fight_on == 0 and s.coins[0] | s.coins[1] | s.coins[2] == 0:
        finish(s, EXHAUSTED)  # TH-7
    elif missing > 0:
        suffer(s, missing)
    elif s.beast[0] + s.beast[1] + s.beast[2] == 0:
        rest(s)
    else:
        onward(s)


def beasts(s: State) -> int:
    """Return the number of living beasts."""
    return 15 - count(s.slain[0]) - count(s.slain[1]) - count(s.slain[2])


def suffer(s: State, damage: int) -> None:
    """Thrag pays; he is asked only where he has a choice."""
    s.damage = damage
    held = s.hits >> 1
    only = 0
    ways = 0
    for paid in range(1, 32):
        if paid & ~held == 0 and pays(paid, damage):
            only = paid
            ways += 1
    if ways == 1:  # TH-4
        s.hits ^= only << 1
        onward(s)
    else:
        s.phase = PAYING
        s.turn = 0


def pays(paid: int, damage: int) -> bool:
    """Return whether this set is worth the damage, and is not without its least coin."""
    return WORTH[paid] >= damage and WORTH[paid] - 1 - lowest(paid) < damage


def rest(s: State) -> None:
    """End the fighting: living beasts go to the discards, and a healing tile is drawn."""
    for x in range(3):
        if s.beast[x] != 0:
            s.discards[x] |= bit(s.beast[x])
            s.beast[x] = 0
    s.suit = MOONS
    s.phase = HEALING
    s.turn = CHANCE


def heal(s: State, value: int) -> None:
    s.hits |= bit(value)
    s.stack[MOONS] ^= bit(value)
    s.discards[MOONS] |= bit(value)
    for d in range(4):
        if s.stack[d] == 0:  # TH-10
            s.stack[d] = s.discards[d]  # nothing at all where every beast is slain: TH-12
            s.discards[d] = 0
    s.hour += 1
    if s.hour == HOURS:
        finish(s, BREAKFAST)  # TH-11
    else:
        begin(s)


def finish(s: State, reason: int) -> None:
    s.reason = reason
    s.turn = OVER


def score(b: Board, s: State, seat: int) -> int:
    """Return the hours and weapons left after a win, and minus the number of beasts left after a loss."""
    if s.reason == SLAIN:
        return HOURS - 1 - s.hour + count(s.pawns)
    return -beasts(s)
