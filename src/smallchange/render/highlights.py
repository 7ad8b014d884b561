"""Marks on pieces and spots: possible touches, the selection, the last move.

Plum means that one can act here, ink that this just happened. Shapes tell it too: solid, dashed, double.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from .pieces import CHANGE, INK, IVORY, PAPER, PLUM, PlacedPiece, number
from .scene import LAYERS, Spot
from .spaces import open_spot_shape


@dataclass(frozen=True, slots=True)
class Link:
    """The target of a touch, its effect in words, and its token ("" if more is to be touched).

    Without `href` it can be touched after something else: it is drawn as class "later", for the page to hide
    until then.
    """

    href: str
    label: str
    token: str = ""


LATER = Link("", "")


@dataclass(frozen=True, slots=True)
class Marks:
    """Ids of pieces and spots.

    `links`: what can be touched. `selected`: touched already. `later`: anything may be touched later, as if
    it had a Link without `href`.
    """

    links: Mapping[str, Link] = field(default_factory=dict)
    selected: Collection[str] = ()
    later: bool = False

    def link(self, id: str) -> Link | None:
        """Return the link of this piece or spot, for a touch now or later."""
        return self.links.get(id) or (LATER if self.later else None)


def on_piece(marks: Marks, placed: PlacedPiece) -> str:
    """Draw the marks of a piece over it in its square."""
    return rings(marks, placed.piece.id, around(placed, 0), around(placed, 4))


def dot(placed: PlacedPiece) -> str:
    """Draw the mark of a piece that chance has just answered with, at its upper right."""
    kind = placed.piece.kind
    right, up = (85, -15) if LAYERS[kind] == 0 else (26, 26) if kind == "die" else (20, 20)
    x, y = number(placed.x + right * placed.scale), number(placed.y - up * placed.scale)
    paint = f'fill="{INK}" stroke="{PAPER}" stroke-width="2.5"'
    return f'<circle class="rolled" cx="{x}" cy="{y}" r="5.5" {paint}/>'


def on_spot(marks: Marks, spot: Spot, top: PlacedPiece | None) -> str:
    """Draw the marks of a spot, around its top piece, in its square."""
    if top is not None:
        return rings(marks, spot.id, around(top, 0), around(top, 4))
    if spot.look in ("exit", "slot"):
        return rings(marks, spot.id, open_spot_shape(spot, 0), open_spot_shape(spot, 4))
    return rings(marks, spot.id, _circle(50, 50, 31), _circle(50, 50, 35))


def rings(marks: Marks, id: str, near: str, far: str) -> str:
    """Draw the rings of a thing. `near` and `far` open the elements that go around it."""
    link = marks.link(id)
    drawn = _cased_ring(near) if link or id in marks.selected else ""
    if link:
        drawn += (
            f'<g class="focus" fill="none" visibility="hidden">{far} class="under" stroke="{PAPER}"'
            f' stroke-width="6"/>{far} stroke="{INK}" stroke-width="2.5"/></g>'
        )
    return drawn


def _cased_ring(near: str) -> str:
    """Draw a plum ring on an ivory one, so that it shows on felt, in a hole and in the dark."""
    casing = f'{near} class="casing" fill="none" stroke="{IVORY}" stroke-opacity=".6" stroke-width="6.4"/>'
    return f'{casing}{near} class="ring" fill="none" stroke="{PLUM}" stroke-width="4"/>'


def preview_ring(top: PlacedPiece | None) -> str:
    """Draw the dashed ring of an open spot, around its top piece: a preview, not a move."""
    near = around(top, 0) if top else _circle(50, 50, 31)
    dashed = 'stroke-width="3.2" stroke-dasharray="5 4.738"'
    return f'{near} class="preview" fill="none" stroke="{PLUM}" {dashed}/>'


def outline(spot: Spot) -> str:
    """Draw the last move's outline around a whole spot."""
    return f'{open_spot_shape(spot, 0)} fill="none" stroke="{INK}" stroke-width="2.5"/>'


def around(placed: PlacedPiece, grown: float) -> str:
    """Open an element around a piece, this many units larger than the ring of a legal target."""
    piece, x, y, scale = placed.piece, placed.x, placed.y, placed.scale
    if piece.kind in ("tile", "back"):
        return _rect(50, y + 50, 90 + 2 * grown, 8)
    if piece.kind == "die":
        return _rect(x, y, 62 * scale + 2 * grown, 16 * scale + grown)
    r = CHANGE[piece.value] + 4 if piece.kind == "change" else 37 if piece.kind == "pawn" else 31
    left, _, width, _ = placed.part
    room = min(x - left, left + width - x) - 3.5  # for half a line
    return _circle(x, y, min(r * scale, room) + grown)


def _circle(x: float, y: float, r: float) -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}"'


def _rect(x: float, y: float, side: float, rx: float) -> str:
    half = side / 2
    return (
        f'<rect x="{number(x - half)}" y="{number(y - half)}" width="{number(side)}" height="{number(side)}"'
        f' rx="{number(rx)}"'
    )
