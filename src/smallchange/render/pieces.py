"""Each piece as SVG, and where it lies in its square (units: a square is 100 x 100)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from .scene import LAYERS, Piece

SUITS = {"S": "#B3342A", "M": "#2B2A33", "C": "#2C7044", "A": "#2A5A9C"}
SUITS_ON_COINS = {"S": "#9A2A21", "M": "#2B2A33", "C": "#205A36", "A": "#214C87"}
NUMERAL, HEADS, TAILS, IVORY = "#3B2814", "#4A3300", "#262B33", "#FFF6E4"
INK, SOFT, PAPER, PLUM = "#26221C", "#655C4F", "#F5F0E7", "#7A3B6B"
COIN = 27.0  # radius
CHANGE = {"": 29.0, "1": 21.0, "2": 24.0, "3": 27.5, "4": 31.0}  # radius by rank, or of a coin without


class Part(NamedTuple):
    """The part of a square that is a piece's own, to be touched: no ring leaves it."""

    left: float = 0
    top: float = 0
    width: float = 100
    height: float = 100


WHOLE = Part()


class PlacedPiece(NamedTuple):
    """A piece and where it lies in its square: its centre, for a tile its upper left corner."""

    piece: Piece
    x: float
    y: float
    scale: float = 1
    bare: bool = False
    part: Part = WHOLE


def place_pieces(pieces: list[Piece]) -> list[PlacedPiece]:
    """Return the places of the pieces on one spot in its square, from the bottom up."""
    pieces = sorted(pieces, key=lambda piece: (LAYERS[piece.kind], piece.level, piece.id))
    tiles = [piece for piece in pieces if LAYERS[piece.kind] == 0]
    coins = [piece for piece in pieces if LAYERS[piece.kind] == 1]
    pawns = [piece for piece in pieces if piece.kind == "pawn"]
    dice = [piece for piece in pieces if piece.kind == "die"]
    return [
        *_place_tiles(tiles, len(pieces) > len(tiles)),
        *_place_stack(coins, bool(tiles)),
        *(PlacedPiece(die, 63, 64) if tiles else PlacedPiece(die, 50, 50, 1.25) for die in dice),
        *_place_pawns(pawns, bool(tiles), bool(coins)),
    ]


def _place_tiles(tiles: list[Piece], covered: bool) -> list[PlacedPiece]:
    lift = min(2.2, 9 / max(1, len(tiles)))
    top = len(tiles) - 1
    return [PlacedPiece(tile, 0, -lift * i, bare=i == top and not covered) for i, tile in enumerate(tiles)]


def _place_stack(coins: list[Piece], tiled: bool) -> list[PlacedPiece]:
    """Place a stack of coins in its square.

    On a tile, the lowest coin lies as low as it can at the lower right, so that the tile's suit can be seen.
    On a square of their own the coins lie larger, in the middle.
    """
    lift = min(5, 20 / max(1, len(coins)))
    placed, lifted = [], 0.0
    for i, coin in enumerate(coins):
        below = coins[i - 1] if i else None
        if below and (coin.kind == "coin" or coin.value == below.value):
            lifted += lift  # a smaller one lies inside the rim of a larger
        scale = 1.05 if coin.kind == "change" else 1.2  # the largest covers no name of a hex
        placed.append(
            PlacedPiece(coin, 63, 64 - lifted) if tiled else PlacedPiece(coin, 50, 50 - lifted, scale)
        )
    sunk = min(6, lifted) if tiled else lifted / 2
    return [coin._replace(y=coin.y + sunk) for coin in placed]


def _place_pawns(pawns: list[Piece], tiled: bool, coins: bool) -> list[PlacedPiece]:
    """Pawns share a square in halves or quarters; one stands beside coins, whose suit must be seen."""
    if len(pawns) > 2:
        quarters = [Part(50 * (i % 2), 50 * (i // 2), 50, 50) for i in range(len(pawns))]
        return [_in_part(pawn, 0.6, part) for pawn, part in zip(pawns, quarters, strict=True)]
    if len(pawns) == 2:
        return [_in_part(pawn, 0.66, Part(50 * i, 0, 50, 100)) for i, pawn in enumerate(pawns)]
    if coins:
        return [PlacedPiece(pawn, 29, 66, 0.72, part=Part(0, 0, 58, 100)) for pawn in pawns]
    return [PlacedPiece(pawn, 62, 60) if tiled else PlacedPiece(pawn, 50, 50, 1.15) for pawn in pawns]


def _in_part(pawn: Piece, scale: float, part: Part) -> PlacedPiece:
    return PlacedPiece(pawn, part.left + part.width / 2, part.top + part.height / 2, scale, part=part)


def number(n: float) -> str:
    """Write a coordinate as short as it can be.

    >>> number(62.0), number(-14.426)
    ('62', '-14.43')
    """
    return f"{n:.2f}".rstrip("0").rstrip(".")


def draw(placed: PlacedPiece) -> str:
    """Draw the piece, moved to its place in its square."""
    piece = placed.piece
    shape = _shape(piece.kind, piece.suit, piece.value, piece.side, piece.state, placed.bare, piece.emblem)
    if not (placed.x or placed.y):
        return shape
    scale = f" scale({number(placed.scale)})" if placed.scale != 1 else ""
    return f'<g transform="translate({number(placed.x)} {number(placed.y)}){scale}">{shape}</g>'


@cache
def _shape(kind: str, suit: str, value: str, side: str, state: str, bare: bool, emblem: str) -> str:
    if kind == "tile":
        return _tile(suit, value, state == "spent", bare, emblem)
    if kind == "back":
        return use("tile-back", 50, 50, 100, 100)
    if kind == "change":
        return _change(value, side, state)
    if kind == "coin":
        return _with_opacity(_coin(suit, value, side), 0.4 if state == "spent" else 1)
    if kind == "die":
        return _with_opacity(_die(suit, value), 0.4 if state == "spent" else 1)
    pawn = use("pawn", 0, 0, 48, 68, fill=SUITS[suit]) + use(f"s-{suit}", 0, 14.5, 19, 19, fill=IVORY)
    faded = _with_opacity(pawn, 0.38 if state else 1)
    if state == "retired":
        faded += '<path class="struck" d="M-16 24L16 -24" stroke="#6A6053" stroke-width="2.5"'
        faded += ' stroke-linecap="round"/>'
    return faded


def use(shape: str, x: float, y: float, width: float, height: float, **paint: str) -> str:
    """Draw a shape with its centre at (x, y). `paint` are further attributes; `class_` gives a class."""
    more = "".join(f' {name.rstrip("_").replace("_", "-")}="{value}"' for name, value in paint.items())
    return (
        f'<use href="#{shape}" x="{number(x - width / 2)}" y="{number(y - height / 2)}"'
        f' width="{number(width)}" height="{number(height)}"{more}/>'
    )


def _with_opacity(markup: str, opacity: float) -> str:
    return f'<g opacity="{number(opacity)}">{markup}</g>' if opacity < 1 else markup


def _tile(suit: str, value: str, spent: bool, bare: bool, emblem: str) -> str:
    ink = SUITS[suit]
    borne = (
        f'<path transform="translate(58 61) scale(.62)" d="{emblem}" fill="{ink}" fill-rule="evenodd"'
        if emblem
        else ""
    )
    index = use(f"n-{value}", 20, 22, 17.14, 24, stroke=ink, **({"class_": f"line-{suit}"} if spent else {}))
    index += use(f"s-{suit}", 43, 22, 22, 22, fill=ink, **({"class_": f"suit-{suit}"} if spent else {}))
    if spent:
        faded = borne and f'{borne} class="suit-{suit}"/>'
        return use("tile-spent", 50, 50, 100, 100) + _with_opacity(faded + index, 0.6)
    ghost = use(f"s-{suit}", 62, 62, 40, 40, fill=ink, fill_opacity=".1") if bare else ""
    return use("tile", 50, 50, 100, 100) + (f"{borne}/>" if borne else ghost) + index


def _coin(suit: str, value: str, metal: str) -> str:
    """Draw a coin of maple or of a metal."""
    across = 64 / 29 * COIN
    disc = use(metal or "coin", 0, 0, across, across)
    if value:
        return disc + use(f"n-{value}", 0, 0, 19.29, 27, stroke=NUMERAL)
    return disc + (use(f"s-{suit}", 0, 0, 28.86, 28.86, fill=SUITS_ON_COINS[suit]) if suit else "")


def _change(value: str, side: str, state: str) -> str:
    r = CHANGE[value]
    ink = HEADS if side == "heads" else TAILS
    disc = use(side, 0, 0, 64 / 29 * r, 64 / 29 * r)
    if not value:
        return disc + use(f"s-{side}", 0, 0, 24 / 11 * r, 24 / 11 * r)
    height = 0.862 * r
    numeral = use(f"n-{value}", 0, -0.155 * r, height * 20 / 28, height, stroke=ink)
    if state != "match":
        return disc + numeral
    return f'{disc}{numeral}<circle class="match" r="{r + 2}" fill="none" stroke="{INK}" stroke-width="2.5"/>'


def _die(suit: str, value: str) -> str:
    body = use("die", 0, 3, 64, 70, fill=SUITS[suit])
    glyph = use(f"s-{suit}", -15.5, -15.5, 14, 14, fill=IVORY)
    return body + glyph + use(f"n-{value}", 1, 3.5, 22.14, 31, stroke=IVORY)
