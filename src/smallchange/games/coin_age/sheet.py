"""Coin Age at a glance: what every region is worth to whom, what one may do, and the coins."""

from smallchange.draw.sheet import Row, Sheet
from smallchange.state import count
from smallchange.text import Text, plain, together

from .board import SEATS, Board, State
from .face import coin, hexagon
from .rules import START, occupied, owned, points
from .words import COINS, PLAYERS

TITLE = Text("Points, actions, coins", "得点・できること・コイン")
COUNTED = Text(
    "A coin on top counts its rank. A region counts twice for whoever controls more of its spaces. A coin "
    "in the bank is one point.",
    "一番上のコインはそのランクが得点です。地域のスペースを多く支配する側は、その地域の得点が2倍になります。"
    "銀行のコインは1枚1点です。",
)
MAY = (  # by matching coins
    Text("capture one coin, and move once", "コイン1枚の捕獲と、移動1回"),
    Text("place one coin, and move once", "コイン1枚の配置と、移動1回"),
    Text("place two coins", "コイン2枚の配置"),
    Text("place two coins", "コイン2枚の配置"),
    Text("place two coins; or pay one and place three", "コイン2枚の配置、または1枚支払って3枚の配置"),
)
DEEDS = (  # with the ranks and sides of the coins shown
    (
        Text("Place", "配置"),
        Text(
            "a matching coin on an empty space, or on a larger coin, whichever side it shows",
            "一致したコインを、空きスペースか、ランクの高いコイン(どちらの面でも)の上に置きます",
        ),
        ((2, 0), (3, 1)),
    ),
    (
        Text("Pay", "支払い"),
        Text("a matching coin into the other bank", "一致したコインを相手の銀行に渡します"),
        ((1, 0),),
    ),
    (
        Text("Move", "移動"),
        Text(
            "all the coins of any space to an empty space beside it",
            "どこか1つのスペースのコインをすべて、隣の空きスペースへ動かします",
        ),
        ((3, 0), (4, 1)),
    ),
    (
        Text("Capture", "捕獲"),
        Text(
            "the top coin of any space, into your bank",
            "どこか1つのスペースの一番上のコインを自分の銀行に入れます",
        ),
        ((2, 1),),
    ),
)


def sheets(b: Board, s: State) -> tuple[Sheet, ...]:
    return (*((worth(b, s),) if s.map >= 0 else ()), actions(), coins())


def worth(b: Board, s: State) -> Sheet:
    """Every region with its coins, and what it is worth to each side if the game ended now."""
    sides = range(len(SEATS))
    rows = [region(b, s, r) for r in range(16 * s.map, 16 * s.map + b.regions[s.map])]
    banks = tuple(plain(str(sum(s.bank[4 * side : 4 * side + 4]))) for side in sides)
    rows.append(Row(Text("Coins in the bank", "銀行のコイン"), banks))
    rows.append(Row(Text("Total", "合計"), tuple(plain(str(points(b, s, side))) for side in sides)))
    players = tuple(PLAYERS[seat] for seat in SEATS)
    return Sheet(Text("If the game ended now", "今終わった場合の得点"), tuple(rows), players, COUNTED)


def region(b: Board, s: State, r: int) -> Row:
    spots = tuple(hexagon(b, s.map, i) for i in range(b.spaces) if b.region[r] >> i & 1)
    sums = tuple(plain(summed(b, s, side, b.region[r])) for side in range(len(SEATS)))
    return Row(Text("Region {letter}", "地域{letter}").fill(letter=chr(b.letter[r])), sums, spots)


def summed(b: Board, s: State, side: int, spaces: int) -> str:
    """The ranks of a side's top coins on these spaces, and what they come to: "(4 + 1) × 2 = 10"."""
    seen = [
        str(rank + 1)
        for rank in range(4)
        for _ in range(count(spaces & s.coins[4 * side + rank] & ~occupied(s, rank)))
    ]
    if not seen:
        return "0"
    total, row = sum(map(int, seen)), " + ".join(seen)
    if spaces & owned(b, s, side):
        return f"({row}) × 2 = {2 * total}" if len(seen) > 1 else f"{row} × 2 = {2 * total}"
    return f"{row} = {total}" if len(seen) > 1 else row


def actions() -> Sheet:
    matching = Text("{n} matching", "{n}枚一致")
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
    about = Text(
        "Toss one coin of each kind in your bank. Those that show your side match.",
        "銀行にある各種のコインを1枚ずつ投げます。自分の面が出たものが一致したコインです。",
    )
    return Sheet(Text("What you may do", "できること"), tuple(rows), about=about)


def coins() -> Sheet:
    said = Text(
        "counts {value}; covers {over}; {n} in each bank to begin with",
        "{value}点。{over}。最初はどちらの銀行にも{n}枚",
    )
    rows = []
    for rank, name in enumerate(COINS):
        larger = together(plain(value) for value in range(rank + 2, 5))
        over = Text(larger.en, f"{larger.ja}を覆う") if larger.en else Text("nothing", "何も覆わない")
        text = said.fill(value=rank + 1, over=over, n=START[rank])
        rows.append(Row(name, (text,), pieces=tuple(coin(f"coin-{side}", "", rank, side) for side in (0, 1))))
    return Sheet(Text("The coins", "コイン"), tuple(rows))
