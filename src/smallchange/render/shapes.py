"""The shapes of the pieces, read from `shapes.svg`: our own drawings, each a symbol or a gradient.

Every colour in them is a presentation attribute, so a picture stands alone; the classes beside them let
a page's stylesheet (see `theme`) dim them in the dark.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

SHAPES: dict[str, str] = {
    _found[1]: line
    for line in Path(__file__).with_name("shapes.svg").read_text(encoding="utf-8").splitlines()
    if (_found := re.match(r'<(?:symbol|linearGradient) id="([^"]+)"', line))
}


@cache
def defs() -> str:
    """All shapes, once for a page: the definitions that boards refer to by `<use href="#..">`."""
    return f"<defs>{''.join(SHAPES.values())}</defs>"


def shape_definitions(markup: str) -> str:
    """Return the shapes that the markup refers to, for a picture that stands alone.

    >>> shape_definitions('<use href="#s-M"/>')[:22]
    '<defs><symbol id="s-M"'
    """
    found = set(_shape_references(markup))
    for id in list(found):
        found.update(_shape_references(SHAPES[id]))  # a coin's gradient
    return f"<defs>{''.join(shape for id, shape in SHAPES.items() if id in found)}</defs>"


def _shape_references(markup: str) -> list[str]:
    return [id for id in re.findall(r'(?:href="|url\()#([\w-]+)', markup) if id in SHAPES]
