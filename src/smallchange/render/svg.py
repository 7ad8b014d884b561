"""A table as SVG: boards for a page, and pictures that stand alone.

A page has the shapes once (`shapes.defs()`) and its stylesheet (`theme.stylesheet()`); a picture brings
its own shapes and colours. Neither has style attributes, style elements or script.

>>> import smallchange
>>> position = smallchange.game(smallchange.games()[0]).start()
>>> picture_of(position).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
True
"""

from __future__ import annotations

from html import escape
from typing import Any, NamedTuple

from smallchange.i18n.text import Text, join_texts, plain

from .area_markup import Lying, at, draw_area, news, piles, places_of, spot_text
from .badges import draw_badges
from .highlights import Link, Marks, dot
from .markup_diff import Markup, Part, whole
from .pieces import PAPER, SOFT, PlacedPiece, draw
from .scene import LAYERS, Area, Piece, Scene
from .shapes import shape_definitions
from .spaces import ground, spaces, text_element, tray

__all__ = [
    "Link",
    "Marks",
    "alone",
    "arrange",
    "board_svg",
    "describe_scene",
    "draw_tallies",
    "picture",
    "picture_of",
    "placed_pieces",
    "stand_alone",
    "under",
]

NO_MARKS = Marks()
TALLY_LINE = 26  # from a tally to the next
SENTENCE = Text("{area}: {what}.")
SPOTS = Text("{first}; {next}", "places of an area")


def board_svg(area: Area, scene: Scene, lang: str = "en", marks: Marks = NO_MARKS, over: str = "") -> str:
    """Draw one area of the table for a page, without news; `over` is markup on top of it.

    The board has a wooden rim, a tray is flat.
    """
    on = piles(scene)
    lies = draw_area(area, on, lang, marks)
    return (
        whole(under(area, scene, lang, lies, news(area, scene, on, (), ()))).removesuffix("</svg>")
        + f"{over}</svg>"
    )


def under(area: Area, scene: Scene, lang: str, lies: Lying, new: tuple[str, str, str]) -> Part:
    """Draw an area of the scene, with its pieces and its `news`, from the bottom up."""
    last, rolled, preview = new
    layers: dict[str, Markup] = {
        "tiles": lies.tiles,
        "last": last,
        "preview": preview,
        "pieces": lies.pieces,
        "badges": f'<g id="{area.id}-badges">{draw_badges(area, scene, lang)}</g>',
        "rolled": rolled,
        "spots": lies.spots,
    }
    over = {f"{area.id}-{name}": layer for name, layer in layers.items()}
    return Part(ground(area, area is scene.areas[0], lang), over, "</svg>")


def alone(piece: Piece, rolled: bool = False) -> str:
    """Draw one piece by itself, for a button or a caption: 70 x 70 units around its centre.

    If `rolled`, it has the dot of the last throw.
    """
    lies = PlacedPiece(piece, 0, 0)
    x, y, side = (0, 0, 100) if LAYERS[piece.kind] == 0 else (-35, -35, 70)
    drawn = draw(lies) + (dot(lies) if rolled else "")
    return f'<svg class="alone" viewBox="{x} {y} {side} {side}" aria-hidden="true">{drawn}</svg>'


class LaidArea(NamedTuple):
    """An area of a picture: how far its zero lies from the picture's, its caption, and its tray."""

    area: Area
    dx: int
    dy: int
    caption: str
    tray: str

    def translate(self, markup: str) -> str:
        """Move markup drawn in the units of the area to its place in the picture."""
        return f'<g transform="translate({self.dx} {self.dy})">{markup}</g>'


class Arrangement(NamedTuple):
    """The areas of a whole table as one picture, the place of its first tally, and its size."""

    areas: tuple[LaidArea, ...]
    tallies: tuple[int, int]
    width: int
    height: int


def arrange(scene: Scene, lang: str = "en") -> Arrangement:
    """Lay the board at the left of a picture and the trays beside it, in columns."""
    board, *trays = scene.areas
    box, under = tray(board, framed=True)
    width, height = 20 + box.size[0], 20 + box.size[1]
    areas = [LaidArea(board, 20 - box.left, 20 - box.top, "", under)]
    x, y, beside, low = width + 28, 20, 0, height
    for area in trays:
        box, under = tray(area, framed=False)
        if y > 20 and y + box.size[1] > max(height, 560) + 60:  # another column
            x, y, beside = x + beside + 28, 20, 0
        caption = text_element("caption", x, y + 16, 16, SOFT, area.text[lang], "start")
        areas.append(LaidArea(area, x - box.left, y + 28 - box.top, caption, under))
        y += box.size[1] + 48
        beside, low = max(beside, box.size[0]), max(low, y - 20)
    if not trays:
        x, y = 28, height + 12
    below = y + TALLY_LINE * len(scene.tallies)
    width, height = (x + max(beside, 280) if trays else width) + 20, max(low + 20, below + 14)
    return Arrangement(tuple(areas), (x, y), width, height)


def draw_tallies(scene: Scene, at: tuple[int, int], lang: str = "en") -> str:
    """Write the tallies of a scene below one another."""
    drawn, (x, y) = "", at
    for tally in scene.tallies:
        words = f"{tally.text[lang]}: {tally.sum}{tally.figures}"
        drawn += text_element("caption", x, y + 16, 16, SOFT, words, "start")
        y += TALLY_LINE
    return drawn


def picture(scene: Scene, title: str, lang: str = "en") -> str:
    """Draw the whole table as one picture that stands alone, its words in `<desc>`."""
    laid = arrange(scene, lang)
    inside = "".join(
        one.caption + one.translate(one.tray + _plain(one.area, scene, lang)) for one in laid.areas
    )
    inside += draw_tallies(scene, laid.tallies, lang)
    return stand_alone(inside, laid.width, laid.height, title, describe_scene(scene)[lang])


def stand_alone(inside: str, width: int, height: int, title: str, description: str, style: str = "") -> str:
    """Return a picture of this size with the shapes that it needs, on paper."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img"><title>{escape(title)}</title>'
        f"<desc>{escape(description)}</desc>{style}{shape_definitions(inside)}"
        f'<rect width="{width}" height="{height}" rx="16" fill="{PAPER}"/>{inside}</svg>'
    )


def picture_of(position: Any, lang: str = "en") -> str:
    """Draw the picture of a `smallchange.Position`, of any game."""
    game = position.game
    return picture(game.layout.scene(game.board, position.s), game.words.TITLE[lang], lang)


def describe_scene(scene: Scene) -> Text:
    """Describe the whole table in words, area by area; empty spots are left out.

    >>> from smallchange.render.scene import Piece, Spot
    >>> from smallchange.i18n.text import plain
    >>> board = Area("board", plain("The board"), (Spot("a1", 0, 0, plain("a1")),))
    >>> describe_scene(Scene((board,), (Piece("x", "a1", "coin", plain("a coin")),))).en
    'The board: a1: a coin.'
    """
    text = plain("")
    for area in scene.areas:
        on = _lay(area, scene)
        full = [spot for spot in area.spots if spot.id in on]
        what = join_texts((spot_text(spot, on[spot.id]) for spot in full), SPOTS)
        text = text + SENTENCE.fill(area=area.text, what=what if full else Text("empty"))
    places = {spot.id: spot for area in scene.areas for spot in area.spots}
    for badge in [badge for badge in scene.badges if badge.marks]:
        text = text + SENTENCE.fill(area=places[badge.spot].text, what=badge.text)
    for tally in scene.tallies:
        text = text + SENTENCE.fill(area=tally.text, what=tally.number)
    return text


def _lay(area: Area, scene: Scene) -> dict[str, tuple[Piece, ...]]:
    spots = area.by_id
    return {id: pile for id, pile in piles(scene).items() if id in spots}


def _plain(area: Area, scene: Scene, lang: str) -> str:
    spots = area.by_id
    pieces = [f"<g {at(spots[one.piece.spot])}>{draw(one)}</g>" for one in placed_pieces(area, scene)]
    return spaces(area.spots) + "".join(pieces) + draw_badges(area, scene, lang)


def placed_pieces(area: Area, scene: Scene) -> list[PlacedPiece]:
    """Return the pieces on an area with their places in their squares, from the bottom up."""
    pieces = [one for pile in _lay(area, scene).values() for one in places_of(pile)]
    return sorted(pieces, key=lambda one: (LAYERS[one.piece.kind], one.piece.level, one.piece.id))
