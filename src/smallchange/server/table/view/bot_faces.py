"""The five levels of bots as faces, each with a name and a line."""

from __future__ import annotations

from typing import NamedTuple

from smallchange.i18n.text import Text


class Face(NamedTuple):
    """The face of a level: a name, a line, and the strokes of its eyes and mouth in a box of 40 by 40."""

    level: str
    name: Text
    line: Text
    strokes: str


FACES = (
    Face(
        "level1",
        Text("Pip", "the name of a bot"),
        Text("New at the table, and glad to be here."),
        "M13 15v3M27 15v3M12 24q8 8 16 0",
    ),
    Face(
        "level2",
        Text("Nell", "the name of a bot"),
        Text("Knows the rules, and misses the odd trick."),
        "M11 17q2-3 4 0M25 17q2-3 4 0M14 25q6 4 12 0",
    ),
    Face(
        "level3",
        Text("Otto", "the name of a bot"),
        Text("Counts along, and never hurries."),
        "M10 13h6M24 13h6M13 17v2M27 17v2M14 26h12",
    ),
    Face(
        "level4",
        Text("Vera", "the name of a bot"),
        Text("Forgives no mistake."),
        "M10 14l6 2M30 14l-6 2M13 18v2M27 18v2M14 27q6-4 12-1",
    ),
    Face(
        "level5",
        Text("Magnus", "the name of a bot"),
        Text("The best there is here."),
        "M8 17a5 5 0 0 0 10 0zM22 17a5 5 0 0 0 10 0zM18 17h4M15 27q6 2 11-2",
    ),
)
NAMES = {face.level: face.name for face in FACES}
