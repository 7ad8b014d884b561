"""One Man: Thrag! on the table: what lies on the places of `places.py`, and what one touches."""

from functools import cache, lru_cache
from operator import attrgetter

from smallchange.i18n.text import Plural, Text, capital
from smallchange.render.piece_names import DIE, PAWN, SUIT, VALUE, VALUES
from smallchange.render.scene import Badge, Mark, Piece, Scene, Tally, Touch

from .emblems import emblem
from .model import COINS, SUITS, TILES, Board, State
from .names import beast
from .notation import payment_values
from .places import areas
from .rules import COIN, FIGHT, HEAL, HOURS, MOONS, REST, ROLL, WEAPON, WORTH, beasts
from .words import after

DEADLY, SLAYS = "†", "✓"  # on a badge: a fight would kill Thrag, or slay the beast
FREE = Text("a fight without a coin slays it")
COSTS = Plural("a fight without a coin costs {n} hit point", "a fight without a coin costs {n} hit points")
FATAL = Plural(
    "a fight without a coin costs {n} hit point, which kills Thrag",
    "a fight without a coin costs {n} hit points, which kills Thrag",
)


def scene(b: Board, s: State) -> Scene:
    pieces = [*tiles(b, s), *dice(s), *attack_coins(b, s), *moons_coins(s), *pawns(b, s)]
    pieces.sort(key=attrgetter("id"))
    return Scene(areas(b.weapons, b.show_used), tuple(pieces), tallies(s), strengths(s))


def tiles(b: Board, s: State) -> list[Piece]:
    """Backs on the draw stacks and discards, faces for drawn and slain beasts."""
    found: list[Piece] = []
    for d in range(4):
        found += backs("stack", d, s.stack[d].bit_count())
        shown = d == MOONS and b.show_used
        found += used_tiles(s.discards[d]) if shown else backs("discards", d, s.discards[d].bit_count())
    for x in range(MOONS):
        found += slain_beasts(x, s.slain[x])
        if s.beast[x]:
            found.append(living_beast(x, s.beast[x]))
    return found


@cache
def backs(pile: str, d: int, n: int) -> tuple[Piece, ...]:
    """Return the `n` tiles of a suit in a pile, face down."""
    suit = SUITS[d]
    text = Text("{suit} tile, face down").fill(suit=SUIT[suit])
    return tuple(Piece(f"{pile}-{suit}-{i}", f"{pile}-{suit}", "back", text, level=i) for i in range(n))


@cache
def used_tiles(values: int) -> tuple[Piece, ...]:
    """Return the healing tiles that have been drawn, where they may be seen."""
    said = Text("healing tile {value}, used")
    return tuple(
        Piece(f"tile-M{v}", f"used-M{v}", "tile", said.fill(value=VALUE[v]), "M", v)
        for i, v in enumerate(VALUES)
        if values >> i & 1
    )


@cache
def slain_beasts(x: int, values: int) -> tuple[Piece, ...]:
    """Return the slain beasts of a suit, each in its place."""
    said = Text("{beast}, slain")
    suit = SUITS[x]
    return tuple(
        Piece(
            f"tile-{suit}{v}",
            f"slain-{suit}{v}",
            "tile",
            said.fill(beast=beast(x, i)),
            suit,
            v,
            state="spent",
            emblem=emblem(x, i),
        )
        for i, v in enumerate(VALUES)
        if values >> i & 1
    )


@cache
def living_beast(x: int, value: int) -> Piece:
    suit, v = SUITS[x], VALUES[value]
    return Piece(
        f"tile-{suit}{v}", f"beast-{suit}", "tile", beast(x, value), suit, v, emblem=emblem(x, value)
    )


def dice(s: State) -> list[Piece]:
    """Return the dice that have been thrown this hour; the others are off the table."""
    return [die(d, value) for d, value in enumerate(s.die) if value >= 0]


@cache
def die(d: int, value: int) -> Piece:
    suit, v = SUITS[d], VALUES[value]
    text = Text("{die}: {value}").fill(die=capital(DIE[suit]), value=VALUE[v])
    return Piece(f"die-{suit}", f"throw-{suit}", "die", text, suit, v)


def attack_coins(b: Board, s: State) -> list[Piece]:
    found: list[Piece] = []
    for x in range(MOONS):
        found += unused_coins(x, s.coins[x].bit_count())
        if b.show_used:
            found += used_coins(x, COINS & ~s.coins[x])
    return found


@cache
def unused_coins(x: int, n: int) -> tuple[Piece, ...]:
    """Return the `n` attack coins of a suit that are left, face down."""
    suit = SUITS[x]
    text = Text("{suit} coin, face down").fill(suit=SUIT[suit])
    return tuple(Piece(f"coin-{suit}-{i}", f"coins-{suit}", "coin", text, suit, level=i) for i in range(n))


@cache
def used_coins(x: int, values: int) -> tuple[Piece, ...]:
    """Return the attack coins of a suit that have been used, where they may be seen."""
    said = Text("{suit} coin {value}, used")
    found = []
    for i, v in enumerate(VALUES):
        if values >> i & 1:
            text = said.fill(suit=SUIT[SUITS[x]], value=VALUE[v])
            id = f"{SUITS[x]}{v}"
            found.append(Piece(f"coin-{id}", f"used-{id}", "coin", text, value=v, state="spent"))
    return tuple(found)


def moons_coins(s: State) -> list[Piece]:
    return [moons_coin(i, s.hits >> i & 1) for i in range(len(VALUES))]


@cache
def moons_coin(value: int, have: int) -> Piece:
    """Return a coin of Thrag's suit, as a hit point or in the pool."""
    v = VALUES[value]
    hit = Text("hit point coin {value}")
    pool = Text("coin {value} in the healing pool")
    text = (hit if have else pool).fill(value=VALUE[v])
    return Piece(f"coin-M{v}", f"hits-{v}" if have else f"pool-{v}", "coin", text, value=v)


def pawns(b: Board, s: State) -> list[Piece]:
    """Return the weapons, and the moons pawn on the clock."""
    owned = [x for x in range(MOONS) if b.weapons >> x & 1]
    return [moons_pawn(s.hour), *[weapon(x, s.pawns >> x & 1, s.slain[x] == TILES) for x in owned]]


@cache
def moons_pawn(hour: int) -> Piece:
    text = Text("{n} of 12 hours gone").fill(n=hour)
    return Piece("pawn-M", f"hour-{hour % HOURS}", "pawn", text, "M")


@cache
def weapon(x: int, left: int, black: bool) -> Piece:
    """Return the pawn of a suit of beasts, spent or left; it is `black` once they are all slain."""
    suit = SUITS[x]
    said = Text("{pawn}")
    if not left:
        said = Text("{pawn}, spent")
    elif black:
        said = Text("{pawn}, now black: it rerolls the moons die")
    text = said.fill(pawn=PAWN[suit])
    return Piece(f"pawn-{suit}", f"weapon-{suit}", "pawn", text, suit, state="" if left else "spent")


def strengths(s: State) -> tuple[Badge, ...]:
    """Return the strength of each beast that is drawn and thrown, and what a fight without a coin would cost."""
    have, against = WORTH[s.hits >> 1], s.die[MOONS]
    fought = [x for x in range(MOONS) if s.beast[x] and s.die[x] >= 0]
    return tuple([strength(x, s.beast[x], s.die[x], against, have) for x in fought])


@cache
def strength(x: int, tile: int, die: int, against: int, have: int) -> Badge:
    """Return the badge of a beast, between its tile and its die; `against` is the moons die, -1 before it is thrown."""
    strong, cost = tile + die, max(0, tile + die - against)
    text = Text("strength {n}, its tile and its die together").fill(n=strong)
    marks = [Mark(str(strong), "strong")]
    if against >= 0:
        marks.append(Mark(f"\N{MINUS SIGN}{cost}{DEADLY if cost > have else ''}" if cost else SLAYS))
        said = (FATAL if cost > have else COSTS).fill(n=cost) if cost else FREE
        text = Text("{strength}; {fight}").fill(strength=text, fight=said)
    return Badge(f"beast-{SUITS[x]}", text, tuple(marks), x=104, y=92, size=30)


def tallies(s: State) -> tuple[Tally, ...]:
    coins = sum([row.bit_count() for row in s.coins])
    return count_tallies(beasts(s), s.hour, s.hits, coins)


@lru_cache(maxsize=4096)
def count_tallies(beasts: int, hours: int, hits: int, coins: int) -> tuple[Tally, ...]:
    held = tuple(i for i in range(len(VALUES)) if hits >> i & 1)
    return (
        Tally("beasts", Text("Beasts left"), beasts, 15),
        Tally("hour", Text("Hours gone"), hours, HOURS),
        Tally("hits", Text("Hit points"), WORTH[hits >> 1], 15, held),
        Tally("coins", Text("Attack coins left"), coins, 18, said=True),
    )


def touch(b: Board, s: State, a: int) -> Touch:
    """Return the spots one touches.

    - To fight, touch the beast, or the coin used against it and then the beast.
    - To spend a weapon, touch the pawn and then the die to throw again.
    - A fight that certainly hurts Thrag takes the beast and its die, because a single touch may slip.
    """
    if a < ROLL:
        return Touch((f"beast-{SUITS[a // 6]}",))
    if a < COIN:
        return Touch((f"throw-{SUITS[(a - ROLL) // 6]}",))
    if a < HEAL:
        seen = f"used-{SUITS[s.flip]}{VALUES[a - COIN]}"
        return Touch((seen if b.show_used else f"coins-{SUITS[s.flip]}",))
    if a < FIGHT:
        return Touch((f"hits-{VALUES[a - HEAL]}",))
    if a < WEAPON:
        x, coin = divmod(a - FIGHT, 4)
        foe = f"tile-{SUITS[x]}{VALUES[s.beast[x]]}"
        if coin:
            return Touch((coin_on_top(s, coin - 1), foe))
        slays = after(b, s, a).slain[x] != s.slain[x]
        return Touch((foe,) if slays else (foe, f"die-{SUITS[x]}"))
    if a < REST:
        black, x = divmod(a - WEAPON, 3)
        return Touch((f"pawn-{SUITS[x]}", f"die-{'M' if black else SUITS[x]}"))
    return Touch(marks=tuple(f"coin-M{VALUES[i]}" for i in payment_values(a))) if a > REST else Touch()


def coin_on_top(s: State, y: int) -> str:
    return f"coin-{SUITS[y]}-{s.coins[y].bit_count() - 1}"
