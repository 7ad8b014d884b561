"""Coin Age on the table: the map of hexes, and a tray for each bank with a slot for each rank."""

import unicodedata
from functools import cache, lru_cache
from operator import attrgetter

from smallchange.i18n.text import Text, plain
from smallchange.render.scene import (
    Area,
    Badge,
    Mark,
    Piece,
    Scene,
    Spot,
    Tally,
    Touch,
)

from .maps import DRAWN_REGIONS, REGION, REGIONS
from .model import MAPS, SEATS, Board, State
from .notation import space
from .rules import CAPTURE, END, MOVE, PAY, PLACE, TOSS, controlled_spaces, empty, points
from .words import COINS, PLAYERS, SIDES

SIGNS = dict(zip(SIDES, SEATS, strict=True))
BANKS = (Text("The bank of heads"), Text("The bank of tails"))
LOT = Spot("map", 0, 0, Text("the map, not drawn yet"))
IN_BANK = Text("{coin}, {n} in the bank of {side}")
LYING = Text("{coin}, {side} up")
MATCHING = Text("matching {coin}, {side} up")
STANDS = Text("{region}, spaces of heads {heads}, of tails {tails}")

LARGEST_FIRST = [4 * side + rank for rank in (3, 2, 1, 0) for side in (0, 1)]


def scene(b: Board, s: State) -> Scene:
    drawn, below = the_map(b, s.map)
    areas, pieces = [drawn], [*on_the_map(b, *s.coins)]
    for side in (0, 1):
        areas.append(bank(side, below + 150 * side, *s.bank[4 * side : 4 * side + 4]))
        for rank in range(4):
            pieces += in_the_bank(s, side, rank)
    pieces.sort(key=attrgetter("id"))
    if s.map == -1:
        return Scene(tuple(areas), tuple(pieces))
    badges = (*balances(b, s), *names(b, s.map, empty(b, s)), *matches(s))
    return Scene(tuple(areas), tuple(pieces), tallies(b, s), badges)


@lru_cache(maxsize=256)
def the_map(b: Board, k: int) -> tuple[Area, int]:
    """Map `k` of the board, or where it will be drawn; and how far down the banks lie."""
    hexes = [LOT] if k == -1 else [hexagon(b, k, i) for i in range(b.spaces) if b.on[k] >> i & 1]
    return Area("board", Text("The map"), tuple(hexes)), max(spot.y for spot in hexes) + 150


def hexagon(b: Board, k: int, i: int) -> Spot:
    """Return a space of map `k`: neighbours in a row are 100 apart, rows 87 apart."""
    r = next(r for r in range(16 * k, 16 * k + b.regions[k]) if b.region[r] >> i & 1)
    text = Text("{space}, {region}").fill(space=space(b, i), region=region_name(b, r))
    x, y = 50 * b.across[16 * k + i], 87 * b.down[16 * k + i]
    return Spot(space(b, i), x, y, text, "hex", tint=(r - 16 * k) % 6 + 1, region=chr(b.letter[r]))


def region_name(b: Board, r: int) -> Text:
    """Return the name of a region: that its maker gave it, on our maps theirs, else that of its letter, if any."""
    letter, known = chr(b.letter[r]), b.known[r // 16]
    if own := dict(b.own_names).get(letter):
        turns = any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in own)  # the words around it
        return plain(f"\N{FIRST STRONG ISOLATE}{own}\N{POP DIRECTIONAL ISOLATE}" if turns else own)
    names = REGIONS[MAPS[known]] if known >= 0 else DRAWN_REGIONS
    return names.get(letter) or REGION.fill(letter=letter)


def balances(b: Board, s: State) -> tuple[Badge, ...]:
    """Return how each region stands: the spaces where heads are up, and those where tails are."""
    up = controlled_spaces(s, 0), controlled_spaces(s, 1)
    rows = range(16 * s.map, 16 * s.map + b.regions[s.map])
    return tuple([balance(b, r, *[(spaces & b.region[r]).bit_count() for spaces in up]) for r in rows])


@lru_cache(maxsize=4096)
def balance(b: Board, r: int, heads: int, tails: int) -> Badge:
    """Return the badge of a region, on its first space; the side that owns it is ringed."""
    text = STANDS.fill(region=region_name(b, r), heads=heads, tails=tails)
    if heads != tails:
        text = Text("{stands}: it belongs to {side}").fill(stands=text, side=SIDES[heads < tails])
    marks = (
        Mark(str(heads), "gold", ringed=heads > tails),
        Mark(str(tails), "silver", ringed=tails > heads),
    )
    return Badge(first_space(b, r // 16, b.region[r]), text, marks, y=5, size=19)


@lru_cache(maxsize=4096)
def names(b: Board, k: int, empty: int) -> tuple[Badge, ...]:
    """Return the name of each region of map `k`, on its first empty space."""
    free = [(r, b.region[r] & empty) for r in range(16 * k, 16 * k + b.regions[k])]
    return tuple([Badge(first_space(b, k, room), region_name(b, r), (), size=16) for r, room in free if room])


def first_space(b: Board, k: int, spaces: int) -> str:
    """Return the one of these spaces of map `k` that lies highest, and of those farthest to the left."""
    lying = [i for i in range(b.spaces) if spaces >> i & 1]
    return space(b, min(lying, key=lambda i: (b.down[16 * k + i], b.across[16 * k + i])))


def matches(s: State) -> tuple[Badge, ...]:
    """Return what it means that a coin of the mover matches, on each."""
    ranks = [rank for rank in range(4) if s.match >> rank & 1]
    return tuple([match(s.mover, rank) for rank in ranks])


@cache
def match(side: int, rank: int) -> Badge:
    text = Text("it matches {side}, so it may be placed").fill(side=PLAYERS[SEATS[side]])
    return Badge(f"{SEATS[side]}-{rank + 1}", text, (Mark("✓", "strong"),), x=82, y=84, size=26)


@lru_cache(maxsize=4096)
def bank(side: int, y: int, *coins: int) -> Area:
    """Return the bank of a side with this many coins of each rank."""
    slots = tuple(slot(side, rank, n, y) for rank, n in enumerate(coins))
    return Area(SEATS[side], BANKS[side], slots, seat=side)


@lru_cache(maxsize=4096)
def slot(side: int, rank: int, n: int, y: int) -> Spot:
    """Return a place for the coins of a rank, with their number in its name."""
    text = IN_BANK.fill(coin=COINS[rank], n=n, side=SIDES[side])
    return Spot(f"{SEATS[side]}-{rank + 1}", 100 * rank, y, text, "slot")


@lru_cache(maxsize=4096)
def on_the_map(b: Board, *coins: int) -> tuple[Piece, ...]:
    """By side and rank: the spaces with such a coin, which lies on all that are larger."""
    pieces = []
    for i in range(b.spaces):
        here = [kind for kind in LARGEST_FIRST if coins[kind] >> i & 1]
        pieces += [coin_on_map(space(b, i), kind % 4, kind // 4, level) for level, kind in enumerate(here)]
    return tuple(pieces)


@lru_cache(maxsize=4096)
def coin_on_map(at: str, rank: int, side: int, level: int) -> Piece:
    return coin(f"{SEATS[side]}-{rank + 1}-{at}", at, rank, side, level=level)


def in_the_bank(s: State, side: int, rank: int) -> tuple[Piece, ...]:
    """Return the coins of a rank in a bank.

    The coin tossed this turn lies on top as it fell. The others show the side of their owner.
    """
    ours = side == s.mover
    matches = ours and s.match >> rank & 1 == 1
    missed = ours and (s.tossed & ~s.match) >> rank & 1
    return bank_coins(side, rank, s.bank[4 * side + rank], s.tails >> rank & 1 if missed else side, matches)


@cache
def bank_coins(side: int, rank: int, n: int, shown: int, matches: bool) -> tuple[Piece, ...]:
    """Return the `n` coins of a rank in a bank, the top one with the side it shows."""
    spot = f"{SEATS[side]}-{rank + 1}"
    lower = [coin(bank_coin_id(side, rank, level), spot, rank, side, level=level) for level in range(n - 1)]
    top = (bank_coin_id(side, rank, n - 1), spot, rank, shown, "match" if matches else "", n - 1)
    return (*lower, coin(*top)) if n else ()


def bank_coin_id(side: int, rank: int, level: int) -> str:
    """Return the id of a coin in a bank.

    >>> bank_coin_id(0, 1, 2)
    'heads-2-bank-3'
    """
    return f"{SEATS[side]}-{rank + 1}-bank-{level + 1}"


def coin(id: str, spot: str, rank: int, side: int, state: str = "", level: int = 0) -> Piece:
    text = (MATCHING if state == "match" else LYING).fill(coin=COINS[rank], side=SIDES[side])
    return Piece(id, spot, "change", text, value=str(rank + 1), side=SEATS[side], state=state, level=level)


def tallies(b: Board, s: State) -> tuple[Tally, ...]:
    """Both scores as if the game ended now, and how many empty spaces the map still has."""
    return count_tallies(b, s.map, tuple(s.coins), tuple(s.bank))


@lru_cache(maxsize=4096)
def count_tallies(b: Board, k: int, coins: tuple[int, ...], bank: tuple[int, ...]) -> tuple[Tally, ...]:
    """Return the counts of these coins on map `k` and in the banks; tosses do not change them."""
    s = State()
    s.map, s.coins, s.bank = k, list(coins), list(bank)
    left, spaces = empty(b, s).bit_count(), b.on[k].bit_count()
    return score_tally(0, points(b, s, 0)), score_tally(1, points(b, s, 1)), empty_spaces_tally(left, spaces)


@cache
def score_tally(side: int, points: int) -> Tally:
    return Tally(SEATS[side], Text("Points of {side}").fill(side=PLAYERS[SEATS[side]]), points)


@cache
def empty_spaces_tally(spaces: int, most: int) -> Tally:
    return Tally("empty", Text("Empty spaces"), spaces, most, said=True)


def touch(b: Board, s: State, a: int) -> Touch:
    """Return the spots one touches to choose an action.

    - To place a coin, touch the coin in the bank and then its space.
    - To pay a coin, touch it and then its place in the other bank.
    - To move, touch two spaces; to capture, one.
    - To end the turn, press a button.

    A toss shows on its coin, and the choice of a map on the map.
    """
    if a == END:
        return Touch()
    if PAY <= a < CAPTURE:
        return Touch((top_coin(s, a - PAY), f"{SEATS[1 - s.mover]}-{a - PAY + 1}"))
    if a < TOSS:
        return Touch((LOT.id,))
    if a < PAY:
        return Touch((top_coin(s, (a - TOSS) // 2),))
    if a < PLACE:
        return Touch((space(b, a - CAPTURE),))
    first, at = divmod(a - (PLACE if a < MOVE else MOVE), 16)
    start = top_coin(s, first) if a < MOVE else space(b, first)
    return Touch((start, space(b, at)))


def top_coin(s: State, rank: int) -> str:
    """Return the id of the mover's coin of a rank that is tossed and placed."""
    return bank_coin_id(s.mover, rank, s.bank[4 * s.mover + rank] - 1)
