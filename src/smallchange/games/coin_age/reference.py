"""Coin Age at a glance: what every region is worth to whom, what one may do, and the coins."""

from smallchange.core.state import count
from smallchange.i18n.text import Text, capital, plain, together
from smallchange.render.reference_sheet import Row, Sheet

from .layout import coin, hexagon, region_name
from .maps import REGION
from .model import SEATS, Board, State
from .rules import START, occupied_spaces, owned_spaces, points, points_on
from .words import COINS, PLAYERS

TITLE = Text("Points, actions, coins")
COUNTED = Text(
    "A coin on top counts its rank. A region counts twice for whoever controls more of its spaces. A coin "
    "in the bank is one point."
)
MAY = (  # by matching coins
    Text("capture one coin, and move once"),
    Text("place one coin, and move once"),
    Text("place two coins"),
    Text("place two coins"),
    Text("place two coins; or pay one and place three"),
)
DEEDS = (  # with the ranks and sides of the coins shown
    (
        Text("Place"),
        Text("a matching coin on an empty space, or on a larger coin, whichever side it shows"),
        ((2, 0), (3, 1)),
    ),
    (
        Text("Pay"),
        Text("a matching coin into the other bank"),
        ((1, 0),),
    ),
    (
        Text("Move"),
        Text("all the coins of any space to an empty space beside it"),
        ((3, 0), (4, 1)),
    ),
    (
        Text("Capture"),
        Text("the top coin of any space, into your bank"),
        ((2, 1),),
    ),
)


def tally(b: Board, s: State) -> dict[str, dict[str, int]]:
    """Return the points of each side if the game ended now: by region, of the bank, and in total.

    {} before the map is drawn.
    """
    if s.map < 0:
        return {}
    regions = range(16 * s.map, 16 * s.map + b.regions[s.map])
    return {
        seat: {
            **{tally_key(b, r): points_on(b, s, side, b.region[r]) for r in regions},
            "bank": sum(s.bank[4 * side : 4 * side + 4]),
            "total": points(b, s, side),
        }
        for side, seat in enumerate(SEATS)
    }


def tally_key(b: Board, r: int) -> str:
    """Return the name of a region, or its letter where its maker calls it as another row of the tally."""
    name = region_name(b, r).en
    return REGION.fill(letter=chr(b.letter[r])).en if name in ("bank", "total") else name


def sheets(b: Board, s: State) -> tuple[Sheet, ...]:
    return (*((points_sheet(b, s),) if s.map >= 0 else ()), actions_sheet(), coins_sheet())


def points_sheet(b: Board, s: State) -> Sheet:
    """Every region with its coins, and what it is worth to each side if the game ended now."""
    sides = range(len(SEATS))
    rows = [region(b, s, r) for r in range(16 * s.map, 16 * s.map + b.regions[s.map])]
    banks = tuple(plain(str(sum(s.bank[4 * side : 4 * side + 4]))) for side in sides)
    rows.append(Row(Text("Coins in the bank"), banks))
    rows.append(Row(Text("Total"), tuple(plain(str(points(b, s, side))) for side in sides)))
    players = tuple(PLAYERS[seat] for seat in SEATS)
    return Sheet(Text("If the game ended now"), tuple(rows), players, COUNTED)


def region(b: Board, s: State, r: int) -> Row:
    spots = tuple(hexagon(b, s.map, i) for i in range(b.spaces) if b.region[r] >> i & 1)
    sums = tuple(plain(sum_text(b, s, side, b.region[r])) for side in range(len(SEATS)))
    return Row(capital(region_name(b, r)), sums, spots)


def sum_text(b: Board, s: State, side: int, spaces: int) -> str:
    """Return the ranks of a side's top coins on these spaces and their points: "(4 + 1) × 2 = 10"."""
    seen = [
        str(rank + 1)
        for rank in range(4)
        for _ in range(count(spaces & s.coins[4 * side + rank] & ~occupied_spaces(s, rank)))
    ]
    if not seen:
        return "0"
    total, row = sum(map(int, seen)), " + ".join(seen)
    if spaces & owned_spaces(b, s, side):
        return f"({row}) × 2 = {2 * total}" if len(seen) > 1 else f"{row} × 2 = {2 * total}"
    return f"{row} = {total}" if len(seen) > 1 else row


def actions_sheet() -> Sheet:
    matching = Text("{n} matching")
    rows = [
        Row(
            matching.fill(n=n),
            (MAY[n],),
            pieces=tuple(
                coin(f"{n}-{rank}", "", rank, int(rank >= n), "match" * (rank < n)) for rank in range(4)
            ),
        )
        for n in (4, 3, 2, 1, 0)
    ]
    rows += [
        Row(name, (what,), pieces=tuple(coin(f"deed-{rank}", "", rank - 1, side) for rank, side in shown))
        for name, what, shown in DEEDS
    ]
    about = Text("Toss one coin of each kind in your bank. Those that show your side match.")
    return Sheet(Text("What you may do"), tuple(rows), about=about)


def coins_sheet() -> Sheet:
    sentence = Text("counts {value}; covers {over}; {n} in each bank to begin with")
    rows = []
    for rank, name in enumerate(COINS):
        larger = together(plain(value) for value in range(rank + 2, 5))
        over = Text("{coins}", "covers").fill(coins=larger) if larger.en else Text("nothing")
        text = sentence.fill(value=rank + 1, over=over, n=START[rank])
        rows.append(Row(name, (text,), pieces=tuple(coin(f"coin-{side}", "", rank, side) for side in (0, 1))))
    return Sheet(Text("The coins"), tuple(rows))
