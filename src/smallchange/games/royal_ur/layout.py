"""The Royal Game of Ur on the table: twenty squares; coins wait and are home on the felt beside those of their side."""

from functools import cache, lru_cache
from math import cos, pi, sin
from operator import attrgetter

from smallchange.i18n.text import Text, plain
from smallchange.render.scene import Area, Piece, Scene, Spot, Tally, Touch

from .model import NOWHERE, PATHS, SEATS, WAITING, Board, State
from .notation import square, squares
from .rules import MOVE, step_at, waiting
from .words import WHO

SUITS = ("S", "M")
SIGNS = dict(zip(WHO, SUITS, strict=True))
COINS = [Text("{side} coin").fill(side=who) for who in WHO]
AT_START = [Text("{side} coins that have not entered").fill(side=who) for who in WHO]
AT_HOME = [Text("{side} coins that are home").fill(side=who) for who in WHO]
ROSETTE = Text("{square}, a rosette")
UP, DOWN = Text("heads"), Text("tails")
THROWN = tuple(f"thrown-{i}" for i in range(1, 5))
ASEB = PATHS.index("aseb")
HEADINGS = {(-100, 0): "left", (100, 0): "right", (0, -100): "up", (0, 100): "down"}


def petal(angle: float) -> str:
    """Draw a petal from the centre outwards, as path data."""
    points = ((angle, 9), (angle - 0.42, 27), (angle, 37), (angle + 0.42, 27))
    root, left, tip, right = (f"{r * cos(way):.1f} {r * sin(way):.1f}" for way, r in points)
    return f"M{root}Q{left} {tip}Q{right} {root}Z"


FRAME = "M-43-43H43V43H-43ZM-40-40V40H40V-40Z"
FLOWER = "".join(petal(i * pi / 4) for i in range(8)) + "M0-6A6 6 0 0 1 0 6A6 6 0 0 1 0-6Z" + FRAME


def scene(b: Board, s: State) -> Scene:
    pieces = [*throw_coins(4 - b.dice, s.heads, s.throws)]
    for side in (0, 1):
        pieces += coins(b, side, s.coins[side], waiting(b, s, side), s.home[side])
    areas = the_board(b), the_throw(4 - b.dice)
    return Scene(areas, tuple(sorted(pieces, key=attrgetter("id"))), tallies(b, s))


@lru_cache(maxsize=64)
def the_board(b: Board) -> Area:
    """Return the squares, and beside the board each side's slots for coins that wait and that are home."""
    cells = [cell(b, name) for name in squares(b)]
    return Area("board", Text("The board"), (*cells, *beside(b, 0), *beside(b, 1)))


def cell(b: Board, name: str) -> Spot:
    """Return a square, with the ways on of the sides that come to it."""
    at = squares(b).index(name) + 1
    ways = [way_on(b, side, step) for side in (0, 1) if (step := step_at(b, side, at)) != NOWHERE]
    rosette = any(b.rosettes >> step_at(b, side, at) & 1 for side in (0, 1))
    text = ROSETTE.fill(square=name) if rosette else plain(name)
    heading = " ".join(dict.fromkeys(ways))
    return Spot(name, *corner(name), text, "cell", heading=heading, ornament=FLOWER if rosette else "")


def corner(name: str) -> tuple[int, int]:
    """Return the upper left corner of a square."""
    return 100 * (ord(name[0]) - ord("a")), 100 * (3 - int(name[1]))


def way_on(b: Board, side: int, step: int) -> str:
    """Return the direction in which a side goes on from a step."""
    (x, y), (on_x, on_y) = (place_of(b, side, at) for at in (step, step + 1))
    return HEADINGS[on_x - x, on_y - y]


def place_of(b: Board, side: int, step: int) -> tuple[int, int]:
    """Return the upper left corner of a step's spot. Coins wait and are home beside the squares of their side."""
    if 0 < step < b.goal:
        return corner(square(b, side, step))
    return 400 if step == WAITING else 500 if b.path < ASEB else 1100, (200, 0)[side]


def beside(b: Board, side: int) -> tuple[Spot, Spot]:
    """Return where a side's coins enter from and where they leave to, on bare felt."""
    enter = Spot(spot_of(b, side, WAITING), *place_of(b, side, WAITING), AT_START[side], heading="left")
    return enter, Spot(spot_of(b, side, b.goal), *place_of(b, side, b.goal), AT_HOME[side])


@cache
def the_throw(n: int) -> Area:
    text = Text("coin {n} of the throw")
    spots = [Spot(id, 100 * i, 0, text.fill(n=i + 1), "slot") for i, id in enumerate(THROWN[:n])]
    return Area("throw", Text("The throw"), tuple(spots))


@lru_cache(maxsize=4096)
def throw_coins(n: int, heads: int, throws: int) -> tuple[Piece, ...]:
    """Return the coins as they lie after this throw; which of them show heads changes from throw to throw.

    Three coins that are worth four show no heads.
    """
    if heads < 0:
        return ()
    showing = heads if heads <= n else 0
    return tuple(thrown_coin(i, (i + throws) % n < showing) for i in range(n))


@cache
def thrown_coin(i: int, up: bool) -> Piece:
    side, text = ("heads", UP) if up else ("tails", DOWN)
    return Piece(f"coin-{i + 1}", THROWN[i], "change", text, side=side)


@lru_cache(maxsize=4096)
def coins(b: Board, side: int, steps: int, outside: int, home: int) -> tuple[Piece, ...]:
    """Return the coins of a side: on these steps, waiting and at home."""
    places = [spot_of(b, side, step) for step in range(1, b.goal) if steps >> step & 1]
    on_board = [coin(side, f"{SEATS[side]}-{place}", place, 0) for place in places]
    stacks = [(spot_of(b, side, WAITING), outside), (spot_of(b, side, b.goal), home)]
    return (*on_board, *(coin(side, f"{spot}-{i + 1}", spot, i) for spot, n in stacks for i in range(n)))


@cache
def coin(side: int, id: str, spot: str, level: int) -> Piece:
    return Piece(id, spot, "coin", COINS[side], suit=SUITS[side], level=level)


def spot_of(b: Board, side: int, step: int) -> str:
    """Return the spot of a step on a side's way."""
    if step == WAITING:
        return f"{SEATS[side]}-waiting"
    return f"{SEATS[side]}-home" if step == b.goal else square(b, side, step)


def tallies(b: Board, s: State) -> tuple[Tally, ...]:
    return home_tallies(b.coins, *s.home)


@cache
def home_tallies(coins: int, *home: int) -> tuple[Tally, ...]:
    """Count the coins that each side has brought home."""
    return tuple(Tally(SEATS[i], AT_HOME[i], n, coins) for i, n in enumerate(home))


def touch(b: Board, s: State, a: int) -> Touch:
    """Return the spots one touches: a coin, then where it goes. A throw shows on its coins."""
    if a < MOVE:
        shown = range(4 - b.dice)
        return Touch(tuple(f"coin-{i + 1}" if s.heads >= 0 else THROWN[i] for i in shown))
    side = s.mover
    start = step_at(b, side, a - MOVE)
    lies = f"{SEATS[side]}-{spot_of(b, side, start)}"
    if start == WAITING:
        lies = f"{spot_of(b, side, WAITING)}-{waiting(b, s, side)}"
    return Touch((lies, spot_of(b, side, start + s.heads)))
