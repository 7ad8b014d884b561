"""Dodg'em on the table: a square of cells, and a slot to leave by at the far end of every lane."""

from functools import cache, lru_cache
from operator import attrgetter

from smallchange.i18n.text import Text, plain
from smallchange.render.piece_names import place
from smallchange.render.scene import Area, Piece, Scene, Spot, Tally, Touch

from .model import SEATS, Board, State
from .notation import goal, square
from .rules import OFF, PASS, direction, origin
from .words import PLAYERS

SUITS = ("S", "C")  # red is suns, green is crowns
SIGNS = {PLAYERS[seat]: suit for seat, suit in zip(SEATS, SUITS, strict=True)}
METALS = ("gold", "silver")
HEADINGS = ("left", "down", "up", "right")
COINS = [Text("{side} coin").fill(side=PLAYERS[seat]) for seat in SEATS]
GONE = [Text("{side} coins off the board").fill(side=PLAYERS[seat]) for seat in SEATS]


def scene(b: Board, s: State) -> Scene:
    pieces = sorted([*coins(b.width, 0, s.coins[0]), *coins(b.width, 1, s.coins[1])], key=attrgetter("id"))
    return Scene((lanes(b),), tuple(pieces), tallies(b, s))


@lru_cache(maxsize=4096)
def coins(width: int, seat: int, squares: int) -> tuple[Piece, ...]:
    """Return the coins of a side on these squares."""
    return tuple([coin for i, coin in enumerate(everywhere(width, seat)) if squares >> i & 1])


@cache
def everywhere(width: int, seat: int) -> list[Piece]:
    """Return a coin of a side on each square."""
    return [coin(seat, place(i // width, i % width)) for i in range(width**2)]


def coin(seat: int, at: str) -> Piece:
    return Piece(f"coin-{at}", at, "coin", COINS[seat], suit=SUITS[seat], side=METALS[seat])


def heading(b: Board, seat: int) -> str:
    """Return the direction in which a side goes, for those who want their own at the bottom."""
    return HEADINGS[b.forward[seat]]


@lru_cache(maxsize=64)
def lanes(b: Board) -> Area:
    """Return the board and its exits, which do not change during a match."""
    cells = [cell(b, i) for i in range(b.width**2)]
    return Area("board", Text("The board"), tuple(cells + exits(b)))


def cell(b: Board, i: int) -> Spot:
    """Return a square; a side's starting square shows the direction in which that side goes."""
    column, row = divmod(i, b.width)
    x, y = 100 * column, 100 * (b.width - 1 - row)
    heading = next((HEADINGS[way] for home, way in zip(b.home, b.forward, strict=True) if home >> i & 1), "")
    return Spot(square(b, i), x, y, plain(square(b, i)), "cell", heading=heading)


def exits(b: Board) -> list[Spot]:
    """One slot for each square and direction from which a side leaves the board."""
    slots = []
    for way in b.forward:
        dx, dy = ((-100, 0), (0, 100), (0, -100), (100, 0))[way]
        for i in range(b.width**2):
            if b.edge[way] >> i & 1:
                at = cell(b, i)
                text = Text("off the board from {square}").fill(square=square(b, i))
                slots.append(
                    Spot(way_out(b, i, way), at.x + dx, at.y + dy, text, "exit", heading=HEADINGS[way])
                )
    return slots


def way_out(b: Board, i: int, way: int) -> str:
    """Return the id of an exit.

    In the crosswise game both sides leave from the same corner, each in its own direction.
    """
    return f"{square(b, i)}-{HEADINGS[way]}"


def tallies(b: Board, s: State) -> tuple[Tally, ...]:
    return departure_tallies(b.width - 1, *[coins.bit_count() for coins in s.coins])


@cache
def departure_tallies(coins: int, *left: int) -> tuple[Tally, ...]:
    """Count the coins that each side has got off the board."""
    return tuple(Tally(SEATS[i], GONE[i], coins - n, coins) for i, n in enumerate(left))


def touch(b: Board, s: State, a: int) -> Touch:
    """Return the spots one touches: a coin, then its destination; passing is a button."""
    return touch_of_move(b.width, b.forward[s.turn], a)


@cache
def touch_of_move(width: int, forward: int, a: int) -> Touch:
    """Return the touch for an action on a board of this width, of the side that goes this way."""
    if a == PASS:
        return Touch()
    start, end = [place(i // width, i % width) for i in (origin(a), goal(width, a))]
    return Touch((f"coin-{start}", f"{end}-{HEADINGS[forward]}" if direction(a) == OFF else end))
