"""The pieces of an area as markup for a page, in parts.

Each piece is an `<a id="p-ID">`, each spot above them an `<a id="s-ID">` as large as its square, both with
`href` where the marks have a link for it, and `data-name` where at rest something else is said of it. Their
order depends on kind, level and id alone, not on the place: a page can then tell which piece moved.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from html import escape
from itertools import groupby
from typing import NamedTuple

from smallchange.i18n.text import Text, join_texts

from .highlights import Link, Marks, dot, on_piece, on_spot, outline, preview_ring
from .markup_diff import Part
from .pieces import WHOLE, PlacedPiece, draw, number, place_pieces
from .scene import LAYERS, Area, Piece, Scene, Spot

Piles = Mapping[str, tuple[Piece, ...]]
SPOT = Text("{spot}: {pieces}", "a place and what lies there")
ALIKE = Text("{what}, {n} of them")
EMPTY = Text("empty", "a square")


class DrawnPiece(NamedTuple):
    """A piece as it is drawn; they sort from the lowest layer up."""

    layer: int
    level: int
    id: str
    markup: str


class Pile(NamedTuple):
    """The pieces on a spot as they are drawn, and the spot above them, "" where there is nothing of it."""

    drawn: tuple[DrawnPiece, ...]
    above: str


class Lying(NamedTuple):
    """An area's tiles, its other pieces, and its spots above them."""

    area: Area
    tiles: Part
    pieces: Part
    spots: Part


def piles(scene: Scene) -> Piles:
    """By spot: the pieces on it, where there are any."""
    found: dict[str, tuple[Piece, ...]] = {}
    for piece in scene.pieces:
        spot = piece.spot
        found[spot] = (*found[spot], piece) if spot in found else (piece,)
    return found


def draw_area(area: Area, on: Piles, lang: str, marks: Marks) -> Lying:
    """Draw an area with these piles."""
    if marks.links or marks.selected:
        drawn = {spot.id: _draw_pile(spot, on.get(spot.id, ()), lang, marks) for spot in area.spots}
    else:
        drawn = {spot.id: _pile(spot, on.get(spot.id, ()), lang, marks.later) for spot in area.spots}
    ordered = sorted([one for pile in drawn.values() for one in pile.drawn])
    tiles = {one.id: one.markup for one in ordered if not one.layer}
    pieces = {one.id: one.markup for one in ordered if one.layer}
    above = {f"s-{id}": pile.above for id, pile in drawn.items() if pile.above}
    groups = {"tiles": tiles, "pieces": pieces, "spots": above}
    return Lying(
        area,
        *[Part(f'<g id="{area.id}-{name}" class="{name}">', inner, "</g>") for name, inner in groups.items()],
    )


def news(
    area: Area,
    scene: Scene,
    on: Piles,
    last: Collection[str],
    rolled: Collection[str],
    preview: Collection[str] = (),
    fell: bool = True,
) -> tuple[str, str, str]:
    """Draw the news of a step: outlines, dots and dashed rings.

    The outlines mark the spots that the last move touched, and the dots the outcomes of chance; a dot that `fell`
    just now also says whose it is. The dashed rings mark the spots that are open.
    """
    spots, lines, dots = area.by_id, "", ""
    if last:
        outlined = {id for id in last if id in spots}
        outlined.update([piece.spot for piece in scene.pieces if piece.id in last and piece.spot in spots])
        lines = "".join([_outline(spots[id]) for id in sorted(outlined)])
    if rolled:  # a throw that is told by its place shows on the die
        dice = {places_of(on[id])[-1].piece.id if id in on else id for id in rolled}
        thrown = [piece for piece in scene.pieces if piece.id in dice and piece.spot in spots]
        dots = "".join([_dot_markup(spots[piece.spot], on[piece.spot], piece.id, fell) for piece in thrown])
    rings = "".join([_preview_ring(spots[id], on.get(id, ())) for id in preview if id in spots])
    return (
        f'<g id="{area.id}-last" class="last">{lines}</g>',
        f'<g id="{area.id}-rolled">{dots}</g>',
        f'<g id="{area.id}-preview">{rings}</g>',
    )


@lru_cache(maxsize=4096)
def places_of(pieces: tuple[Piece, ...]) -> tuple[PlacedPiece, ...]:
    """Return the places of the pieces of a pile in its square, from the bottom up."""
    return tuple(place_pieces(list(pieces)))


@lru_cache(maxsize=8192)
def spot_text(spot: Spot, pieces: tuple[Piece, ...]) -> Text:
    """Describe the pieces on a spot, from the top down, or that it is empty; equal pieces are counted."""
    if not pieces:
        return SPOT.fill(spot=spot.text, pieces=EMPTY)
    each = [placed.piece.text for placed in reversed(places_of(pieces))]
    groups = [(text, len(list(same))) for text, same in groupby(each)]
    counted = join_texts(ALIKE.fill(what=text, n=n) if n > 1 else text for text, n in groups)
    return SPOT.fill(spot=spot.text, pieces=counted)


def spot_label(spot: Spot, pieces: tuple[Piece, ...], lang: str) -> str:
    """Describe the pieces on a spot, in one language."""
    return spot_text(spot, pieces)[lang]


def at(spot: Spot) -> str:
    """Return the attribute that puts a thing in its square."""
    return f'transform="translate({spot.x} {spot.y})"'


@lru_cache(maxsize=16384)
def _pile(spot: Spot, pieces: tuple[Piece, ...], lang: str, later: bool) -> Pile:
    """Draw a pile that is not marked: it looks the same from step to step."""
    return _draw_pile(spot, pieces, lang, Marks(later=later))


def _draw_pile(spot: Spot, pieces: tuple[Piece, ...], lang: str, marks: Marks) -> Pile:
    above = _above(spot, pieces, lang, marks)
    whole = spot_label(spot, pieces, lang) if pieces and not above else ""  # what lies above says it
    return Pile(_pieces(spot, pieces, lang, marks, whole) if pieces else (), above)


def _pieces(
    spot: Spot, pieces: tuple[Piece, ...], lang: str, marks: Marks, whole: str
) -> tuple[DrawnPiece, ...]:
    placed = places_of(pieces)
    top = placed[-1]
    return tuple(
        DrawnPiece(
            LAYERS[p.piece.kind],
            p.piece.level,
            f"p-{p.piece.id}",
            _piece(
                p, spot, whole if p is top else "", spot_label(spot, _same_pieces(placed, p), lang), marks
            ),
        )
        for p in placed
    )


def _same_pieces(placed: tuple[PlacedPiece, ...], one: PlacedPiece) -> tuple[Piece, ...]:
    """Return the pieces that are touched with one: those like it on top of a pile, else the one alone."""
    same = tuple(p.piece for p in placed if p.piece.text == one.piece.text)
    return same if one is placed[-1] else (one.piece,)


def _piece(placed: PlacedPiece, spot: Spot, text: str, name: str, marks: Marks) -> str:
    """`text`: its description at rest, "" for none; `name`: of it alone, when it can be touched."""
    id = placed.piece.id
    chosen, link = id in marks.selected, marks.link(id)
    if chosen:
        placed = placed._replace(y=placed.y - 4)
    look = f"piece{' selected' if chosen else ''}{' later' if link and not link.href else ''}"
    inside = _touch_area(placed) if link else "", draw(placed), on_piece(marks, placed)
    return _thing("p", id, look, spot, text, name if link and name != text else None, link, inside)


def _above(spot: Spot, pieces: tuple[Piece, ...], lang: str, marks: Marks) -> str:
    """Draw a spot that can be touched above its pieces, or an empty space of the board; else return ""."""
    link = marks.link(spot.id)
    if not link and spot.id not in marks.selected and (pieces or not _is_told(spot)):
        return ""
    return _target(spot, pieces, lang, link, spot.id in marks.selected)


def _is_told(spot: Spot) -> bool:
    """Return whether a spot is told where it is empty too, as the spaces and squares of a board are."""
    return spot.look in ("cell", "hex")


@lru_cache(maxsize=16384)
def _target(spot: Spot, pieces: tuple[Piece, ...], lang: str, link: Link | None, chosen: bool) -> str:
    name = (spot_label(spot, pieces, lang) if pieces else spot.text[lang]) if link else None
    label = spot_label(spot, pieces, lang) if pieces or _is_told(spot) else ""
    look = "spot later" if link and not link.href else "spot"
    marks = Marks({spot.id: link} if link else {}, [spot.id] if chosen else ())
    ring = on_spot(marks, spot, places_of(pieces)[-1] if pieces else None)
    return _thing("s", spot.id, look, spot, label, name, link, (HIT if link else "", ring))


def _thing(
    kind: str,
    id: str,
    look: str,
    spot: Spot,
    said: str,
    name: str | None,
    link: Link | None,
    inside: tuple[str, ...],
) -> str:
    """Draw something that can be touched: `said` of it at rest, by its `name` when it can be touched."""
    words = ' aria-hidden="true"'
    if link and link.href:
        words = f'{_href(link)} data-said="{escape(said)}"'
    elif said:
        words = f' role="img" aria-label="{escape(said)}"'
    if name is not None:
        words += f' data-name="{escape(name)}"'
    return f'<a id="{kind}-{escape(id)}" class="{look}" {at(spot)}{words}>{"".join(inside)}</a>'


@lru_cache(maxsize=1024)
def _outline(spot: Spot) -> str:
    return f'<g class="last-move" {at(spot)}>{outline(spot)}</g>'


@lru_cache(maxsize=1024)
def _dot_markup(spot: Spot, pieces: tuple[Piece, ...], id: str, fell: bool) -> str:
    placed = next(placed for placed in places_of(pieces) if placed.piece.id == id)
    whose = f' data-fell="p-{escape(id)}"' if fell else ""
    return f"<g {at(spot)}{whose}>{dot(placed)}</g>"


def _preview_ring(spot: Spot, pieces: tuple[Piece, ...]) -> str:
    return f"<g {at(spot)}>{preview_ring(places_of(pieces)[-1] if pieces else None)}</g>"


def _href(link: Link) -> str:
    token = f' data-token="{escape(link.token)}"' if link.token else ""
    return f' href="{escape(link.href)}" aria-label="{escape(link.label)}"{token}'


HIT = '<rect class="hit" width="100" height="100" fill="none" pointer-events="all"/>'


def _touch_area(placed: PlacedPiece) -> str:
    """Return the area in which a piece can be touched: its whole square, or its part of it."""
    if placed.part == WHOLE:
        return HIT
    left, top, width, height = [number(n) for n in placed.part]
    return (
        f'<rect class="hit" x="{left}" y="{top}" width="{width}" height="{height}" fill="none"'
        ' pointer-events="all"/>'
    )
