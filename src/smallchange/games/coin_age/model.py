"""The board of Coin Age, which is one map or all four to draw from, and its state.

A space has one number on all maps of a board: that of its name in the list of all their names, by rows
from the bottom. So a set of spaces is the bits of one integer, whichever map is drawn.
Heads is seat 0, tails seat 1.
"""

from collections.abc import Iterable

from smallchange.core.canvas import Canvas, Sign
from smallchange.core.options import Drawing, Option, Value, Whole
from smallchange.core.state import Fields, mask, masks, number, numbers
from smallchange.i18n.text import Text

from .maps import DRAWN, LONGEST_NAME, MOST_SPACES, NAMES, REGION, Space, own_names, read

SEATS = ("heads", "tails")
SOURCES = (*(f"{side} {rank}" for side in SEATS for rank in range(1, 5)), "map")
CANVAS = Canvas(
    tuple(Sign(letter, REGION.fill(letter=letter), "hex") for letter in "abcdef"),
    Sign(".", Text("no space"), ""),
    MOST_SPACES,
    MOST_SPACES,
    tuple(DRAWN.items()),
    hexes=True,
    other=REGION,
    longest_name=LONGEST_NAME,
)
OPTIONS: tuple[Option, ...] = (
    Drawing("map", "forest", NAMES, read, CANVAS),
    Whole("quiet_limit", 20, 2, 1000),
)

MAPS = tuple(DRAWN)
ALL = (1 << 16) - 1


class Board(Fields):
    """Rows over several maps hold 16 numbers for each map, one after the other."""

    maps: int = number(1, 4)  # how many there are to draw from
    spaces: int = number(4, 16)  # how many names of spaces there are
    place: list[int] = numbers(16, 0, 15)  # by space: its place in its row, 0 is a
    row: list[int] = numbers(16, 0, 1 << 30)  # .. and its row, 1 at the bottom
    known: list[int] = numbers(4, -1, 3)  # by map: which of MAPS it is; -1 for a drawing of one's own
    on: list[int] = numbers(4, 0, ALL)  # by map: its spaces
    near: list[int] = numbers(64, 0, ALL)  # by map and space: the spaces beside it
    regions: list[int] = numbers(4, 0, 16)  # by map: how many regions
    region: list[int] = numbers(64, 0, ALL)  # by map and region: its spaces
    letter: list[int] = numbers(64, 0, 127)  # .. and its letter
    across: list[int] = numbers(64, 0, 30)  # by map and space: its column of characters
    down: list[int] = numbers(64, 0, 15)  # .. and its row, both from the upper left
    quiet_limit: int = number(2, 1000)
    own_names: tuple[tuple[str, str], ...] = ()  # of regions of a drawing, by letter: no rule, so no number


class State(Fields):
    """Ranks are 0 to 3 in here. Smaller lies on larger, so a stack is a set: no two of one rank."""

    turn: int = number(-2, 1)
    mover: int = number(0, 1)  # whose turn it is, the toss included
    map: int = number(-1, 3)  # -1: not drawn yet
    bank: list[int] = numbers(8, 0, 8)  # by side, then rank: coins in that player's bank
    coins: list[int] = masks(8, ALL)  # by side shown, then rank: the spaces with such a coin
    tossed: int = mask(15)  # the ranks tossed this turn
    tails: int = mask(15)  # .. those of them that fell tails
    match: int = mask(15)  # .. those that matched and are neither placed nor paid
    matches: int = number(0, 4)  # how many matched
    placed: int = number(0, 3)  # how often the mover has done what this turn
    paid: int = number(0, 1)
    captured: int = number(0, 1)
    moved: int = number(0, 1)
    quiet: int = number(0, 1000)  # turns in a row without a coin placed
    reason: int = number(0, 3)  # 0 none yet, then rules.FULL, BANK, QUIET


def build(options: dict[str, Value]) -> Board:
    b = Board()
    b.quiet_limit = int(options["quiet_limit"])
    chosen = str(options["map"])
    drawings = [read(name) for name in (MAPS if chosen == "random" else (chosen,))]
    if named := own_names(chosen):
        b.own_names = tuple(sorted(named.items()))
    names = sorted({(space.row, space.place) for spaces in drawings for space in spaces})
    b.maps, b.spaces = len(drawings), len(names)
    for i, (row, place) in enumerate(names):
        b.row[i], b.place[i] = row, place
    for k, spaces in enumerate(drawings):
        lay(b, k, {names.index((space.row, space.place)): space for space in spaces})
    return b


def outline(spaces: Iterable[Space]) -> list[tuple[str, int, int]]:
    """Return the region, row and column of each space, wherever on the page the map was drawn."""
    drawn = list(spaces)
    left = min(space.character for space in drawn)
    return sorted((space.region, space.row, space.character - left) for space in drawn)


def lay(b: Board, k: int, spaces: dict[int, Space]) -> None:
    """Write map `k` of the board: its spaces by number, in reading order."""
    regions = list(dict.fromkeys(space.region for space in spaces.values()))
    left = min(space.character for space in spaces.values())
    top = min(space.line for space in spaces.values())
    b.known[k] = next(
        (j for j, name in enumerate(MAPS) if outline(read(name)) == outline(spaces.values())), -1
    )
    b.on[k] = sum(1 << i for i in spaces)
    b.regions[k] = len(regions)
    for i, space in spaces.items():
        r = regions.index(space.region)
        b.region[16 * k + r] |= 1 << i
        b.letter[16 * k + r] = ord(space.region)
        b.near[16 * k + i] = sum(1 << j for j, other in spaces.items() if space.touches(other))
        b.across[16 * k + i] = space.character - left
        b.down[16 * k + i] = space.line - top
