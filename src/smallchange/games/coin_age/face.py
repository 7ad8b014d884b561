"""Coin Age on the table: the map of hexes, and a tray for each bank with a slot for each rank."""

from functools import cache, lru_cache
from operator import attrgetter

from smallchange.draw.table import Area, Piece, Spot, Table, Tally, Touch
from smallchange.state import OVER
from smallchange.text import Text

from .board import SEATS, Board, State
from .notation import space
from .rules import CAPTURE, END, MOVE, PAY, PLACE, TOSS, empty, points
from .words import COINS, PLAYERS, SIDES

SIGNS = {PLAYERS[seat]: seat for seat in SEATS}
BANKS = (Text("The bank of heads", "表の銀行"), Text("The bank of tails", "裏の銀行"))
LOT = Spot("map", 0, 0, Text("the map, not drawn yet", "地図(まだ決まっていません)"))
IN_BANK = Text("{coin}, {n} in the bank of {side}", "{side}の銀行の{coin}、{n}枚")
LYING = Text("{coin}, {side} up", "{coin}、{side}")
MATCHING = Text("matching {coin}, {side} up", "一致した{coin}、{side}")

LARGEST_FIRST = [4 * side + rank for rank in (3, 2, 1, 0) for side in (0, 1)]


def table(b: Board, s: State) -> Table:
    drawn, below = the_map(b, s.map)
    areas, pieces = [drawn], [*on_the_map(b, *s.coins)]
    for side in (0, 1):
        areas.append(bank(side, below + 150 * side, *s.bank[4 * side : 4 * side + 4]))
        for rank in range(4):
            pieces += in_the_bank(s, side, rank)
    pieces.sort(key=attrgetter("id"))
    if s.map == -1:
        return Table(tuple(areas), tuple(pieces))
    return Table(tuple(areas), tuple(pieces), tallies(b, s))


@lru_cache(maxsize=256)
def the_map(b: Board, k: int) -> tuple[Area, int]:
    """Map `k` of the board, or where it will be drawn; and how far down the banks lie."""
    hexes = [LOT] if k == -1 else [hexagon(b, k, i) for i in range(b.spaces) if b.on[k] >> i & 1]
    return Area("board", Text("The map", "地図"), tuple(hexes)), max(spot.y for spot in hexes) + 150


def hexagon(b: Board, k: int, i: int) -> Spot:
    """A space of map `k`: neighbours in a row 100 apart, rows 87 apart."""
    r = next(r for r in range(16 * k, 16 * k + b.regions[k]) if b.region[r] >> i & 1)
    text = Text("{space}, region {letter}", "{space}、地域{letter}")
    text = text.fill(space=space(b, i), letter=chr(b.letter[r]))
    x, y = 50 * b.across[16 * k + i], 87 * b.down[16 * k + i]
    return Spot(space(b, i), x, y, text, "hex", tint=(r - 16 * k) % 6 + 1, region=chr(b.letter[r]))


@lru_cache(maxsize=4096)
def bank(side: int, y: int, *coins: int) -> Area:
    """The bank of a side with this many coins of each rank."""
    return Area(SEATS[side], BANKS[side], tuple(slot(side, rank, n, y) for rank, n in enumerate(coins)))


@lru_cache(maxsize=4096)
def slot(side: int, rank: int, n: int, y: int) -> Spot:
    """A place for the coins of a rank, which says how many are in it."""
    text = IN_BANK.fill(coin=COINS[rank], n=n, side=SIDES[side])
    return Spot(f"{SEATS[side]}-{rank + 1}", 100 * rank, y, text, "slot")


@lru_cache(maxsize=4096)
def on_the_map(b: Board, *coins: int) -> tuple[Piece, ...]:
    """By side and rank: the spaces with such a coin, which lies on all that are larger."""
    pieces = []
    for i in range(b.spaces):
        here = [kind for kind in LARGEST_FIRST if coins[kind] >> i & 1]
        pieces += [lying(space(b, i), kind % 4, kind // 4, level) for level, kind in enumerate(here)]
    return tuple(pieces)


@lru_cache(maxsize=4096)
def lying(at: str, rank: int, side: int, level: int) -> Piece:
    return coin(f"{SEATS[side]}-{rank + 1}-{at}", at, rank, side, level=level)


def in_the_bank(s: State, side: int, rank: int) -> tuple[Piece, ...]:
    """The coins of a rank in a bank; the one tossed this turn lies on top as it fell.

    The others show the side of their owner.
    """
    ours = side == s.mover
    matches = ours and s.match >> rank & 1 == 1
    missed = ours and (s.tossed & ~s.match) >> rank & 1
    return banked_coins(side, rank, s.bank[4 * side + rank], s.tails >> rank & 1 if missed else side, matches)


@cache
def banked_coins(side: int, rank: int, n: int, shown: int, matches: bool) -> tuple[Piece, ...]:
    """The `n` coins of a rank in a bank, the top one with the side it shows."""
    spot = f"{SEATS[side]}-{rank + 1}"
    lower = [coin(banked(side, rank, level), spot, rank, side, level=level) for level in range(n - 1)]
    top = (banked(side, rank, n - 1), spot, rank, shown, "match" if matches else "", n - 1)
    return (*lower, coin(*top)) if n else ()


def banked(side: int, rank: int, level: int) -> str:
    """The id of a coin in a bank.

    >>> banked(0, 1, 2)
    'heads-2-bank-3'
    """
    return f"{SEATS[side]}-{rank + 1}-bank-{level + 1}"


def coin(id: str, spot: str, rank: int, side: int, state: str = "", level: int = 0) -> Piece:
    text = (MATCHING if state == "match" else LYING).fill(coin=COINS[rank], side=SIDES[side])
    return Piece(id, spot, "change", text, value=str(rank + 1), side=SEATS[side], state=state, level=level)


def tallies(b: Board, s: State) -> tuple[Tally, ...]:
    """Both scores if the game ended now, until it has, and how many empty spaces it still has."""
    scores = counted(b, s.map, tuple(s.coins), tuple(s.bank))
    return scores[2:] if s.turn == OVER else scores


@lru_cache(maxsize=4096)
def counted(b: Board, k: int, coins: tuple[int, ...], bank: tuple[int, ...]) -> tuple[Tally, ...]:
    """The same of these coins on map `k` and in the banks: tosses change nothing about it."""
    s = State()
    s.map, s.coins, s.bank = k, list(coins), list(bank)
    left, spaces = empty(b, s).bit_count(), b.on[k].bit_count()
    return scored(0, points(b, s, 0)), scored(1, points(b, s, 1)), unfilled(left, spaces)


@cache
def scored(side: int, worth: int) -> Tally:
    now = Text("{side}, if it ended now", "{side}(今終わった場合)")
    return Tally(SEATS[side], now.fill(side=PLAYERS[SEATS[side]]), worth)


@cache
def unfilled(spaces: int, most: int) -> Tally:
    return Tally("empty", Text("Empty spaces", "空きスペース"), spaces, most)


def touch(b: Board, s: State, a: int) -> Touch:
    """A coin of the bank and its space, or its place in the other bank to pay it; two spaces for a move, one
    for a capture; ending the turn is a button. A toss shows on its coin, the lot on the map.
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
    """The id of the mover's coin of a rank that is tossed and placed."""
    return banked(s.mover, rank, s.bank[4 * s.mover + rank] - 1)
