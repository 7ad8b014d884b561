"""One Man: Thrag! on the table: what lies on the places of `places.py`, and what one touches."""

from functools import cache, lru_cache
from operator import attrgetter

from smallchange.draw.table import Piece, Table, Tally, Touch
from smallchange.draw.words import DIE, PAWN, SUIT, VALUE, VALUES, capital
from smallchange.text import Text

from .board import COINS, SUITS, TILES, Board, State
from .names import beast
from .notation import paid_with
from .places import areas
from .rules import COIN, FIGHT, HEAL, HOURS, MOONS, REST, ROLL, WEAPON, WORTH, beasts
from .words import after


def table(b: Board, s: State) -> Table:
    pieces = [*tiles(s), *dice(s), *attack_coins(b, s), *moons_coins(s), *pawns(b, s)]
    pieces.sort(key=attrgetter("id"))
    return Table(areas(b.weapons, b.show_used), tuple(pieces), tallies(s))


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
