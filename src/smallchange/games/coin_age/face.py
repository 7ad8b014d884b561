"""Coin Age on the table: the map of hexes, and a tray for each bank with a slot for each rank."""

from smallchange.draw.table import Area, Piece, Spot, Table, Tally, Touch
from smallchange.text import Text

from .board import SEATS, Board, State
from .rules import CAPTURE, END, MOVE, PAY, PLACE, TOSS, empty, points, points_on
from .words import COINS, PLAYERS, SIDES, space, stack

BANKS = (Text("The bank of heads", "表の銀行"), Text("The bank of tails", "裏の銀行"))
LOT = Spot("map", 0, 0, Text("the map, not drawn yet", "地図(まだ決まっていません)"))


def table(b: Board, s: State) -> Table:
    hexes = [LOT] if s.map == -1 else [hexagon(b, s, i) for i in range(b.spaces) if b.on[s.map] >> i & 1]
    below = max(spot.y for spot in hexes) + 150
    areas = [Area("board", Text("The map", "地図"), tuple(hexes))]
    pieces = on_the_map(b, s)
    for side in (0, 1):
        areas.append(Area(SEATS[side], BANKS[side], slots(s, side, below + 150 * side)))
        for rank in range(4):
            pieces += in_the_bank(s, side, rank)
    pieces.sort(key=lambda piece: piece.id)
    return Table(tuple(areas), tuple(pieces), tallies(b, s), regions(b, s))


def hexagon(b: Board, s: State, i: int) -> Spot:
    """A space of the drawn map: neighbours in a row 100 apart, rows 87 apart."""
    regions = range(16 * s.map, 16 * s.map + b.regions[s.map])
    r = next(r for r in regions if b.region[r] >> i & 1)
    text = Text("{space}, region {letter}", "{space}、地域{letter}")
    text = text.fill(space=space(b, i), letter=chr(b.letter[r]))
    x, y = 50 * b.across[16 * s.map + i], 87 * b.down[16 * s.map + i]
    return Spot(space(b, i), x, y, text, "hex", tint=(r - 16 * s.map) % 6 + 1, region=chr(b.letter[r]))


def slots(s: State, side: int, y: int) -> tuple[Spot, ...]:
    """A slot for each rank of a bank, which says how many coins are in it."""
    text = Text("{coin}, {n} in the bank of {side}", "{side}の銀行の{coin}、{n}枚")
    return tuple(
        Spot(
            f"{SEATS[side]}-{rank + 1}",
            100 * rank,
            y,
            text.fill(coin=COINS[rank], n=s.bank[4 * side + rank], side=SIDES[side]),
            "slot",
        )
        for rank in range(4)
    )


def on_the_map(b: Board, s: State) -> list[Piece]:
    pieces = []
    for i in range(b.spaces):
        for level, (rank, side) in enumerate(reversed(stack(s, i))):
            id = f"{SEATS[side]}-{rank + 1}-{space(b, i)}"
            pieces.append(coin(id, space(b, i), rank, side, level=level))
    return pieces


def in_the_bank(s: State, side: int, rank: int) -> list[Piece]:
    """The coins of a rank in a bank; the one tossed this turn lies on top as it fell.

    The others show the side of their owner.
    """
    tossed = s.tossed & ~s.match if side == s.mover else 0
    fell = s.tails >> rank & 1
    missed = tossed >> rank & 1 and fell != side
    matches = side == s.mover and s.match >> rank & 1
    top = s.bank[4 * side + rank] - 1
    pieces = []
    for level in range(top + 1):
        shown = fell if missed and level == top else side
        state = "match" if matches and level == top else ""
        pieces.append(coin(banked(side, rank, level), f"{SEATS[side]}-{rank + 1}", rank, shown, state, level))
    return pieces


def banked(side: int, rank: int, level: int) -> str:
    """The id of a coin in a bank.

    >>> banked(0, 1, 2)
    'heads-2-bank-3'
    """
    return f"{SEATS[side]}-{rank + 1}-bank-{level + 1}"


def coin(id: str, spot: str, rank: int, side: int, state: str = "", level: int = 0) -> Piece:
    if state == "match":
        text = Text("matching {coin}, {side} up", "一致した{coin}、{side}")
    else:
        text = Text("{coin}, {side} up", "{coin}、{side}")
    text = text.fill(coin=COINS[rank], side=SIDES[side])
    return Piece(id, spot, "change", text, value=str(rank + 1), side=SEATS[side], state=state, level=level)


def tallies(b: Board, s: State) -> tuple[Tally, ...]:
    """Both scores if the game ended now, and how many empty spaces it still has."""
    if s.map == -1:
        return ()
    now = Text("{side}, if it ended now", "{side}(今終わった場合)")
    scores = [Tally(seat, now.fill(side=PLAYERS[seat]), points(b, s, i)) for i, seat in enumerate(SEATS)]
    left = Tally(
        "empty",
        Text("Empty spaces", "空きスペース"),
        empty(b, s).bit_count(),
        b.on[s.map].bit_count(),
    )
    return (*scores, left)


def regions(b: Board, s: State) -> tuple[Tally, ...]:
    """What each region and bank is worth to each side if the game ended now."""
    if s.map == -1:
        return ()
    on = Text("Region {letter}, {side}", "地域{letter}、{side}")
    counted = []
    for r in range(16 * s.map, 16 * s.map + b.regions[s.map]):
        for side, seat in enumerate(SEATS):
            text = on.fill(letter=chr(b.letter[r]), side=SIDES[side])
            counted.append(
                Tally(f"region-{chr(b.letter[r])}-{seat}", text, points_on(b, s, side, b.region[r]))
            )
    for side, seat in enumerate(SEATS):
        counted.append(Tally(f"bank-{seat}", BANKS[side], sum(s.bank[4 * side : 4 * side + 4])))
    return tuple(counted)


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
