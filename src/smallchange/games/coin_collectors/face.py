"""Coin Collectors on the table: the board with its hole, the dice, and the pawns given up."""

from smallchange.draw.table import Area, Piece, Spot, Table, Tally, Touch
from smallchange.draw.words import DIE as DICE
from smallchange.draw.words import PAWN, SUITS, VALUE, VALUES
from smallchange.draw.words import tile as tile_name
from smallchange.text import Text, plain

from .board import GONE, Board, State
from .rules import COIN, COINING, DIE, GIVE_UP, HOLE, ROLL, TILE, uncollected
from .words import coin_at, dice, square

BOARD = Area(
    "board",
    Text("The board", "盤"),
    tuple(
        Spot(
            square(i),
            100 * (i % 5),
            100 * (4 - i // 5),
            Text("the hole", "穴") if i == HOLE else plain(square(i)),
            "hole" if i == HOLE else "cell",
        )
        for i in range(25)
    ),
)


def tray(name: str, text: Text, places: dict[str, Text]) -> Area:
    """Four slots in a row, one for each suit."""
    slots = (Spot(f"{name}-{suit}", 100 * i, 0, places[suit], "slot") for i, suit in enumerate(SUITS))
    return Area(name, text, tuple(slots))


ROLLED = tray("dice", Text("Dice", "サイコロ"), DICE)
LOST = tray("lost", Text("Pawns given up", "あきらめたポーン"), PAWN)


def table(b: Board, s: State) -> Table:
    areas = (BOARD, ROLLED, LOST) if b.losses else (BOARD, ROLLED)
    pieces = [*tiles(s), *coins(s), *rolled(s), *pawns(s)]
    laid = sum(mask.bit_count() for mask in s.coins)
    collected = 0 if s.phase <= COINING else 24 - laid
    tally = Tally("coins", Text("Coins collected", "集めたコイン"), collected, 24)
    return Table(areas, tuple(sorted(pieces, key=lambda piece: piece.id)), (tally,))


def tiles(s: State) -> list[Piece]:
    """The tiles laid; one whose coin was collected is spent."""
    live = uncollected(s)
    pieces = []
    for tile, at in enumerate(s.spot):
        if at >= 0:
            suit, value = SUITS[tile // 6], VALUES[tile % 6]
            spent = s.phase > COINING and not live >> at & 1
            name, state = tile_name(suit, value), "spent" if spent else ""
            pieces.append(Piece(f"tile-{suit}{value}", square(at), "tile", name, suit, value, state=state))
    return pieces


def coins(s: State) -> list[Piece]:
    pieces = []
    for i in range(25):
        value = coin_at(s, i)
        if value is not None:
            name = Text("coin {value}", "{value}のコイン").fill(value=VALUE[value])
            pieces.append(Piece(f"coin-{square(i)}", square(i), "coin", name, value=value, level=1))
    return pieces


def rolled(s: State) -> list[Piece]:
    """The dice that lie; those in the hand are not on the table."""
    pieces = []
    for suit, face in zip(SUITS, s.dice, strict=True):
        if face >= 0:
            name = Text("{die}: {value}", "{die}: {value}").fill(die=DICE[suit], value=VALUE[VALUES[face]])
            pieces.append(Piece(f"die-{suit}", f"dice-{suit}", "die", name, suit, VALUES[face]))
    return pieces


def pawns(s: State) -> list[Piece]:
    pieces = []
    for i, suit in enumerate(SUITS):
        at, level = s.pawns[i], 1 + s.pawns[:i].count(s.pawns[i])  # the hole holds several
        if at == GONE:
            text = Text("{pawn}, given up", "{pawn}(退場)").fill(pawn=PAWN[suit])
            pieces.append(Piece(f"pawn-{suit}", f"lost-{suit}", "pawn", text, suit, state="retired"))
        else:
            pieces.append(Piece(f"pawn-{suit}", square(at), "pawn", PAWN[suit], suit, level=level))
    return pieces


def touch(b: Board, s: State, a: int) -> Touch:
    """A pawn, then the square of the coin; the dice to roll are marked; keeping is a button."""
    if a >= COIN:
        return Touch((square((a - COIN) // 6),))
    if a >= TILE:
        return Touch((square((a - TILE) // 24),))
    if a >= DIE:
        return Touch((f"dice-{SUITS[(a - DIE) // 6]}",))
    if a >= GIVE_UP:
        return Touch((f"pawn-{SUITS[a - GIVE_UP]}",))
    if a >= ROLL:
        return Touch(marks=tuple(f"die-{suit}" for suit in dice(a - ROLL)))
    return Touch((f"pawn-{SUITS[a // 25]}", square(a % 25)))
