"""The Royal Game of Ur on the table: twenty squares, with each side's coins waiting and home in its gap."""

from functools import cache, lru_cache
from math import cos, pi, sin
from operator import attrgetter

from smallchange.i18n.text import Text, plain
from smallchange.render.scene import Area, Piece, Scene, Spot, Tally, Touch

from .model import HOME, SEATS, WAITING, Board, State
from .notation import SQUARES, square
from .rules import MOVE, step_at, waiting
from .words import WHO

SUITS = ("S", "M")
SIGNS = dict(zip(WHO, SUITS, strict=True))
COINS = [Text("{side} coin").fill(side=who) for who in WHO]
AT_START = [Text("{side} coins that have not entered").fill(side=who) for who in WHO]
AT_HOME = [Text("{side} coins that are home").fill(side=who) for who in WHO]
ROSETTE = Text("{square}, a rosette")
ROSETTE_SQUARES = ("a1", "a3", "d2", "g1", "g3")
HEADINGS = {"b": "left", "c": "left", "d": "left", "h": "left"}  # by column of a side's own squares
UP, DOWN = Text("heads"), Text("tails")
THROWN = tuple(f"thrown-{i}" for i in range(1, 5))


def petal(angle: float) -> str:
    """Draw a petal from the centre outwards, as path data."""
    points = ((angle, 9), (angle - 0.42, 27), (angle, 37), (angle + 0.42, 27))
    root, left, tip, right = (f"{r * cos(way):.1f} {r * sin(way):.1f}" for way, r in points)
    return f"M{root}Q{left} {tip}Q{right} {root}Z"


FRAME = "M-43-43H43V43H-43ZM-40-40V40H40V-40Z"
FLOWER = "".join(petal(i * pi / 4) for i in range(8)) + "M0-6A6 6 0 0 1 0 6A6 6 0 0 1 0-6Z" + FRAME


def scene(b: Board, s: State) -> Scene:
    pieces = [*throw_coins(s.heads, s.throws)]
    for side in (0, 1):
        pieces += coins(side, s.coins[side], waiting(b, s, side), s.home[side])
    return Scene((the_board(), the_throw()), tuple(sorted(pieces, key=attrgetter("id"))), tallies(b, s))


@cache
def the_board() -> Area:
    """Return the squares, and in the gap of each side its slots for coins that wait and that are home."""
    cells = [cell(name) for name in SQUARES]
    return Area("board", Text("The board"), (*cells, *slots(0, 200), *slots(1, 0)))


def cell(name: str) -> Spot:
    """Return a square; a chevron shows the way on, but for rosettes and where the sides part."""
    x, y = 100 * (ord(name[0]) - ord("a")), 100 * (3 - int(name[1]))
    if name in ROSETTE_SQUARES:
        return Spot(name, x, y, ROSETTE.fill(square=name), "cell", ornament=FLOWER)
    own_way = HEADINGS[name[0]] if name[1] != "2" else "right"
    return Spot(name, x, y, plain(name), "cell", heading="" if name == "h2" else own_way)


def slots(side: int, y: int) -> tuple[Spot, Spot]:
    """Return where a side's coins enter from and where they leave to, between its own squares."""
    enter = Spot(f"{SEATS[side]}-waiting", 400, y, AT_START[side], "slot", heading="left")
    leave = Spot(f"{SEATS[side]}-home", 500, y, AT_HOME[side], "slot", heading="left")
    return enter, leave


@cache
def the_throw() -> Area:
    text = Text("coin {n} of the throw")
    spots = [Spot(id, 100 * i, 0, text.fill(n=i + 1), "slot") for i, id in enumerate(THROWN)]
    return Area("throw", Text("The throw"), tuple(spots))


@lru_cache(maxsize=4096)
def throw_coins(heads: int, throws: int) -> tuple[Piece, ...]:
    """Return the four coins as they lie after this throw; which of them show heads changes from throw to throw."""
    if heads < 0:
        return ()
    return tuple(thrown_coin(i, (i + throws) % 4 < heads) for i in range(4))


@cache
def thrown_coin(i: int, up: bool) -> Piece:
    side, text = ("heads", UP) if up else ("tails", DOWN)
    return Piece(f"coin-{i + 1}", THROWN[i], "change", text, side=side)


@lru_cache(maxsize=4096)
def coins(side: int, steps: int, outside: int, home: int) -> tuple[Piece, ...]:
    """Return the coins of a side: on these steps, waiting and at home."""
    places = [spot_of(side, step) for step in range(1, HOME) if steps >> step & 1]
    on_board = [coin(side, f"{SEATS[side]}-{place}", place, 0) for place in places]
    stacks = [(spot_of(side, WAITING), outside), (spot_of(side, HOME), home)]
    return (*on_board, *(coin(side, f"{spot}-{i + 1}", spot, i) for spot, n in stacks for i in range(n)))


@cache
def coin(side: int, id: str, spot: str, level: int) -> Piece:
    return Piece(id, spot, "coin", COINS[side], suit=SUITS[side], level=level)


@cache
def spot_of(side: int, step: int) -> str:
    """Return the spot of a step on a side's way."""
    if step == WAITING:
        return f"{SEATS[side]}-waiting"
    return f"{SEATS[side]}-home" if step == HOME else square(side, step)


def tallies(b: Board, s: State) -> tuple[Tally, ...]:
    return home_tallies(b.coins, *s.home)


@cache
def home_tallies(coins: int, *home: int) -> tuple[Tally, ...]:
    """Count the coins that each side has brought home."""
    return tuple(Tally(SEATS[i], AT_HOME[i], n, coins) for i, n in enumerate(home))


def touch(b: Board, s: State, a: int) -> Touch:
    """Return the spots one touches: a coin, then where it goes. A throw shows on its coins."""
    if a < MOVE:
        return Touch(tuple(f"coin-{i + 1}" for i in range(4))) if s.heads >= 0 else Touch(THROWN)
    side, start = s.mover, step_at(a - MOVE)
    lies = f"{SEATS[side]}-{spot_of(side, start)}"
    if start == WAITING:
        lies = f"{spot_of(side, WAITING)}-{waiting(b, s, side)}"
    return Touch((lies, spot_of(side, start + s.heads)))
