"""Coin Collectors on the table: the board with its hole, the dice, and the pawns given up."""

from functools import cache
from operator import attrgetter

from smallchange.i18n.text import Text, plain
from smallchange.render.piece_names import DIE as DICE
from smallchange.render.piece_names import PAWN, SUITS, VALUE, VALUES
from smallchange.render.piece_names import tile as tile_name
from smallchange.render.scene import Area, Badge, Mark, Piece, Scene, Spot, Tally, Touch

from .model import GONE, Board, State
from .notation import dice, square
from .rules import (
    CHOOSING,
    COIN,
    COINING,
    COLLECTING,
    DIE,
    GIVE_UP,
    HOLE,
    ROLL,
    TILE,
    collectable,
    takes,
    tiles_shown_by_dice,
    uncollected_squares,
)

OPEN = (CHOOSING, COLLECTING)  # phases in which the dice lie and open coins
BY_TILE = Text("its tile is shown by the {die}")
BY_NUMBER = Text("its number is shown by the {die}, for the pawn of that suit")

BOARD = Area(
    "board",
    Text("The board"),
    tuple(
        Spot(
            square(i),
            100 * (i % 5),
            100 * (4 - i // 5),
            Text("the hole") if i == HOLE else plain(square(i)),
            "hole" if i == HOLE else "cell",
        )
        for i in range(25)
    ),
)


def tray(name: str, text: Text, whose: dict[str, Text]) -> Area:
    """Four slots in a row, one for each suit."""
    place = Text("place of the {what}")
    slots = (
        Spot(f"{name}-{suit}", 100 * i, 0, place.fill(what=whose[suit]), "slot")
        for i, suit in enumerate(SUITS)
    )
    return Area(name, text, tuple(slots))


ROLLED = tray("dice", Text("Dice"), DICE)
LOST = tray("lost", Text("Pawns given up"), PAWN)


def scene(b: Board, s: State) -> Scene:
    areas = (BOARD, ROLLED, LOST) if b.losses else (BOARD, ROLLED)
    pieces = sorted([*tiles(s), *coins(s), *dice_on_table(s), *pawns(s)], key=attrgetter("id"))
    return Scene(
        areas,
        tuple(pieces),
        coins_tally(0 if s.phase <= COINING else 24 - uncollected_squares(s).bit_count()),
        openings(b, s) if s.phase in OPEN else (),
    )


@cache
def coins_tally(coins: int) -> tuple[Tally, ...]:
    return (Tally("coins", Text("Coins collected"), coins, 24),)


def tiles(s: State) -> list[Piece]:
    """Return the tiles laid; a tile whose coin was collected is marked as spent."""
    spent = ~uncollected_squares(s) if s.phase > COINING else 0
    return [tile_piece(tile, at, spent >> at & 1) for tile, at in enumerate(s.spot) if at >= 0]


@cache
def tile_piece(tile: int, at: int, spent: int) -> Piece:
    suit, value = SUITS[tile // 6], VALUES[tile % 6]
    name, state = tile_name(suit, value), "spent" if spent else ""
    return Piece(f"tile-{suit}{value}", square(at), "tile", name, suit, value, state=state)


def coins(s: State) -> list[Piece]:
    return [coin(n, i) for n, squares in enumerate(s.coins) if squares for i in range(25) if squares >> i & 1]


@cache
def coin(number: int, at: int) -> Piece:
    value = VALUES[number]
    name = Text("coin {value}").fill(value=VALUE[value])
    return Piece(f"coin-{square(at)}", square(at), "coin", name, value=value, level=1)


def dice_on_table(s: State) -> list[Piece]:
    """Return the dice on the table; those in the hand are left out."""
    return [die(i, face) for i, face in enumerate(s.dice) if face >= 0]


@cache
def die(i: int, face: int) -> Piece:
    suit, value = SUITS[i], VALUES[face]
    name = Text("{die}: {value}").fill(die=DICE[suit], value=VALUE[value])
    return Piece(f"die-{suit}", f"dice-{suit}", "die", name, suit, value)


def pawns(s: State) -> list[Piece]:
    """Return the pawns; the hole holds several."""
    return [pawn(i, at, 1 + s.pawns[:i].count(at)) for i, at in enumerate(s.pawns)]


@cache
def pawn(i: int, at: int, level: int) -> Piece:
    suit = SUITS[i]
    if at == GONE:
        text = Text("{pawn}, given up").fill(pawn=PAWN[suit])
        return Piece(f"pawn-{suit}", f"lost-{suit}", "pawn", text, suit, state="retired")
    return Piece(f"pawn-{suit}", square(at), "pawn", PAWN[suit], suit, level=level)


def openings(b: Board, s: State) -> tuple[Badge, ...]:
    """Return the dice that open each coin that can be taken: by its tile for all pawns, by its number for their own."""
    squares, tiles, found = collectable(b, s), tiles_shown_by_dice(s), list[Badge]()
    for i in range(25):
        if not squares >> i & 1:
            continue
        if tiles >> i & 1:
            found.append(opening(i, s.spot.index(i) // 6, -1))
        else:
            number = next(n for n, coins in enumerate(s.coins) if coins >> i & 1)
            pawns = [x for x in range(4) if s.dice[x] == number and takes(b, s, x, 1 << i, tiles)]
            found += [opening(i, x, place) for place, x in enumerate(pawns)]
    return tuple(found)


@cache
def opening(at: int, die: int, place: int) -> Badge:
    """Return the badge of a die that opens a coin: by its tile, or, in this place of a row, by its number."""
    suit, y = SUITS[die], 64 if place < 0 else 54 + 24 * place
    text = BY_TILE if place < 0 else BY_NUMBER
    end = (20, 32) if place < 0 else (42, 62)
    return Badge(square(at), text.fill(die=DICE[suit]), (Mark("", suit, suit),), 17, y, 22, end)


def preview(b: Board, s: State) -> tuple[str, ...]:
    """Return the squares of coins that can be collected, or could be if all dice were kept, while dice are chosen."""
    squares = collectable(b, s) if s.phase in OPEN else 0
    return tuple(square(i) for i in range(25) if squares >> i & 1)


def touch(b: Board, s: State, a: int) -> Touch:
    """Return the spots one touches: a pawn, then the square of the coin.

    The dice to roll are marked, and keeping them is a button.
    """
    if a >= COIN:
        return Touch((square((a - COIN) // 6),))
    if a >= TILE:
        return Touch((square((a - TILE) // 24),))
    if a >= DIE:
        return Touch((f"dice-{SUITS[(a - DIE) // 6]}",))
    if a >= GIVE_UP:
        return Touch((f"pawn-{SUITS[a - GIVE_UP]}",))
    if a >= ROLL:
        return Touch(marks=tuple(f"die-{suit}" for suit in dice(a - ROLL)))
    return Touch((f"pawn-{SUITS[a // 25]}", square(a % 25)))
