"""Solo on the table: the tiles with their coins, and the column of null tiles with what was found."""

from functools import cache, lru_cache
from operator import attrgetter

from smallchange.core.state import count
from smallchange.i18n.text import Text, join_texts, plain
from smallchange.render.piece_names import PAWN as PAWNS
from smallchange.render.piece_names import SUIT, SUITS, VALUES, place, tile
from smallchange.render.scene import Area, Piece, Scene, Spot, Tally, Touch

from .model import TILES, Board, State
from .notation import square, tile_name
from .rules import (
    CHOOSE,
    DIE,
    DONE,
    ENTER,
    FLIP,
    LAID,
    RESCUE,
    RETIRE,
    SHIFT,
    TO,
    aces_found,
    coins_left,
    drawn_pawns,
    height,
    kind,
)

PLACE = 100  # from one square to the next
WAITING = Text("{pawn}, waiting")
RETIRED = Text("{pawn}, retired")


def scene(b: Board, s: State) -> Scene:
    pieces = sorted([*tiles(b, s), *coins(b, s), *column(b, s), *coins_found(s)], key=attrgetter("id"))
    return Scene((board(b), tray(*s.order)), tuple(pieces), tallies(b, s))


@lru_cache(maxsize=64)
def board(b: Board) -> Area:
    """Return the squares, which do not change during a match."""
    spots = []
    for y in range(b.height):
        for x in range(b.width):
            if b.holes[y] >> x & 1:
                hole = Text("{square}, a black hole").fill(square=place(x, y))
                spots.append(Spot(place(x, y), PLACE * x, PLACE * (b.height - 1 - y), hole, "black-hole"))
    for i in range(TILES):
        x, y = PLACE * b.column[i], PLACE * (b.height - 1 - b.row[i])
        spots.append(Spot(square(b, i), x, y, plain(square(b, i)), "cell"))
    return Area("board", Text("The board"), tuple(spots))


@cache
def tray(*order: int) -> Area:
    """By pawn of the order: its null tile, and a slot for each coin of its suit."""
    spots = []
    for i in range(4):
        at, suit = PLACE * i, SUITS[order[i]] if order[i] >= 0 else ""
        pawn = Text("pawn {n} of the order").fill(n=i + 1)
        spots.append(Spot(f"pawn-{i + 1}", 0, at, pawn, "slot"))
        for j, value in enumerate(VALUES):
            slot = Text("for the {coin}").fill(coin=tile(suit, value)) if suit else pawn
            spots.append(Spot(f"found-{i + 1}{value}", PLACE * (j + 1), at, slot, "slot"))
    return Area("column", Text("Pawns, and coins found"), tuple(spots))


def tiles(b: Board, s: State) -> list[Piece]:
    return [tile_piece(tile_name(what), square(b, i)) for i, what in enumerate(s.tile) if what >= 0]


@cache
def tile_piece(name: str, at: str) -> Piece:
    """Return a tile, by its short name, on a square or a slot."""
    return Piece(f"tile-{name}", at, "tile", tile(*name), suit=name[0], value=name[1])


def coins(b: Board, s: State) -> list[Piece]:
    """Return the coins on the board, number side down; only their places distinguish them."""
    pieces: list[Piece] = []
    for suit, letter in enumerate(SUITS):
        for level, squares in enumerate(s.coins, 1):
            if visible := squares & s.suit[suit]:
                pieces += row(b, letter, level, visible)
    return pieces


@lru_cache(maxsize=4096)
def row(b: Board, suit: str, level: int, squares: int) -> tuple[Piece, ...]:
    """Return a coin of this suit on each of these squares, all at the same level of their stacks."""
    return tuple([coin(suit, square(b, i), level) for i in range(TILES) if squares >> i & 1])


@cache
def coin(suit: str, at: str, level: int) -> Piece:
    text = Text("{suit} coin, number side down").fill(suit=SUIT[suit])
    return Piece(f"coin-{at}-{level}", at, "coin", text, suit=suit, level=level)


def column(b: Board, s: State) -> list[Piece]:
    """Return the null tiles and each pawn: retired, on the board, or waiting."""
    pieces = []
    for i, suit in enumerate(SUITS[n] for n in s.order if n >= 0):
        pieces.append(tile_piece(suit + "n", f"pawn-{i + 1}"))
        if i == s.pawn and s.at >= 0 and s.step != ENTER:
            pieces.append(pawn(suit, square(b, s.at), 1 + height(s, s.at)))
        else:
            pieces.append(beside(suit, f"pawn-{i + 1}", i < s.pawn))
    return pieces


@cache
def pawn(suit: str, at: str, level: int) -> Piece:
    return Piece(f"pawn-{suit}", at, "pawn", PAWNS[suit], suit=suit, level=level)


@cache
def beside(suit: str, spot: str, retired: bool) -> Piece:
    """Return a pawn on its null tile."""
    text = (RETIRED if retired else WAITING).fill(pawn=PAWNS[suit])
    return Piece(f"pawn-{suit}", spot, "pawn", text, suit=suit, state="retired" if retired else "", level=1)


def coins_found(s: State) -> list[Piece]:
    """Return the coins found, number side up beside the null tile of their suit."""
    used = s.aces[: s.spent]
    return [
        coin_found(suit, j, i, j == 1 and suit in used)
        for i, suit in enumerate(s.order)
        if suit >= 0
        for j in range(len(VALUES))
        if s.seen[suit] >> j & 1
    ]


@cache
def coin_found(suit: int, number: int, row: int, spent: bool) -> Piece:
    """Return a coin that was found; an ace is held until it is spent."""
    value = VALUES[number]
    label = tile(SUITS[suit], value)
    if value == "a":
        held = Text("held: can rescue once")
        label = join_texts([label, Text("spent") if spent else held])
    id, spot = f"coin-{SUITS[suit]}{value}", f"found-{row + 1}{value}"
    return Piece(id, spot, "coin", label, value=value, state="spent" if spent else "")


def tallies(b: Board, s: State) -> tuple[Tally, ...]:
    return count_tallies(coins_left(s), aces_found(s) - s.spent, s.free, b.free_moves)


@cache
def count_tallies(coins: int, aces: int, free: int, most: int) -> tuple[Tally, ...]:
    return (
        Tally("coins", Text("Coins on the board"), coins, 24),
        Tally("aces", Text("Aces held"), aces, 4),
        Tally("free", Text("Free moves left"), free, most),
    )


def touch(b: Board, s: State, a: int) -> Touch:
    """Return the spots one touches: one square, or two for a free move; an action with a button has none.

    Chance shows on the tile that the die names, and on the coin that was flipped, where it lies from then on.
    """
    if a < LAID:
        return Touch((f"pawn-{count(drawn_pawns(s)) + 1}",))
    if a < SHIFT:
        return Touch((square(b, (a - LAID) // 20),))
    if a < DONE:
        start, end = divmod(a - SHIFT, 20)
        return Touch((square(b, start), square(b, end)))
    if DIE <= a < CHOOSE:
        suit, face = divmod(a - DIE, 6)
        return Touch((f"tile-{tile_name(5 * suit + face - 1)}",) if face else ())
    if FLIP <= a < TO:
        suit = kind(s, s.at)
        return Touch((f"found-{s.order.index(suit) + 1}{VALUES[a - FLIP]}",))
    for first, beyond in ((CHOOSE, FLIP), (TO, RETIRE), (RESCUE, RESCUE + TILES)):
        if first <= a < beyond:
            return Touch((square(b, a - first),))
    return Touch()
