"""A position as plain data: pieces on spots, in areas, with the words for each.

All pictures, text screens and screen readers are drawn from a Scene. Units: one square is 100 x 100,
x to the right and y downwards, a spot named by the upper left corner of its square.

Ids are ASCII, unique in their table and stable from step to step, so that a piece moves rather than
jumps. They never identify a piece that lies face down.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from smallchange.i18n.text import Text

__all__ = [
    "COUNTER_CLOCKWISE", "LAYERS", "SQUARE", "Area", "Badge", "Mark", "Piece", "Scene", "Spot", "Tally",
    "Touch", "turn_area",
]  # fmt: skip

LAYERS = {"tile": 0, "back": 0, "coin": 1, "change": 1, "die": 2, "pawn": 3}  # what lies on what
SQUARE = re.compile(r"([a-z])(\d+)")  # the name of a spot in a row and a column


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where pieces can be. `id` is its name in tokens where it has one ("c4").

    `look` names the drawing under the pieces: "felt" (nothing of its own), "cell" (a square of the
    board), "hex", "hole", "black-hole", "exit" (a slot to leave the board by), "slot" (a place in a tray).
    `tint` 1-6 and `region` belong to hexes; `heading` is a faint chevron: "", "left", "right", "up", "down"; a cell may
    have two, as "up down".
    `ornament` is the data of an SVG path, 100 x 100 around its centre at 0 0: it marks a cell, and in a slot it shows
    faintly what belongs there.
    """

    id: str
    x: int
    y: int
    text: Text
    look: str = "felt"
    tint: int = 0
    region: str = ""
    heading: str = ""
    ornament: str = ""

    def __hash__(self) -> int:  # quick: spots are keys of what was drawn
        return hash((self.id, self.x, self.y, self.text.en))


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing on a spot.

    | kind | suit | value | side | state |
    | --- | --- | --- | --- | --- |
    | "tile" | S M C A | n a 2 3 4 5 | | "" or "spent" |
    | "back" (a tile's grid back) | | | | |
    | "coin" (piecepack) | shown suit or "" | shown number or "" | "", "gold" or "silver" | "" or "spent" |
    | "change" (heads and tails) | | rank 1-4 or "" | "heads" or "tails" | "", "match" |
    | "die" | S M C A | n a 2 3 4 5 | | "" or "spent" |
    | "pawn" | S M C A | | | "", "retired", "spent" |

    `level` counts from 0 at the bottom of a stack. `text` names the piece as a screen reader says it. `emblem` is the
    data of an SVG path that a tile bears, 100 x 100 around its centre at 0 0.
    """

    id: str
    spot: str
    kind: str
    text: Text
    suit: str = ""
    value: str = ""
    side: str = ""
    state: str = ""
    level: int = 0
    emblem: str = ""

    def __hash__(self) -> int:
        return hash((self.id, self.spot, self.level))


@dataclass(frozen=True)
class Area:
    """Spots drawn together. "board" is the main one; the others are trays: dice, banks, coins found.

    `seat` is the seat whose moves begin in this tray, -1 for none: on a small screen it lies next to the board.
    `ground` is the kind of its felt: "felt", or "night". `emblem` is the data of an SVG path around 0 0, pale in the
    middle of the felt.
    """

    id: str
    text: Text
    spots: tuple[Spot, ...]
    seat: int = -1
    ground: str = "felt"
    emblem: str = ""

    @cached_property
    def by_id(self) -> dict[str, Spot]:
        """The spots by their ids."""
        return {spot.id: spot for spot in self.spots}

    @cached_property
    def _hash(self) -> int:
        return hash((self.id, self.text, self.spots))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Tally:
    """A number that a player follows, and its maximum (0: no limit).

    `parts` are its summands, where a player pays with whole parts. One that the board shows is `said` alone.
    """

    id: str
    text: Text
    number: int
    most: int = 0
    parts: tuple[int, ...] = ()
    said: bool = False

    @property
    def sum(self) -> str:
        """The number as a sum of its parts, "" without them.

        >>> from smallchange.i18n.text import plain
        >>> hits = Tally("hits", plain("Hit points"), 6, 15, (0, 2, 4))
        >>> hits.sum + hits.figures
        '0 + 2 + 4 = 6 / 15'
        """
        return f"{' + '.join(map(str, self.parts))} = " if len(self.parts) > 1 else ""

    @property
    def figures(self) -> str:
        """The number, and what it can be at most."""
        return f"{self.number} / {self.most}" if self.most else str(self.number)


class Mark(NamedTuple):
    """A part of a badge: a figure or a short sign, or the glyph of a suit.

    `look` is "" (ivory), "strong" (ink, for the figure that counts), "gold" or "silver" (of a bar), or a suit, whose
    die it then looks like. A part of a bar may be `ringed`.
    """

    sign: str
    look: str = ""
    glyph: str = ""
    ringed: bool = False


class Badge(NamedTuple):
    """A figure that the board shows: the worth of a thing, its cost, its key, or the balance of a region.

    Without marks it is a name, such as that of a region, on a space where no piece lies.

    `x` and `y` are its centre in the square of its spot, `end` where a thin line from it leads, also in that
    square. `text` says it in words.
    """

    spot: str
    text: Text
    marks: tuple[Mark, ...]
    x: int = 50
    y: int = 50
    size: int = 26  # height of its figures
    end: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything there is to see. The first area is the board; pieces are sorted by id."""

    areas: tuple[Area, ...]
    pieces: tuple[Piece, ...]
    tallies: tuple[Tally, ...] = ()
    badges: tuple[Badge, ...] = ()


COUNTER_CLOCKWISE = ("up", "left", "down", "right")  # headings, each a quarter turn after the one before


@lru_cache(maxsize=256)
def turn_area(area: Area, quarters: int) -> Area:
    """Return an area turned counter-clockwise by so many quarters. Names and words stay upright.

    >>> from smallchange.i18n.text import plain
    >>> row = Area("board", plain(""), (Spot("a1", 0, 0, plain("")), Spot("b1", 100, 0, plain(""), heading="right")))
    >>> [(spot.x, spot.y, spot.heading) for spot in turn_area(row, 1).spots]
    [(0, 0, ''), (0, -100, 'up')]
    """
    spots = area.spots
    for _ in range(quarters % 4):
        spots = tuple(
            replace(spot, x=spot.y, y=-spot.x, heading=_next_heading(spot.heading)) for spot in spots
        )
    return replace(area, spots=spots) if quarters % 4 else area


def _next_heading(heading: str) -> str:
    """Return a heading after a quarter turn counter-clockwise, each way of it.

    >>> _next_heading("up down"), _next_heading("")
    ('left right', '')
    """
    return " ".join(COUNTER_CLOCKWISE[(COUNTER_CLOCKWISE.index(way) + 1) % 4] for way in heading.split())


class Touch(NamedTuple):
    """The pieces and spots that a player touches to take an action, as ids.

    `path`: touched one after the other, a piece (or spot) and then where it goes; one id if a single
    touch says it all. `marks`: a choice of any of several pieces, confirmed by a button (dice to
    roll). Both empty: a button alone. For a chance outcome, `path` names the object that showed it.
    """

    path: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
