"""Solo on the table: the tiles with their coins, and the column of null tiles with what was found."""

from smallchange.draw.table import Area, Piece, Spot, Table, Tally, Touch
from smallchange.draw.words import PAWN as PAWNS
from smallchange.draw.words import SUIT, SUITS, VALUES, place, tile
from smallchange.state import count
from smallchange.text import Text, listed, plain

from .board import TILES, Board, State
from .rules import CHOOSE, DIE, DONE, ENTER, FLIP, LAID, RESCUE, RETIRE, SHIFT, TO, drawn_pawns, found, left
from .words import square, tile_name

PLACE = 100  # from one square to the next


def table(b: Board, s: State) -> Table:
    pieces = tiles(b, s) + coins(b, s) + column(b, s) + discovered(s)
    return Table((board(b, s), tray(s)), tuple(sorted(pieces, key=lambda piece: piece.id)), tallies(b, s))


def board(b: Board, s: State) -> Area:
    spots = []
    for y in range(b.height):
        for x in range(b.width):
            if b.holes[y] >> x & 1:
                hole = Text("{square}, a black hole", "{square}のブラックホール").fill(square=place(x, y))
                spots.append(Spot(place(x, y), PLACE * x, PLACE * (b.height - 1 - y), hole, "black-hole"))
    for i in range(TILES):
        x, y = PLACE * b.column[i], PLACE * (b.height - 1 - b.row[i])
        spots.append(Spot(square(b, i), x, y, plain(square(b, i)), "cell"))
    return Area("board", Text("The board", "盤"), tuple(spots))


def tray(s: State) -> Area:
    """By pawn of the order: its null tile, and a slot for each coin of its suit."""
    spots = []
    for i in range(4):
        at, suit = PLACE * i, SUITS[s.order[i]] if s.order[i] >= 0 else ""
        pawn = Text("pawn {n} of the order", "{n}番目のポーン").fill(n=i + 1)
        spots.append(Spot(f"pawn-{i + 1}", 0, at, pawn, "slot"))
        for j, value in enumerate(VALUES):
            slot = Text("for the {coin}", "{coin}の場所").fill(coin=tile(suit, value)) if suit else pawn
            spots.append(Spot(f"found-{i + 1}{value}", PLACE * (j + 1), at, slot, "slot"))
    return Area("column", Text("Pawns, and coins found", "ポーンと見つけたコイン"), tuple(spots))


def tiles(b: Board, s: State) -> list[Piece]:
    laid = [(i, tile_name(s.tile[i])) for i in range(TILES) if s.tile[i] >= 0]
    return [
        Piece(f"tile-{name}", square(b, i), "tile", tile(*name), suit=name[0], value=name[1])
        for i, name in laid
    ]


def height(s: State, i: int) -> int:
    """How many coins lie on a square."""
    return sum(level >> i & 1 for level in s.coins)


def coins(b: Board, s: State) -> list[Piece]:
    """The coins on the board, number side down; told apart only by where they lie."""
    coin = Text("{suit} coin, number side down", "{suit}のコイン(数字は下)")
    return [
        Piece(
            f"coin-{square(b, i)}-{level}",
            square(b, i),
            "coin",
            coin.fill(suit=SUIT[letter]),
            suit=letter,
            level=level,
        )
        for suit, letter in enumerate(SUITS)
        for i in range(TILES)
        if s.suit[suit] >> i & 1
        for level in range(1, height(s, i) + 1)
    ]


def column(b: Board, s: State) -> list[Piece]:
    """The null tiles, and each pawn: retired, on the board, or waiting."""
    pieces = []
    for i, suit in enumerate(SUITS[n] for n in s.order if n >= 0):
        spot = f"pawn-{i + 1}"
        pieces.append(Piece(f"tile-{suit}n", spot, "tile", tile(suit, "n"), suit=suit, value="n"))
        state, level, told = "", 1, Text("{pawn}, waiting", "{pawn}(待機中)")
        if i < s.pawn:
            state, told = "retired", Text("{pawn}, retired", "{pawn}(引退)")
        elif i == s.pawn and s.at >= 0 and s.step != ENTER:
            spot, level, told = square(b, s.at), 1 + height(s, s.at), Text("{pawn}", "{pawn}")
        pieces.append(
            Piece(
                f"pawn-{suit}", spot, "pawn", told.fill(pawn=PAWNS[suit]), suit=suit, state=state, level=level
            )
        )
    return pieces


def discovered(s: State) -> list[Piece]:
    """The coins found, number side up beside the null tile of their suit."""
    pieces = []
    used = s.aces[: s.spent]
    for i, suit in enumerate(s.order):
        for j, value in enumerate(VALUES):
            if suit >= 0 and s.seen[suit] >> j & 1:
                spent = value == "a" and suit in used
                told = tile(SUITS[suit], value)
                if value == "a":
                    held = Text("held: can rescue once", "手元: 一度だけ救出できる")
                    told = listed([told, Text("spent", "使用済み") if spent else held])
                id, spot, state = (
                    f"coin-{SUITS[suit]}{value}",
                    f"found-{i + 1}{value}",
                    "spent" if spent else "",
                )
                pieces.append(Piece(id, spot, "coin", told, value=value, state=state))
    return pieces


def tallies(b: Board, s: State) -> tuple[Tally, ...]:
    return (
        Tally("coins", Text("Coins on the board", "盤に残るコイン"), left(s), 24),
        Tally("aces", Text("Aces held", "手元のエース"), found(s) - s.spent, 4),
        Tally("free", Text("Free moves left", "残りの自由移動"), s.free, b.free_moves),
    )


def touch(b: Board, s: State, a: int) -> Touch:
    """A square; for a free move two; what is said by a button has none."""
    if a < LAID:
        return Touch((f"pawn-{count(drawn_pawns(s)) + 1}",))
    if a < SHIFT:
        return Touch((square(b, (a - LAID) // 20),))
    if a < DONE:
        start, end = divmod(a - SHIFT, 20)
        return Touch((square(b, start), square(b, end)))
    if DIE <= a < CHOOSE:
        suit, face = divmod(a - DIE, 6)
        return Touch((square(b, s.tile.index(5 * suit + face - 1)),) if face else ())
    if FLIP <= a < TO:
        return Touch((square(b, s.at),))
    for first, beyond in ((CHOOSE, FLIP), (TO, RETIRE), (RESCUE, RESCUE + TILES)):
        if first <= a < beyond:
            return Touch((square(b, a - first),))
    return Touch()
