"""One Man: Thrag! on the table: a lane for each suit of beasts, and Thrag's things in trays.

A lane is two squares wide: draw stack and discards, the beast that has been drawn and its die, and
below them a place for each slain beast. The clock is four tiles with their grids up.
"""

from functools import cache, lru_cache
from operator import attrgetter

from smallchange.draw.table import Area, Piece, Spot, Table, Tally, Touch
from smallchange.draw.words import DIE, PAWN, SUIT, VALUE, VALUES, capital
from smallchange.text import Text

from .board import COINS, SUITS, TILES, Board, State
from .names import beast
from .notation import paid_with
from .rules import COIN, FIGHT, HEAL, HOURS, MOONS, REST, ROLL, WEAPON, WORTH, beasts
from .words import after

LANE, ROW = 230, 110  # from lane to lane, from row to row
# the outer spaces of a grid of 4 x 4, clockwise from the upper left
HOUR_SPACES = (
    *((column, 0) for column in range(3)),
    *((3, row) for row in range(3)),
    *((column, 3) for column in (3, 2, 1)),
    *((0, row) for row in (3, 2, 1)),
)
STACK = Text("{suit} draw stack", "{suit}の山札")
DISCARDS = Text("{suit} discards", "{suit}の捨て札")


def table(b: Board, s: State) -> Table:
    pieces = [*tiles(s), *dice(s), *attack_coins(b, s), *moons_coins(s), *pawns(b, s)]
    pieces.sort(key=attrgetter("id"))
    return Table(areas(b.weapons, b.show_used), tuple(pieces), tallies(s))


@cache
def areas(pawns: int, show_used: int) -> tuple[Area, ...]:
    """All places, which stay what they are."""
    laid = (board(), thrag(), healing(), attack(show_used), weapons(pawns), clock())
    return tuple(area for area in laid if area.spots)


def board() -> Area:
    spots = [spot for x in range(3) for spot in lane(x)]
    return Area("board", Text("The beasts", "獣"), tuple(spots))


def lane(x: int) -> list[Spot]:
    left, right, suit = LANE * x, LANE * x + 100, SUITS[x]
    name = SUIT[suit]
    drawn = Text("the {suit} beast", "{suit}の獣").fill(suit=name)
    place = Text("place of the slain {beast}", "倒した{beast}の置き場")
    return [
        Spot(f"stack-{suit}", left, 0, STACK.fill(suit=name), "slot"),
        Spot(f"discards-{suit}", right, 0, DISCARDS.fill(suit=name), "slot"),
        Spot(f"beast-{suit}", left, ROW, drawn, "cell"),
        Spot(f"throw-{suit}", right, ROW, DIE[suit]),
        *(
            Spot(
                f"slain-{suit}{VALUES[value]}",
                left + 100 * ((value - 1) % 2),
                2 * ROW + 100 * ((value - 1) // 2),
                place.fill(beast=beast(x, value)),
                "slot",
            )
            for value in range(1, 6)
        ),
    ]


def thrag() -> Area:
    place = Text("hit points: the {value}", "ヒットポイント: {value}")
    slots = (
        Spot(f"hits-{v}", 120 + 100 * i, 0, place.fill(value=VALUE[v]), "slot") for i, v in enumerate(VALUES)
    )
    text = Text("Thrag: his die and his hit points", "スラグのサイコロとヒットポイント")
    return Area("thrag", text, (Spot("throw-M", 0, 0, DIE["M"]), *slots))


def healing() -> Area:
    """The pool is aligned with the hit points; the null is never in it."""
    place = Text("healing pool: the {value}", "回復の置き場: {value}")
    slots = (
        Spot(f"pool-{v}", 220 + 100 * i, 0, place.fill(value=VALUE[v]), "slot")
        for i, v in enumerate(VALUES[1:])
    )
    stacks = (
        Spot("stack-M", 0, 0, Text("healing draw stack", "回復タイルの山札"), "slot"),
        Spot("discards-M", 100, 0, Text("healing discards", "回復タイルの捨て札"), "slot"),
    )
    return Area("healing", Text("Healing pool", "回復の置き場"), (*stacks, *slots))


def attack(show_used: int) -> Area:
    """A stack for each suit, and beside it the used coins where they may be seen."""
    unseen = Text("{suit} coins not yet used", "未使用の{suit}のコイン")
    used = Text("used {suit} coin {value}", "使った{suit}の{value}のコイン")
    spots = []
    for x, suit in enumerate(SUITS[:MOONS]):
        left, top = (0, ROW * x) if show_used else (LANE * x, 0)
        spots.append(Spot(f"coins-{suit}", left, top, unseen.fill(suit=SUIT[suit]), "slot"))
        for i, v in enumerate(VALUES):
            if show_used:
                text = used.fill(suit=SUIT[suit], value=VALUE[v])
                spots.append(Spot(f"used-{suit}{v}", left + 120 + 100 * i, top, text, "slot"))
    return Area("coins", Text("Attack coins", "攻撃コイン"), tuple(spots))


def weapons(pawns: int) -> Area:
    place = Text("the {suit} weapon", "{suit}の武器")
    spots = (
        Spot(f"weapon-{suit}", LANE * x, 0, place.fill(suit=SUIT[suit]), "slot")
        for x, suit in enumerate(SUITS[:MOONS])
        if pawns >> x & 1
    )
    return Area("weapons", Text("Special weapons", "特別な武器"), tuple(spots))


def clock() -> Area:
    gone = Text("{n} hours gone", "{n}時間経過")
    start = Text("the start, and the end after twelve hours", "出発点、12時間後の終点")
    spots = (
        Spot(f"hour-{i}", 100 * column, 100 * row, gone.fill(n=i) if i else start, "cell")
        for i, (column, row) in enumerate(HOUR_SPACES)
    )
    return Area("clock", Text("The night’s clock", "夜の時計"), tuple(spots))


def tiles(s: State) -> list[Piece]:
    """Backs on the draw stacks and discards, faces for drawn and slain beasts."""
    found: list[Piece] = []
    for d in range(4):
        found += (
            *backs("stack", d, s.stack[d].bit_count()),
            *backs("discards", d, s.discards[d].bit_count()),
        )
    for x in range(MOONS):
        found += slain(x, s.slain[x])
        if s.beast[x]:
            found.append(living(x, s.beast[x]))
    return found


@cache
def backs(pile: str, d: int, n: int) -> tuple[Piece, ...]:
    """The `n` tiles of a suit in a pile, face down."""
    suit = SUITS[d]
    text = Text("{suit} tile, face down", "伏せた{suit}のタイル").fill(suit=SUIT[suit])
    return tuple(Piece(f"{pile}-{suit}-{i}", f"{pile}-{suit}", "back", text, level=i) for i in range(n))


@cache
def slain(x: int, values: int) -> tuple[Piece, ...]:
    """The slain beasts of a suit, each in its place."""
    said = Text("{beast}, slain", "倒した{beast}")
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
        )
        for i, v in enumerate(VALUES)
        if values >> i & 1
    )


@cache
def living(x: int, value: int) -> Piece:
    suit, v = SUITS[x], VALUES[value]
    return Piece(f"tile-{suit}{v}", f"beast-{suit}", "tile", beast(x, value), suit, v)


def dice(s: State) -> list[Piece]:
    """The dice that have been thrown this hour; the others are off the table."""
    return [die(d, value) for d, value in enumerate(s.die) if value >= 0]


@cache
def die(d: int, value: int) -> Piece:
    suit, v = SUITS[d], VALUES[value]
    text = Text("{die}: {value}", "{die}: {value}").fill(die=capital(DIE[suit]), value=VALUE[v])
    return Piece(f"die-{suit}", f"throw-{suit}", "die", text, suit, v)


def attack_coins(b: Board, s: State) -> list[Piece]:
    found: list[Piece] = []
    for x in range(MOONS):
        found += unused(x, s.coins[x].bit_count())
        if b.show_used:
            found += used(x, COINS & ~s.coins[x])
    return found


@cache
def unused(x: int, n: int) -> tuple[Piece, ...]:
    """The `n` attack coins of a suit that are left, face down."""
    suit = SUITS[x]
    text = Text("{suit} coin, face down", "伏せた{suit}のコイン").fill(suit=SUIT[suit])
    return tuple(Piece(f"coin-{suit}-{i}", f"coins-{suit}", "coin", text, suit, level=i) for i in range(n))


@cache
def used(x: int, values: int) -> tuple[Piece, ...]:
    """The attack coins of a suit that have been used, where they may be seen."""
    said = Text("{suit} coin {value}, used", "使った{suit}の{value}のコイン")
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
    """A coin of Thrag's suit: a hit point that he has, or in the pool."""
    v = VALUES[value]
    hit = Text("hit point coin {value}", "ヒットポイントの{value}のコイン")
    pool = Text("coin {value} in the healing pool", "回復の置き場の{value}のコイン")
    text = (hit if have else pool).fill(value=VALUE[v])
    return Piece(f"coin-M{v}", f"hits-{v}" if have else f"pool-{v}", "coin", text, value=v)


def pawns(b: Board, s: State) -> list[Piece]:
    """The weapons, and the moons pawn on the clock."""
    owned = [x for x in range(MOONS) if b.weapons >> x & 1]
    return [moons_pawn(s.hour), *[weapon(x, s.pawns >> x & 1, s.slain[x] == TILES) for x in owned]]


@cache
def moons_pawn(hour: int) -> Piece:
    text = Text("{n} of 12 hours gone", "12時間のうち{n}時間経過").fill(n=hour)
    return Piece("pawn-M", f"hour-{hour % HOURS}", "pawn", text, "M")


@cache
def weapon(x: int, left: int, black: bool) -> Piece:
    """The pawn of a suit of beasts, spent or left; `black` once they are all slain."""
    suit = SUITS[x]
    said = Text("{pawn}", "{pawn}")
    if not left:
        said = Text("{pawn}, spent", "{pawn}、使用済み")
    elif black:
        said = Text("{pawn}, now black: it rerolls the moons die", "{pawn}、黒になり月のサイコロを振り直せる")
    text = said.fill(pawn=PAWN[suit])
    return Piece(f"pawn-{suit}", f"weapon-{suit}", "pawn", text, suit, state="" if left else "spent")


def tallies(s: State) -> tuple[Tally, ...]:
    coins = sum([row.bit_count() for row in s.coins])
    return counted(beasts(s), s.hour, WORTH[s.hits >> 1], coins)


@lru_cache(maxsize=4096)
def counted(beasts: int, hours: int, hits: int, coins: int) -> tuple[Tally, ...]:
    return (
        Tally("beasts", Text("Beasts left", "残りの獣"), beasts, 15),
        Tally("hour", Text("Hours gone", "経過時間"), hours, HOURS),
        Tally("hits", Text("Hit points", "ヒットポイント"), hits, 15),
        Tally("coins", Text("Attack coins left", "残りの攻撃コイン"), coins, 18),
    )


def touch(b: Board, s: State, a: int) -> Touch:
    """A beast, or what is used against it and then the beast; a pawn and the die to throw again. Where
    Thrag is hurt for certain, one touches the beast and its die, for a single touch may slip."""
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
    return Touch(marks=tuple(f"coin-M{VALUES[i]}" for i in paid_with(a))) if a > REST else Touch()


def coin_on_top(s: State, y: int) -> str:
    return f"coin-{SUITS[y]}-{s.coins[y].bit_count() - 1}"
