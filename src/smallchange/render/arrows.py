"""Moves drawn over a board: an arrow from where a move begins to where it ends, or a ring around its one place.

The move that was played is solid and ink, the better one dashed and of the colour of hints, what is drawn by hand
dotted and blue. All have an ivory casing, so that they show on every ground, in light and dark.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import atan2, degrees, hypot
from typing import NamedTuple

from .area_markup import at, piles, places_of
from .highlights import around
from .pieces import INK, IVORY, PlacedPiece, number
from .scene import LAYERS, Area, Scene, Spot, Touch
from .spaces import open_spot_shape

PLAYED, BETTER, BY_HAND = "played", "better", "by-hand"  # the looks of a move
POINTING = [f"point-{n}" for n in range(4)]  # the looks of what others point at
COLOURS = {PLAYED: INK, BETTER: "#A85A00", BY_HAND: "#1B5E8C"}
COLOURS |= dict(zip(POINTING, ("#A3234E", "#2F6B2A", "#6A3FA0", "#00636B"), strict=True))
DASHES = {BETTER: ' stroke-dasharray="15 8"', BY_HAND: ' stroke-dasharray="4 5"'}
SHAFT_UNITS, CASING_UNITS, HEAD_UNITS = 9, 5, 30
START_GAP_UNITS, END_GAP_UNITS = 16, 6  # between an arrow and the middle of its squares
# so that two rings around one piece are both seen
RING_GROWTH = {BETTER: 7, BY_HAND: 3} | dict.fromkeys(POINTING, 11)


class _Place(NamedTuple):
    """A thing that a move touches: its spot, and the piece, None for an empty spot."""

    spot: Spot
    placed: PlacedPiece | None

    @property
    def middle(self) -> tuple[float, float]:
        if self.placed is None or LAYERS[self.placed.piece.kind] == 0:
            return self.spot.x + 50, self.spot.y + 50
        return self.spot.x + self.placed.x, self.spot.y + self.placed.y


def draw_moves(area: Area, scene: Scene, moves: Mapping[str, Touch]) -> str:
    """Draw moves over an area of the scene, each in its look; the better one lies on top."""
    places = _places(area, scene)
    drawn = ""
    for look, touch in moves.items():
        path = [places[id] for id in touch.path if id in places]
        if len(path) > 1:
            inside = _arrow(look, path[0].middle, path[-1].middle)
        else:
            inside = "".join(_ring(look, one) for one in path)
        inside += "".join(_ring(look, places[id]) for id in touch.marks if id in places)
        drawn += f'<g class="move-{look}" pointer-events="none">{inside}</g>' if inside else ""
    return drawn


def draw_by_hand(area: Area, scene: Scene, drawn: Iterable[str], look: str = BY_HAND) -> str:
    """Draw rings and arrows: the id of a place, or two with a blank between. Other names are left out."""
    return "".join([draw_moves(area, scene, {look: Touch(tuple(ids.split()[:2]))}) for ids in drawn])


def middles(area: Area) -> str:
    """Return the middle of each spot as JSON, by its id, in the units of the drawing."""
    return json.dumps({spot.id: (spot.x + 50, spot.y + 50) for spot in area.spots}, separators=(",", ":"))


def is_touched(area: Area, scene: Scene, touches: Sequence[Touch]) -> bool:
    """Return whether one of these moves touches something on an area."""
    places = _places(area, scene)
    return any(id in places for touch in touches for ids in touch for id in ids)


def _places(area: Area, scene: Scene) -> dict[str, _Place]:
    """Return the places on an area by the ids of spots and pieces."""
    on = piles(scene)
    found = {}
    for spot in area.spots:
        placed = places_of(on[spot.id]) if spot.id in on else ()
        found[spot.id] = _Place(spot, placed[-1] if placed else None)
        found |= {one.piece.id: _Place(spot, one) for one in placed}
    return found


def _arrow(look: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    """Draw an arrow between two points, not quite from one to the other."""
    across, down = end[0] - start[0], end[1] - start[1]
    tip = hypot(across, down) - END_GAP_UNITS
    neck = tip - HEAD_UNITS
    colour, half = COLOURS[look], HEAD_UNITS / 2
    shaft = f'd="M{START_GAP_UNITS} 0H{number(max(START_GAP_UNITS, neck + 4))}"'
    head = f'd="M{number(tip)} 0L{number(neck)} {number(half)}V{number(-half)}Z"'
    wide = SHAFT_UNITS + 2 * CASING_UNITS
    turn = f"translate({number(start[0])} {number(start[1])}) rotate({number(degrees(atan2(down, across)))})"
    return (
        f'<g transform="{turn}" fill="none" stroke-linejoin="round">'
        f'<path {shaft} stroke="{IVORY}" stroke-width="{wide}" stroke-linecap="round"/>'
        f'<path {head} fill="{IVORY}" stroke="{IVORY}" stroke-width="{2 * CASING_UNITS}"/>'
        f'<path {shaft} stroke="{colour}" stroke-width="{SHAFT_UNITS}"{DASHES.get(look, "")}/>'
        f'<path {head} fill="{colour}"/></g>'
    )


def _ring(look: str, place: _Place) -> str:
    """Draw a ring around a piece or an empty spot."""
    growth = RING_GROWTH.get(look, 0)
    if place.placed is None:
        shape = open_spot_shape(place.spot, growth - 4)
    else:
        shape = around(place.placed, growth)
    return (
        f'<g {at(place.spot)} fill="none">{shape} stroke="{IVORY}" stroke-width="11"/>'
        f'{shape} stroke="{COLOURS[look]}" stroke-width="5"{DASHES.get(look, "")}/></g>'
    )
