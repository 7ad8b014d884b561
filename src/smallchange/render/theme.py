"""Colours, and the style sheet of pieces on a page: light, dark, print and forced colours.

Pieces carry their light colours as attributes. In the dark the felt and the spent tiles turn dark; ivory and
maple are objects, so they are dimmed and never inverted.
"""

from __future__ import annotations

from collections.abc import Iterable

from .pieces import INK, PAPER, PLUM, SOFT, SUITS
from .spaces import ON_FRAME, ON_HEX, TINTS

LIGHT = {
    "paper": PAPER,
    "card": "#FCF9F3",
    "line": "#DDD3C2",
    "ink": INK,
    "soft": SOFT,
    "accent": PLUM,
    "on-accent": "#FFF9F0",
    "accent-wash": "#F0E3EA",
    "hint": "#A85A00",
    "felt": "#CABFAA",
    "night": "#333A58",
    "frame-a": "#80603F",
    "frame-b": "#6E4F34",
    "on-frame": ON_FRAME,
    "tile": "#FCF8EF",
    "tile-line": "#D9CDB6",
    "back": "#E5D5B8",
    "back-line": "#BFA77C",
    "spent": "#D6CCB8",
    "spent-line": "#B9AD96",
    "cell": "#E9E2D4",
    "on-hex": ON_HEX,
    "hole": "#4A4034",
    "slot": "rgb(46 34 18/.05)",
    "slot-line": "rgb(46 34 18/.13)",
    "lift": "0 1px 1px rgb(46 34 18/.06),0 6px 18px rgb(46 34 18/.10)",
    "casing": "6.4px",
    "casing-opacity": ".6",
    **SUITS,
}
DARK = {
    "paper": "#1B1916",
    "card": "#25221E",
    "line": "#3C372F",
    "ink": "#F1EBDF",
    "soft": "#B3A996",
    "accent": "#D0A1C3",
    "on-accent": "#2B1225",
    "accent-wash": "#3A2A36",
    "hint": "#F0B45A",
    "felt": "#36312A",
    "night": "#262A3C",
    "frame-a": "#5E4631",
    "frame-b": "#4B3625",
    "on-frame": "#F3E4CC",
    "tile": "#DDD3C0",
    "tile-line": "#B9AD95",
    "back": "#C6B48F",
    "back-line": "#937B50",
    "spent": "#454037",
    "spent-line": "#5A5245",
    "cell": "#4A4439",
    "on-hex": "#E0D6C2",
    "hole": "#100E0B",
    "slot": "rgb(0 0 0/.2)",
    "slot-line": "rgb(255 246 228/.09)",
    "lift": "0 1px 1px rgb(0 0 0/.3),0 8px 22px rgb(0 0 0/.34)",
    "S": "#F08A7E",
    "M": "#D6D3DE",
    "C": "#7FC797",
    "A": "#8FB6EE",
    "casing": "8px",
    "casing-opacity": "1",
}
DARK_TINTS = (  # of regions 1 to 6: face, and dark tone, which is the lighter one here
    ("#57523A", "#B9AC68"),
    ("#3F5243", "#86B08C"),
    ("#3F4E5B", "#8AAAC6"),
    ("#5A473C", "#CE9A7D"),
    ("#4E4456", "#B29CC6"),
    ("#504A41", "#B0A694"),
)
PIECES = """\
.f-felt{fill:var(--felt)}.f-night{fill:var(--night)}
.f-night~*{--ink:#F1EBDF;--slot:rgb(0 0 0/.2);--slot-line:rgb(255 246 228/.14)}
.f-night~* .rolled{--ink:#26221C;--paper:#F5F0E7}
.emblem{fill:var(--ink)}.coord{fill:var(--on-frame)}.on-hex{fill:var(--on-hex)}
.st-a{stop-color:var(--frame-a)}.st-b{stop-color:var(--frame-b)}
.f-tile{fill:var(--tile)}.l-tile{stroke:var(--tile-line)}.f-hole{fill:var(--hole)}
.f-back{fill:var(--back)}.l-back{stroke:var(--back-line)}
.f-spent{fill:var(--spent)}.l-spent{stroke:var(--spent-line)}.lane{fill:var(--cell);stroke:var(--spent-line)}
.suit-S{fill:var(--S)}.suit-M{fill:var(--M)}.suit-C{fill:var(--C)}.suit-A{fill:var(--A)}
.line-S{stroke:var(--S)}.line-M{stroke:var(--M)}.line-C{stroke:var(--C)}.line-A{stroke:var(--A)}
.area{display:block;height:auto;max-width:100%;overflow:visible}.board{width:100%}
.area a{cursor:default;outline:none}.area a[href]{cursor:pointer}
.piece{pointer-events:none;transition:transform var(--move,260ms) var(--ease,cubic-bezier(.2,.7,.2,1))}
.piece[href],.spot[href]{pointer-events:auto}.spot{pointer-events:none}
.ring{stroke:#7A3B6B;transition:fill var(--quick,120ms)}[href]:hover>.ring{fill:#7A3B6B;fill-opacity:.12}
.casing{stroke-width:var(--casing);stroke-opacity:var(--casing-opacity)}
.ornament{fill:var(--A)}.slot,.exit{fill:var(--slot);fill-opacity:1;stroke:var(--slot-line);stroke-opacity:1}
.chev{stroke:var(--soft)}.region-name{fill:var(--on-hex)}.caption{fill:var(--soft)}.badge,.region-name{pointer-events:none}.badge-sign,.region-name{font-family:var(--sans)}.badge-sign{font-weight:600}
@media (max-width:699px),(max-width:999px) and (max-height:620px){
.coord{font-size:21px}.coord[font-size="16"]{font-size:26px}.on-hex{font-size:17px}}
.preview{stroke:#7A3B6B}:root:not(:has(#marked,a.live,.area a[href])) .preview,
:root:has(a.picked,a.selected[href]) .preview{display:none}
.last-move *,.match{stroke:var(--ink)}.rolled{fill:var(--ink);stroke:var(--paper)}
.focus *{stroke:var(--ink)}.focus .under{stroke:var(--paper)}[href]:focus-visible>.focus{visibility:visible}
"""
REDUCED = "@media (prefers-reduced-motion:reduce){.piece,.ring{transition:none}}\n"
PRINT = (
    "@media print{.area{break-inside:avoid;print-color-adjust:exact}"
    ".ring,.casing,.focus,.preview{display:none}}\n"
)
FORCED = """\
@media (forced-colors:active){.area{forced-color-adjust:none}.ring,.preview{stroke:Highlight}
.last-move *,.match,.focus *{stroke:CanvasText}.focus .under{stroke:Canvas}}
"""


def stylesheet() -> str:
    """Return the design tokens and the rules for pieces.

    A page sets `data-theme` to light or dark to overrule the system, except where the system forces its own
    colours.
    """
    tints = "".join(
        f".hex-{i}{{fill:var(--hex-{i})}}.hex-{i},.hex-line-{i}{{stroke:var(--hex-line-{i})}}\n"
        for i in range(1, len(TINTS) + 1)
    )
    light = f"color-scheme:light;{_tokens(LIGHT, TINTS)}"
    dark = f"color-scheme:dark;{_tokens(DARK, DARK_TINTS)}"
    return (
        f":root{{{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        f"@media (forced-colors:none){{:root[data-theme=light]{{{light}}}:root[data-theme=dark]{{{dark}}}}}\n"
        f"@media print{{:root:root{{{light}}}}}\n"
        f"{PIECES}{tints}{REDUCED}{PRINT}{FORCED}"
    )


def _tokens(colours: dict[str, str], tints: Iterable[tuple[str, str]]) -> str:
    named = list(colours.items())
    for i, (face, line) in enumerate(tints, 1):
        named += [(f"hex-{i}", face), (f"hex-line-{i}", line)]
    return "".join(f"--{name}:{colour};" for name, colour in named)
