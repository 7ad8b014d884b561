"""The ground under the pieces: the tray and its rim, squares, hexes, holes, slots and ways out."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import NamedTuple

from .pieces import use
from .scene import SQUARE, Area, Spot

FONT = "ui-sans-serif, system-ui, sans-serif"
ON_FRAME, ON_HEX = "#FBEBD0", "#5C5340"  # what is written on wood, and on hexes
ORNAMENT = "#2A5A9C"
FAINT = 'class="emblem" fill="#2E2212" fill-opacity=".2" fill-rule="evenodd"'
GROUNDS = {"felt": "#CABFAA", "night": "#333A58"}
RIM, RAIL, BARE_RAIL = 8, 30, 18  # felt around the spots, and wood around them with letters on it and without
LARGE = 1300  # units; a wider or higher board is not made to fit, but scrolls
TRAY = 0.56  # pixels a unit, where there is room for a tray
TINTS = (  # of regions 1 to 6: face and dark tone
    ("#E3DDBF", "#8A7F45"),
    ("#D3E0D0", "#55795A"),
    ("#D5DEE6", "#53718C"),
    ("#EBD8CC", "#9A6447"),
    ("#E0D7E4", "#77628A"),
    ("#E6E1D8", "#786E5F"),
)
# corners of a hex around its centre, clockwise from the top, and where the neighbour across the edge
# from a corner to the next lies
CORNERS = ((0, -55.4), (48, -27.7), (48, 27.7), (0, 55.4), (-48, 27.7), (-48, -27.7))
ACROSS = ((50, -87), (100, 0), (50, 87), (-50, 87), (-100, 0), (-50, -87))
ASIDE = 48  # from the middle of a square to the arrow over its edge, which no coin covers
LANES = {"left": 180, "right": 0, "up": -90, "down": 90}  # degrees
WAYS = {
    "left": (-100, 0, "right"),
    "right": (100, 0, "left"),
    "up": (0, -100, "down"),
    "down": (0, 100, "up"),
}


class Box(NamedTuple):
    """A rectangle from its upper left to its lower right corner."""

    left: int
    top: int
    right: int
    bottom: int

    def expand(self, by: int) -> Box:
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def within(self, other: Box) -> bool:
        outside = self.left < other.left or self.top < other.top
        return not outside and self.right <= other.right and self.bottom <= other.bottom

    @property
    def size(self) -> tuple[int, int]:
        return self.right - self.left, self.bottom - self.top


@lru_cache(maxsize=512)
def ground(area: Area, board: bool, lang: str) -> str:
    """Return the opening of an area on a page, with the ground under its pieces.

    A tray has no name of its own, because it stands below one.
    """
    box, under = tray(area, framed=board)
    width, height = box.size
    wide, tall = width > LARGE, height > LARGE
    large = " wide" if wide else " tall" if tall else ""
    look = f'class="area board{large}"' if board else f'class="area tray" width="{width * TRAY:g}"'
    named = f'role="group" aria-label="{escape(area.text[lang])}"' if board else 'role="none"'
    return (
        f'<svg {look} viewBox="{box.left} {box.top} {width} {height}" {named}>{under}'
        f'<g class="spaces">{spaces(area.spots)}</g>'
    )


@lru_cache(maxsize=256)
def spaces(spots: tuple[Spot, ...]) -> str:
    """Return the ground under the pieces of an area, without its tray."""
    drawn = [_space(spot) for spot in spots if spot.look != "hex"]
    ways = [_ways(spot, spots) for spot in spots if spot.heading and spot.look != "exit"]  # over both squares
    return "".join(drawn + ways) + _hexes([spot for spot in spots if spot.look == "hex"])


def box(spots: tuple[Spot, ...]) -> Box:
    """Return the least rectangle around the spots as they are drawn."""
    edges = [_edges(spot) for spot in spots]
    return Box(*(least(e[i] for e in edges) for i, least in enumerate((min, min, max, max))))


def _edges(spot: Spot) -> tuple[int, int, int, int]:
    x, y = spot.x, spot.y
    if spot.look == "hex":
        return x, y - 7, x + 100, y + 107
    if spot.look == "exit":  # half a square, at the board
        left, top = 50 * (spot.heading == "left"), 50 * (spot.heading == "up")
        return (
            x + left,
            y + top,
            x + 100 - 50 * (spot.heading == "right"),
            y + 100 - 50 * (spot.heading == "down"),
        )
    return x, y, x + 100, y + 100


@lru_cache(maxsize=256)
def tray(area: Area, framed: bool) -> tuple[Box, str]:
    """Draw the tray of an area, with wood and coordinates around it if it is framed, else flat felt."""
    inside = box(area.spots).expand(RIM)
    felt = f'<rect class="f-{area.ground}" {_rect(inside)} rx="14" fill="{GROUNDS[area.ground]}"/>'
    if area.emblem:
        middle = f"{(inside.left + inside.right) / 2:g} {(inside.top + inside.bottom) / 2:g}"
        felt += f'<path transform="translate({middle})" d="{area.emblem}" fill="#FCF8EF" fill-opacity=".7"/>'
    if not framed:
        return inside, felt
    bare = all(spot.look == "hex" for spot in area.spots)
    whole = inside.expand((BARE_RAIL if bare else RAIL) - RIM)
    wood = (
        f'<rect class="f-frame" {_rect(whole)} rx="22" fill="url(#g-frame)"/>'
        f'<rect {_rect(whole.expand(-1))} rx="21" fill="none" stroke="#FFF1D6" stroke-opacity=".28"/>'
    )
    shade = (
        f'<rect {_rect(inside)} rx="14" fill="none" stroke="#2E2212" stroke-opacity=".34"'
        ' stroke-width="1.6"/>'
        f'<rect {_rect(inside.expand(-2))} rx="12" fill="none" stroke="#2E2212" stroke-opacity=".1"'
        ' stroke-width="3"/>'
    )
    return whole.expand(1), wood + felt + shade + _coordinates(area.spots, whole)


def _rect(box: Box) -> str:
    width, height = box.size
    return f'x="{box.left}" y="{box.top}" width="{width}" height="{height}"'


def _coordinates(spots: tuple[Spot, ...], whole: Box) -> str:
    at: dict[str, list[Spot]] = {}  # by letter, and by number
    for spot in spots:
        square = SQUARE.fullmatch(spot.id)
        if square and spot.look != "hex":
            for name in square.groups():
                at.setdefault(name, []).append(spot)
    names: list[tuple[int, int, str]] = []
    for name, there in at.items():
        if len({spot.x for spot in there}) == 1:  # a column; on a board that is turned it may have a number
            names.append((there[0].x + 50, whole.bottom - 6, name))
        else:
            names.append((whole.left + 11, there[0].y + 54, name))
    size = 13 if whole.size[0] < 700 else 16
    return "".join(text_element("coord", x, y, size, ON_FRAME, name) for x, y, name in names)


def text_element(
    look: str, x: float, y: float, size: float, ink: str, text: str, anchor: str = "middle"
) -> str:
    """Draw a line of text, hidden from screen readers because things have their names.

    `anchor` says which part of the text is at x: start, middle or end.
    """
    return (
        f'<text class="{look}" aria-hidden="true" x="{x}" y="{y}" text-anchor="{anchor}" font-family="{FONT}"'
        f' font-size="{size}" fill="{ink}">{escape(text)}</text>'
    )


def _space(spot: Spot) -> str:
    if spot.look in ("cell", "hole", "slot"):
        space = use(spot.look, spot.x + 50, spot.y + 50, 100, 100)
    elif spot.look == "black-hole":
        space = use("blackhole", spot.x + 50, spot.y + 50, 100, 100)
    elif spot.look == "exit":
        turn = LANES[spot.heading]
        return (
            f'<g transform="translate({spot.x + 50} {spot.y + 50}) rotate({turn})">'
            f"{use('exit', 0, 0, 100, 100)}{_chevron(-25)}</g>"
        )
    else:
        space = ""
    if spot.ornament:
        look = f'class="ornament" fill="{ORNAMENT}"' if spot.look == "cell" else FAINT
        space += f'<path {look} transform="translate({spot.x + 50} {spot.y + 50})" d="{spot.ornament}"/>'
    return space


def _ways(spot: Spot, spots: tuple[Spot, ...]) -> str:
    """Draw the arrows from a spot to where one goes on from it, aside where another comes the other way."""
    drawn, at = "", f"translate({spot.x + 50} {spot.y + 50})"
    coming = {(other.x, other.y, way) for other in spots for way in other.heading.split()}
    for way in spot.heading.split():
        x, y, back = WAYS[way]
        arrow = _chevron(ASIDE, 20 if (spot.x + x, spot.y + y, back) in coming else 0)
        drawn += f'<g transform="{at} rotate({LANES[way]})">{arrow}</g>'
    return drawn


def _chevron(x: int, y: int = 0) -> str:
    return (
        f'<path class="chev" d="M{x - 4} {y - 11}L{x + 4} {y}L{x - 4} {y + 11}" fill="none" stroke="#655C4F"'
        ' stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _hexes(hexes: list[Spot]) -> str:
    """Draw the hexes in their tints. The outline is heavy where a region ends."""
    region = {(spot.x, spot.y): spot.region for spot in hexes}
    faces, borders, names = [], [], []
    for spot in sorted(hexes, key=lambda spot: (spot.y, spot.x)):
        x, y = spot.x + 50, spot.y + 50
        face, dark = TINTS[(spot.tint - 1) % 6]
        faces.append(
            f'<polygon points="{_around(x, y + 2, 1)}" fill="#2E2212" fill-opacity=".14" class="sh"/>'
            f'<polygon class="hex hex-{spot.tint}" points="{_around(x, y, 1)}" fill="{face}" stroke="{dark}"'
            ' stroke-opacity=".55" stroke-width="1.2"/>'
            f'<polygon points="{_around(x, y, 0.92)}" fill="none" stroke="#FFFFFF" stroke-opacity=".45"/>'
        )
        edges = [
            i for i, (dx, dy) in enumerate(ACROSS) if region.get((spot.x + dx, spot.y + dy)) != spot.region
        ]
        if edges:
            line = "".join(_edge(x, y, i) for i in edges)
            borders.append(
                f'<path class="hex-line-{spot.tint}" d="{line}" fill="none" stroke="{dark}"'
                ' stroke-width="2.4" stroke-linecap="round"/>'
            )
        names.append(text_element("on-hex", x, y + 47, 10, ON_HEX, spot.id))
    return "".join(faces + borders + names)


def _around(x: float, y: float, scale: float) -> str:
    return " ".join(f"{x + dx * scale:g},{y + dy * scale:g}" for dx, dy in CORNERS)


def _edge(x: float, y: float, i: int) -> str:
    (ax, ay), (bx, by) = CORNERS[i], CORNERS[(i + 1) % 6]
    return f"M{x + ax:g} {y + ay:g}L{x + bx:g} {y + by:g}"


def open_spot_shape(spot: Spot, grown: float) -> str:
    """Open an element around a spot, in its square, this many units larger than an outline."""
    if spot.look == "hex":
        return f'<polygon points="{_around(50, 50, 1 + grown / 60)}"'
    left, top, right, bottom = _edges(spot)
    start = 2 - grown  # around a tile, on the felt: ink shows there in light and dark
    return (
        f'<rect x="{left - spot.x + start}" y="{top - spot.y + start}" width="{right - left - 2 * start}"'
        f' height="{bottom - top - 2 * start}" rx="10"'
    )
