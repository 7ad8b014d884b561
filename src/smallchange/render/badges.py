"""Badges: short figures on the board for the worth, cost or meaning of a thing, each with its words.

A badge is a row of marks on an ivory strip: figures, the one that counts on ink, coins, or a suit as its die. A thin
line may lead from it to its subject. It is part of the picture: in light and dark, in print and in forced
colours the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from html import escape
from unicodedata import east_asian_width

from .area_markup import SPOT
from .pieces import HEADS, INK, IVORY, SUITS, TAILS, number, use
from .scene import Area, Badge, Mark, Scene, Spot
from .spaces import text_element

# widths in heights of the figures; the padding is that of both sides together
GLYPH, LETTER, FIGURE, PADDING, COIN = 0.86, 0.9, 0.66, 0.36, 1.4
METALS = {"gold": HEADS, "silver": TAILS}  # parts of a bar, and the ink of figures on them
FILLS = {"gold": "#EBC862", "silver": "#D5DBE2"}
HEIGHT = 1.3  # of the strip, in heights of the figures
ROOM = 88  # units, for a name on a space
STRONG = "strong"  # the look of the mark that counts


def draw_badges(area: Area, scene: Scene, lang: str) -> str:
    """Draw the badges of a scene that lie on an area."""
    spots: Mapping[str, Spot] = area.by_id
    return "".join([_badge(badge, spots[badge.spot], lang) for badge in scene.badges if badge.spot in spots])


@lru_cache(maxsize=8192)
def _badge(badge: Badge, spot: Spot, lang: str) -> str:
    """Draw a badge in its place in the square of its spot."""
    x, y = spot.x + badge.x, spot.y + badge.y
    if not badge.marks:
        return _name(badge.text[lang], x, y, badge.size)
    widths = [_width(mark, badge.size) for mark in badge.marks]
    high, left = HEIGHT * badge.size, x - sum(widths) / 2
    line = ""
    if badge.end:
        way = (
            f'd="M{x} {y}L{spot.x + badge.end[0]} {spot.y + badge.end[1]}" fill="none" stroke-linecap="round"'
        )
        line = (
            f'<path {way} stroke="{IVORY}" stroke-width="6"/><path {way} stroke="{INK}" stroke-width="2.5"/>'
        )
    shape = (
        f'x="{number(left)}" y="{number(y - high / 2)}" width="{number(sum(widths))}" height="{number(high)}"'
    )
    rx = number(high / 3)
    drawn = f'<rect {shape} rx="{rx}" fill="{IVORY}" stroke="{INK}" stroke-width="1.5"/>'
    for mark, width in zip(badge.marks, widths, strict=True):
        drawn += _mark(mark, left, y, width, badge.size)
        left += width
    said = badge.text if spot.region else SPOT.fill(spot=spot.text, pieces=badge.text)
    return f'<g class="badge" role="img" aria-label="{escape(said[lang])}">{line}{drawn}</g>'


def _name(name: str, x: int, y: int, size: int) -> str:
    """Write a name in the middle of a space, in one line or two, as large as there is room."""
    cuts = [i for i, sign in enumerate(name) if sign == " "]
    cut = min(cuts, key=lambda i: abs(2 * i - len(name)), default=len(name))
    lines = [line for line in (name[:cut], name[cut + 1 :]) if line]
    longest = max(
        sum(1 if east_asian_width(c) in "WF" else LETTER if c in "MWmw" else 0.55 for c in line)
        for line in lines
    )
    high = min(size, round(ROOM / longest, 1))
    tops = [y + 1.2 * high * (i - (len(lines) - 1) / 2) + 0.36 * high for i in range(len(lines))]
    drawn = [
        text_element("region-name", x, float(number(top)), high, INK, line)
        for top, line in zip(tops, lines, strict=True)
    ]
    return "".join(drawn)


def _width(mark: Mark, size: int) -> float:
    if mark.look in METALS:
        return COIN * size
    figure = LETTER if mark.sign.isalpha() else FIGURE
    return size * (PADDING + (GLYPH if mark.glyph else figure * len(mark.sign)))


def _mark(mark: Mark, left: float, y: float, width: float, size: int) -> str:
    """Draw a mark of a badge from its left end on, around the line at y."""
    middle, dark = left + width / 2, mark.look == STRONG or mark.look in SUITS
    ink, drawn = METALS.get(mark.look, IVORY if dark else INK), ""
    if dark:
        high = HEIGHT * size - 3
        drawn = (
            f'<rect x="{number(left + 1.5)}" y="{number(y - high / 2)}" width="{number(width - 3)}"'
            f' height="{number(high)}" rx="{number(high / 3)}" fill="{SUITS.get(mark.look, INK)}"/>'
        )
    elif mark.look in METALS:
        inset, edge = (2, 3) if mark.ringed else (1, 0)
        wide, tall = number(width - 2 * inset), number(HEIGHT * size - 2 * inset)
        top = number(y - HEIGHT * size / 2 + inset)
        drawn = (
            f'<rect x="{number(left + inset)}" y="{top}" width="{wide}" height="{tall}"'
            f' rx="2" fill="{FILLS[mark.look]}" stroke="{INK}" stroke-width="{edge}"/>'
        )
    if mark.glyph:
        drawn += use(f"s-{mark.glyph}", middle, y, GLYPH * size, GLYPH * size, fill=ink)
    else:
        at = float(number(middle)), float(number(y + 0.36 * size))
        drawn += text_element("badge-sign", *at, size, ink, mark.sign)
    return drawn
