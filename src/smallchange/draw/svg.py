"""A table as SVG: boards for a page, and pictures that stand alone.

A page has the shapes once (`shapes.defs()`) and its stylesheet (`theme.stylesheet()`); a picture brings
its own shapes and colours. Neither has style attributes, style elements or script.

>>> import smallchange
>>> position = smallchange.game(smallchange.games()[0]).start()
>>> picture_of(position).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
True
"""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any

from smallchange.text import LANGUAGES, Text

from .lying import Lying, at, lying, news, piles, said, spread_of
from .marks import Link, Marks, dot
from .parts import Markup, Part, whole
from .pieces import PAPER, SOFT, Placed, draw
from .shapes import needed
from .spaces import Box, ground, spaces, tray, written
from .table import LAYERS, Area, Piece, Table

__all__ = ["Link", "Marks", "alone", "board_svg", "described", "picture", "picture_of", "under"]

NO_MARKS = Marks()
SENTENCE = Text("{area}: {what}.", "{area}: {what}。")


def board_svg(area: Area, table: Table, lang: str = "en", marks: Marks = NO_MARKS) -> str:
    """One area of the table for a page, without news. The board has a wooden rim, a tray is flat. What lies
    there is drawn as `lying.py` says."""
    on = piles(table)
    lies = lying(area, on, lang, marks)
    return whole(under(area, table, lang, lies, news(area, table, on, (), ())))


def under(area: Area, table: Table, lang: str, lies: Lying, new: tuple[str, str, str]) -> Part:
    """An area of the table, with what lies there and its `news`."""
    last, rolled, preview = new
    layers: tuple[Markup, ...] = (lies.tiles, last, preview, lies.pieces, rolled, lies.spots)
    over = dict(zip(_layers(area.id), layers, strict=True))
    return Part(ground(area, area is table.areas[0], lang), over, "</svg>")


@cache
def _layers(area: str) -> list[str]:
    """The ids of what lies on an area, from the bottom up."""
    return [f"{area}-{layer}" for layer in ("tiles", "last", "preview", "pieces", "rolled", "spots")]


def alone(piece: Piece, rolled: bool = False) -> str:
    """One piece by itself, for a button or a caption: 70 x 70 units around its centre. `rolled`: with the dot
    of the last throw."""
    lies = Placed(piece, 0, 0)
    x, y, side = (0, 0, 100) if LAYERS[piece.kind] == 0 else (-35, -35, 70)
    drawn = draw(lies) + (dot(lies) if rolled else "")
    return f'<svg class="alone" viewBox="{x} {y} {side} {side}" aria-hidden="true">{drawn}</svg>'


def picture(table: Table, title: str, lang: str = "en") -> str:
    """The whole table as one picture that stands alone, its words in `<desc>`."""
    board, *trays = table.areas
    box, under = tray(board, framed=True)
    width, height = 20 + box.size[0], 20 + box.size[1]
    inside = _moved(box, 20, 20, under + _plain(board, table))
    x, y, beside, low = width + 28, 20, 0, height
    for area in trays:
        box, under = tray(area, framed=False)
        if y > 20 and y + box.size[1] > max(height, 560) + 60:  # another column
            x, y, beside = x + beside + 28, 20, 0
        inside += written("caption", x, y + 16, 16, SOFT, area.text[lang], "start")
        inside += _moved(box, x, y + 28, under + _plain(area, table))
        y += box.size[1] + 48
        beside, low = max(beside, box.size[0]), max(low, y - 20)
    if not trays:
        x, y = 28, height + 12
    for tally in table.tallies:
        count = f"{tally.number} / {tally.most}" if tally.most else str(tally.number)
        inside += written("caption", x, y + 16, 16, SOFT, f"{tally.text[lang]}: {count}", "start")
        y += 26
    width, height = (x + max(beside, 280) if trays else width) + 20, max(low + 20, y + 14)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img"><title>{escape(title)}</title>'
        f"<desc>{escape(described(table)[lang])}</desc>{needed(inside)}"
        f'<rect width="{width}" height="{height}" rx="16" fill="{PAPER}"/>{inside}</svg>'
    )


def picture_of(position: Any, lang: str = "en") -> str:
    """The picture of a `smallchange.Position`, of any game."""
    game = position.game
    return picture(game.face.table(game.board, position.s), game.words.TITLE[lang], lang)


def described(table: Table) -> Text:
    """The whole table in words, area by area; empty spots are left out.

    >>> from smallchange.draw.table import Piece, Spot
    >>> from smallchange.text import plain
    >>> board = Area("board", plain("The board"), (Spot("a1", 0, 0, plain("a1")),))
    >>> described(Table((board,), (Piece("x", "a1", "coin", plain("a coin")),))).en
    'The board: a1: a coin.'
    """
    text = Text("", "")
    for area in table.areas:
        on = _lay(area, table)
        full = [spot for spot in area.spots if spot.id in on]
        what = Text(*("; ".join(said(spot, on[spot.id], lang) for spot in full) for lang in LANGUAGES))
        text = text + SENTENCE.fill(area=area.text, what=what if full else Text("empty", "なし"))
    for tally in table.tallies:
        text = text + SENTENCE.fill(area=tally.text, what=tally.number)
    return text


def _lay(area: Area, table: Table) -> dict[str, tuple[Piece, ...]]:
    spots = area.by_id
    return {id: pile for id, pile in piles(table).items() if id in spots}


def _moved(box: Box, x: int, y: int, markup: str) -> str:
    return f'<g transform="translate({x - box.left} {y - box.top})">{markup}</g>'


def _plain(area: Area, table: Table) -> str:
    spots = area.by_id
    placed = [one for pile in _lay(area, table).values() for one in spread_of(pile)]
    placed.sort(key=lambda p: (LAYERS[p.piece.kind], p.piece.level, p.piece.id))
    pieces = [f"<g {at(spots[p.piece.spot])}>{draw(p)}</g>" for p in placed]
    return spaces(area.spots) + "".join(pieces)
