"""A table as SVG: boards for a page, and pictures that stand alone.

A page has the shapes once (`shapes.defs()`) and its stylesheet (`theme.stylesheet()`); a picture brings
its own shapes and colours. Neither has style attributes, style elements or script.

>>> import smallchange
>>> position = smallchange.game(smallchange.games()[0]).start()
>>> picture_of(position).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
True
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

from smallchange.text import LANGUAGES, Text

from .marks import Link, Marks, on_piece, on_spot, outlined
from .parts import Markup, Part, whole
from .pieces import LAYERS, Placed, draw, number, spread
from .shapes import needed
from .spaces import Box, spaces, tray, written
from .table import Area, Piece, Spot, Table

__all__ = ["Link", "Marks", "alone", "board_svg", "described", "picture", "picture_of"]

Lying = dict[str, tuple[Placed, ...]]  # by spot, from the bottom up
NO_MARKS = Marks()
TRAY = 0.56  # pixels a unit, where there is room for a tray
PAPER, SOFT = "#F5F0E7", "#655C4F"
SENTENCE = Text("{area}: {what}.", "{area}: {what}。")
COMMA = Text(", ", "、")


def board_svg(area: Area, table: Table, lang: str = "en", marks: Marks = NO_MARKS) -> str:
    """One area of the table for a page. The board has a wooden rim, a tray is flat.

    Each piece is an `<a id="p-ID">`, with `href` where `marks` has a link for it; their order depends on
    kind, level and id alone. Spots with a mark follow, `<a id="s-ID">`, as large as their square.
    """
    return whole(under(area, table, lang, lying(area, table, lang, marks) | targets(area, table, marks)))


def under(area: Area, table: Table, lang: str, over: dict[str, Markup]) -> Part:
    """An area of the table with what lies there: `lying` and `targets`."""
    return Part(_under(area, area is table.areas[0], lang), over, "</svg>")


def lying(area: Area, table: Table, lang: str, marks: Marks) -> dict[str, Markup]:
    """Tiles, the outline of the last move, the other pieces. `marks.links` are those of pieces."""
    spots, last = _spots(area), set(marks.last)
    last.update([piece.spot for piece in table.pieces if piece.id in last])
    marked = {*marks.links, *marks.selected, *marks.rolled}
    drawn: list[Drawn] = []
    for id, pieces in _piles(spots, table).items():
        if marked and (id in marked or any(piece.id in marked for piece in pieces)):
            drawn += _marked(spots[id], pieces, lang, marks)
        else:
            drawn += _pile(spots[id], pieces, lang, marks.later)
    drawn.sort()  # by id and not by place: a page can then tell which piece moved
    tiles: dict[str, Markup] = {one.id: one.markup for one in drawn if not one.layer}
    others: dict[str, Markup] = {one.id: one.markup for one in drawn if one.layer}
    outlines = "".join([_outline(spots[id]) for id in sorted(last & spots.keys())])
    return {
        f"{area.id}-tiles": Part(f'<g id="{area.id}-tiles" class="tiles">', tiles, "</g>"),
        f"{area.id}-last": f'<g id="{area.id}-last" class="last">{outlines}</g>',
        f"{area.id}-pieces": Part(f'<g id="{area.id}-pieces" class="pieces">', others, "</g>"),
    }


def targets(area: Area, table: Table, marks: Marks) -> dict[str, Markup]:
    """The spots that can be touched, above everything else."""
    if not (marks.links or marks.selected or marks.preview):
        return {f"{area.id}-spots": f'<g id="{area.id}-spots" class="spots"></g>'}
    spots, selected, preview = _spots(area), set(marks.selected), set(marks.preview)
    shown = spots.keys() & (marks.links.keys() | selected | preview)
    piles = _piles(shown, table)
    rings = [
        _target(spots[id], piles.get(id, ()), marks.links.get(id), id in selected, id in preview)
        for id in sorted(shown)
    ]
    return {f"{area.id}-spots": f'<g id="{area.id}-spots" class="spots">{"".join(rings)}</g>'}


@lru_cache(maxsize=256)
def _under(area: Area, board: bool, lang: str) -> str:
    """What lies under the pieces of an area on a page; it stays the same from step to step."""
    box, under = tray(area, framed=board)
    width, height = box.size
    size = 'class="area board"' if board else f'class="area tray" width="{width * TRAY:g}"'
    return (
        f'<svg {size} viewBox="{box.left} {box.top} {width} {height}" role="group"'
        f' aria-label="{escape(area.text[lang])}">{under}<g class="spaces">{spaces(area.spots)}</g>'
    )


def alone(piece: Piece) -> str:
    """One piece by itself, for a button or a caption: 70 x 70 units around its centre."""
    lies = Placed(piece, 0, 0)
    x, y, side = (0, 0, 100) if LAYERS[piece.kind] == 0 else (-35, -35, 70)
    return f'<svg class="alone" viewBox="{x} {y} {side} {side}" aria-hidden="true">{draw(lies)}</svg>'


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

    >>> from smallchange.text import plain
    >>> board = Area("board", plain("The board"), (Spot("a1", 0, 0, plain("a1")),))
    >>> described(Table((board,), (Piece("x", "a1", "coin", plain("a coin")),))).en
    'The board: a1: a coin.'
    """
    said = Text("", "")
    for area in table.areas:
        on = _lay(area, table)
        lying = [spot for spot in area.spots if spot.id in on]
        what = Text(*("; ".join(_said(spot, on[spot.id], lang) for spot in lying) for lang in LANGUAGES))
        said = said + SENTENCE.fill(area=area.text, what=what if lying else Text("empty", "なし"))
    for tally in table.tallies:
        said = said + SENTENCE.fill(area=tally.text, what=tally.number)
    return said


def _lay(area: Area, table: Table) -> Lying:
    return {id: _spread(pieces) for id, pieces in _piles(_spots(area), table).items()}


def _piles(spots: Container[str], table: Table) -> dict[str, tuple[Piece, ...]]:
    """The pieces on each of these spots where any are."""
    piles: dict[str, tuple[Piece, ...]] = {}
    for piece in table.pieces:
        if piece.spot in spots:
            piles[piece.spot] = (*piles.get(piece.spot, ()), piece)
    return piles


@lru_cache(maxsize=4096)
def _spread(pieces: tuple[Piece, ...]) -> tuple[Placed, ...]:
    return tuple(spread(list(pieces)))


@lru_cache(maxsize=8192)
def _said(spot: Spot, placed: tuple[Placed, ...], lang: str) -> str:
    """What lies on a spot, from the top down."""
    what = COMMA[lang].join([p.piece.text[lang] for p in reversed(placed)])
    return f"{spot.text[lang]}: {what}"


def _moved(box: Box, x: int, y: int, markup: str) -> str:
    return f'<g transform="translate({x - box.left} {y - box.top})">{markup}</g>'


def _ordered(on: Lying) -> list[Placed]:
    """From the lowest layer up, by id and not by place: a page can then tell which piece moved."""
    lying = [placed for row in on.values() for placed in row]
    return sorted(lying, key=lambda p: (LAYERS[p.piece.kind], p.piece.level, p.piece.id))


def _at(spot: Spot) -> str:
    """The class and the attribute that put a thing in its square; they say the same."""
    return f'at-{spot.x}-{spot.y}" transform="translate({spot.x} {spot.y})"'


def _plain(area: Area, table: Table) -> str:
    spots = {spot.id: spot for spot in area.spots}
    pieces = [f'<g class="{_at(spots[p.piece.spot])}>{draw(p)}</g>' for p in _ordered(_lay(area, table))]
    return spaces(area.spots) + "".join(pieces)


@lru_cache(maxsize=512)
def _spots(area: Area) -> dict[str, Spot]:
    return {spot.id: spot for spot in area.spots}


@lru_cache(maxsize=1024)
def _outline(spot: Spot) -> str:
    return f'<g class="last-move {_at(spot)}>{outlined(spot)}</g>'


class Drawn(NamedTuple):
    """A piece as it is drawn; they sort from the lowest layer up."""

    layer: int
    level: int
    id: str
    markup: str


def _marked(spot: Spot, pieces: tuple[Piece, ...], lang: str, marks: Marks) -> Sequence[Drawn]:
    """A pile where something is marked."""
    if spot.id in marks.rolled:  # a throw that is told by its place shows on the die
        marks = replace(marks, rolled={*marks.rolled, _spread(pieces)[-1].piece.id})
    return _drawn(spot, pieces, lang, marks)


@lru_cache(maxsize=16384)
def _pile(spot: Spot, pieces: tuple[Piece, ...], lang: str, later: bool) -> Sequence[Drawn]:
    """A pile that is not marked: most are not, and look the same from step to step."""
    return _drawn(spot, pieces, lang, Marks(later=later))


def _drawn(spot: Spot, pieces: tuple[Piece, ...], lang: str, marks: Marks) -> Sequence[Drawn]:
    placed = _spread(pieces)
    said = [""] * (len(placed) - 1) + [_said(spot, placed, lang)]
    return [
        Drawn(LAYERS[p.piece.kind], p.piece.level, f"p-{p.piece.id}", _piece(p, spot, words, marks))
        for p, words in zip(placed, said, strict=True)
    ]


def _piece(placed: Placed, spot: Spot, said: str, marks: Marks) -> str:
    id = placed.piece.id
    chosen = id in marks.selected
    if chosen:
        placed = placed._replace(y=placed.y - 4)
    link = marks.links.get(id)
    if marks.later and not link:
        link = Link("", "")
        marks = replace(marks, links={id: link})
    words = f' role="img" aria-label="{escape(said)}"' if said else ' aria-hidden="true"'
    hit = ""
    if link:
        words, hit = f'{_href(link)} data-said="{escape(said)}"' if link.href else words, _hit(placed)
    look = f"piece {'selected ' if chosen else ''}{'later ' if link and not link.href else ''}"
    inside = f"{hit}{draw(placed)}{on_piece(marks, placed)}"
    return f'<a id="p-{escape(id)}" class="{look}{_at(spot)}{words}>{inside}</a>'


@lru_cache(maxsize=8192)
def _target(spot: Spot, pile: tuple[Piece, ...], link: Link | None, chosen: bool, preview: bool) -> str:
    words = f'{_href(link)} data-said=""' if link and link.href else ' aria-hidden="true"'
    hit = HIT if link else ""
    look = "spot later" if link and not link.href else "spot"
    marks = Marks({spot.id: link} if link else {}, [spot.id] if chosen else (), [spot.id] if preview else ())
    ring = on_spot(marks, spot, _spread(pile)[-1] if pile else None)
    return f'<a id="s-{escape(spot.id)}" class="{look} {_at(spot)}{words}>{hit}{ring}</a>'


def _href(link: Link) -> str:
    token = f' data-token="{escape(link.token)}"' if link.token else ""
    return f' href="{escape(link.href)}" aria-label="{escape(link.label)}"{token}'


HIT = '<rect class="hit" width="100" height="100" fill="none" pointer-events="all"/>'


def _hit(placed: Placed) -> str:
    """Where one can touch a piece: its whole square, or its share of it."""
    if placed.scale >= 1:
        return HIT
    side = 66 * placed.scale
    left, top = number(placed.x - side / 2), number(placed.y - side / 2)
    return (
        f'<rect class="hit" x="{left}" y="{top}" width="{number(side)}" height="{number(side)}" fill="none"'
        ' pointer-events="all"/>'
    )
