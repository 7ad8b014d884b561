"""What lies on an area, for a page: in parts, and drawn again only where something has changed.

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

from smallchange.text import Text

from .marks import Link, Marks, dot, on_piece, on_spot, opened, outlined
from .parts import Part
from .pieces import WHOLE, Placed, draw, number, spread
from .table import LAYERS, Area, Piece, Spot, Table

Piles = Mapping[str, tuple[Piece, ...]]
Lies = dict[str, "Pile"]
COMMA = Text(", ", "、")
ALIKE = Text("{what}, {n} of them", "{what}、{n}枚")


class Drawn(NamedTuple):
    """A piece as it is drawn; they sort from the lowest layer up."""

    layer: int
    level: int
    id: str
    markup: str


class Pile(NamedTuple):
    """What lies on a spot as it is drawn: the pieces and what orders them; by id, tiles, others, and the spot
    above them."""

    drawn: tuple[Drawn, ...]
    order: tuple[str, ...]
    tiles: dict[str, str]
    pieces: dict[str, str]
    above: dict[str, str]


class Lying(NamedTuple):
    """An area's tiles, its other pieces, and its spots; by spot, what they were drawn of."""

    area: Area
    drawn: Lies
    tiles: Part
    pieces: Part
    spots: Part


def piles(table: Table) -> Piles:
    """By spot: the pieces on it, where there are any."""
    found: dict[str, tuple[Piece, ...]] = {}
    for piece in table.pieces:
        spot = piece.spot
        found[spot] = (*found[spot], piece) if spot in found else (piece,)
    return found


def moved(was: Piles, on: Piles) -> list[str]:
    """The spots where something else lies now."""
    return [id for id in was.keys() | on.keys() if was.get(id) != on.get(id)]


def lying(
    area: Area,
    on: Piles,
    lang: str,
    marks: Marks,
    before: Lying | None = None,
    moved: Collection[str] = (),
) -> Lying:
    """An area with these piles. `before` was drawn of an area of the same id with the same marks; since then
    something has `moved` on these spots."""
    spots = area.by_id
    if before is None or (area is not before.area and list(spots) != list(before.area.by_id)):
        drawn = {id: _drawn(spot, on.get(id, ()), lang, marks) for id, spot in spots.items()}
        above = {id: markup for pile in drawn.values() for id, markup in pile.above.items()}
        return Lying(area, drawn, *_layers(area, drawn), Part(*_group(area, "spots", above)))
    changed = {id for id in moved if id in spots}
    if area is not before.area:
        was = before.area.by_id
        changed.update([id for id, spot in spots.items() if spot is not was[id] and spot != was[id]])
    if not changed:
        return before if area is before.area else before._replace(area=area)
    fresh = {id: _drawn(spots[id], on.get(id, ()), lang, marks) for id in changed}
    return _again(area, before, fresh)


def _again(area: Area, before: Lying, fresh: Lies) -> Lying:
    """As before, but for what is drawn afresh."""
    drawn = {**before.drawn, **fresh}
    gone: list[str] = []
    come: list[str] = []
    tiles: dict[str, str] = {}
    pieces: dict[str, str] = {}
    spots: dict[str, str] = {}
    for id, pile in fresh.items():
        gone += before.drawn[id].order
        come += pile.order
        tiles |= pile.tiles
        pieces |= pile.pieces
        spots |= pile.above
    if sorted(gone) == sorted(come):  # the same pieces, elsewhere
        layers = before.tiles.put(tiles), before.pieces.put(pieces)
    else:
        layers = _layers(area, drawn)
    return Lying(area, drawn, *layers, before.spots.put(spots))


def news(
    area: Area,
    table: Table,
    on: Piles,
    last: Collection[str],
    rolled: Collection[str],
    preview: Collection[str] = (),
    fell: bool = True,
) -> tuple[str, str, str]:
    """The outlines of what the last move touched, dots at what chance answered with (`fell`: right now, so
    that they say whose they are), and dashed rings on the spots that are open."""
    spots, lines, dots = area.by_id, "", ""
    if last:
        outlined = {id for id in last if id in spots}
        outlined.update([piece.spot for piece in table.pieces if piece.id in last and piece.spot in spots])
        lines = "".join([_outline(spots[id]) for id in sorted(outlined)])
    if rolled:  # a throw that is told by its place shows on the die
        dice = {spread_of(on[id])[-1].piece.id if id in on else id for id in rolled}
        thrown = [piece for piece in table.pieces if piece.id in dice and piece.spot in spots]
        dots = "".join([_dotted(spots[piece.spot], on[piece.spot], piece.id, fell) for piece in thrown])
    rings = "".join([_opened(spots[id], on.get(id, ())) for id in preview if id in spots])
    return (
        f'<g id="{area.id}-last" class="last">{lines}</g>',
        f'<g id="{area.id}-rolled">{dots}</g>',
        f'<g id="{area.id}-preview">{rings}</g>',
    )


@lru_cache(maxsize=4096)
def spread_of(pieces: tuple[Piece, ...]) -> tuple[Placed, ...]:
    """Where the pieces of a pile lie in its square, from the bottom up."""
    return tuple(spread(list(pieces)))


@lru_cache(maxsize=8192)
def said(spot: Spot, pieces: tuple[Piece, ...], lang: str) -> str:
    """What lies on a spot, from the top down; pieces alike are counted."""
    each = [placed.piece.text[lang] for placed in reversed(spread_of(pieces))]
    alike = [(text, len(list(same))) for text, same in groupby(each)]
    counted = [ALIKE[lang].format(what=text, n=n) if n > 1 else text for text, n in alike]
    return f"{spot.text[lang]}: {COMMA[lang].join(counted)}"


def at(spot: Spot) -> str:
    """The attribute that puts a thing in its square."""
    return f'transform="translate({spot.x} {spot.y})"'


def _group(area: Area, name: str, inner: Mapping[str, str]) -> tuple[str, Mapping[str, str], str]:
    return f'<g id="{area.id}-{name}" class="{name}">', inner, "</g>"


def _layers(area: Area, drawn: Lies) -> tuple[Part, Part]:
    """Tiles, and the other pieces."""
    ordered = sorted([one for pile in drawn.values() for one in pile.drawn])
    tiles = {one.id: one.markup for one in ordered if not one.layer}
    pieces = {one.id: one.markup for one in ordered if one.layer}
    return Part(*_group(area, "tiles", tiles)), Part(*_group(area, "pieces", pieces))


def _drawn(spot: Spot, pieces: tuple[Piece, ...], lang: str, marks: Marks) -> Pile:
    if marks.links or marks.selected:
        return _pile_marked(spot, pieces, lang, marks)
    return _pile(spot, pieces, lang, marks.later)


@lru_cache(maxsize=16384)
def _pile(spot: Spot, pieces: tuple[Piece, ...], lang: str, later: bool) -> Pile:
    """A pile that is not marked: it looks the same from step to step."""
    return _pile_marked(spot, pieces, lang, Marks(later=later))


def _pile_marked(spot: Spot, pieces: tuple[Piece, ...], lang: str, marks: Marks) -> Pile:
    drawn = _pieces(spot, pieces, lang, marks) if pieces else ()
    low = {one.id: one.markup for one in drawn if not one.layer}
    high = {one.id: one.markup for one in drawn if one.layer}
    above = {f"s-{spot.id}": _above(spot, pieces, lang, marks)}
    return Pile(drawn, tuple([f"{one.layer} {one.level} {one.id}" for one in drawn]), low, high, above)


def _pieces(spot: Spot, pieces: tuple[Piece, ...], lang: str, marks: Marks) -> tuple[Drawn, ...]:
    placed = spread_of(pieces)
    top, whole = placed[-1], said(spot, pieces, lang)
    return tuple(
        Drawn(
            LAYERS[p.piece.kind],
            p.piece.level,
            f"p-{p.piece.id}",
            _piece(p, spot, whole if p is top else "", said(spot, (p.piece,), lang), marks),
        )
        for p in placed
    )


def _piece(placed: Placed, spot: Spot, text: str, name: str, marks: Marks) -> str:
    """`text`: what is said of it at rest, "" for nothing; `name`: of it alone, when it can be touched."""
    id = placed.piece.id
    chosen, link = id in marks.selected, marks.link(id)
    if chosen:
        placed = placed._replace(y=placed.y - 4)
    words = f' role="img" aria-label="{escape(text)}"' if text else ' aria-hidden="true"'
    if link and link.href:
        words = f'{_href(link)} data-said="{escape(text)}"'
    if link and name != text:
        words += f' data-name="{escape(name)}"'
    look = f"piece{' selected' if chosen else ''}{' later' if link and not link.href else ''}"
    inside = f"{_hit(placed) if link else ''}{draw(placed)}{on_piece(marks, placed)}"
    return f'<a id="p-{escape(id)}" class="{look}" {at(spot)}{words}>{inside}</a>'


def _above(spot: Spot, pieces: tuple[Piece, ...], lang: str, marks: Marks) -> str:
    """A spot that can be touched, above what lies there; an empty one of a region, which has to be told; else
    ""."""
    link = marks.link(spot.id)
    if not link and spot.id not in marks.selected and (pieces or not spot.region):
        return ""
    return _target(spot, pieces, lang, link, spot.id in marks.selected)


@lru_cache(maxsize=16384)
def _target(spot: Spot, pieces: tuple[Piece, ...], lang: str, link: Link | None, chosen: bool) -> str:
    told = escape(spot.text[lang]) if spot.region and not pieces else ""
    words = f' role="img" aria-label="{told}"' if told else ' aria-hidden="true"'
    if link and link.href:
        words = f'{_href(link)} data-said="{told}"'
    if link:
        words += f' data-name="{escape(said(spot, pieces, lang) if pieces else spot.text[lang])}"'
    look = "spot later" if link and not link.href else "spot"
    marks = Marks({spot.id: link} if link else {}, [spot.id] if chosen else ())
    ring = on_spot(marks, spot, spread_of(pieces)[-1] if pieces else None)
    return f'<a id="s-{escape(spot.id)}" class="{look}" {at(spot)}{words}>{HIT if link else ""}{ring}</a>'


@lru_cache(maxsize=1024)
def _outline(spot: Spot) -> str:
    return f'<g class="last-move" {at(spot)}>{outlined(spot)}</g>'


@lru_cache(maxsize=1024)
def _dotted(spot: Spot, pieces: tuple[Piece, ...], id: str, fell: bool) -> str:
    placed = next(placed for placed in spread_of(pieces) if placed.piece.id == id)
    whose = f' data-fell="p-{escape(id)}"' if fell else ""
    return f"<g {at(spot)}{whose}>{dot(placed)}</g>"


def _opened(spot: Spot, pieces: tuple[Piece, ...]) -> str:
    return f"<g {at(spot)}>{opened(spread_of(pieces)[-1] if pieces else None)}</g>"


def _href(link: Link) -> str:
    token = f' data-token="{escape(link.token)}"' if link.token else ""
    return f' href="{escape(link.href)}" aria-label="{escape(link.label)}"{token}'


HIT = '<rect class="hit" width="100" height="100" fill="none" pointer-events="all"/>'


def _hit(placed: Placed) -> str:
    """Where one can touch a piece: its whole square, or its part of it."""
    if placed.part == WHOLE:
        return HIT
    left, top, width, height = [number(n) for n in placed.part]
    return (
        f'<rect class="hit" x="{left}" y="{top}" width="{width}" height="{height}" fill="none"'
        ' pointer-events="all"/>'
    )
