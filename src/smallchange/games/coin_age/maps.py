"""Maps: drawn with letters on a hex grid, read into spaces, and checked.

A letter is a space and names its region; a dot or a blank is none. Neighbours in a row are two
characters apart, and each row is shifted by one against the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from smallchange.core.errors import BadDrawing
from smallchange.i18n.text import Text

FEWEST, MOST_SPACES = 4, 16
MOST_CHARACTERS = 1000  # more than 16 spaces need, however they lie and with a wide margin

FOREST = """
 m m m
m f f p
 f t p
"""
FROZEN = """
i i i p p
 s s p g g
"""
LAGOON = """
 r r s s
r . . . t
 r u u t
"""
VOLCANO = """
   f
  f f
 g v h
g g h h
"""
DRAWN = {"forest": FOREST, "frozen": FROZEN, "lagoon": LAGOON, "volcano": VOLCANO}
NAMES = (*DRAWN, "random")

# On forest the names of the published card; on the others, which are layouts of ours, names of ours.
REGIONS = {
    "forest": {
        "m": Text("Copper Peaks"),
        "f": Text("Forests of Coindor"),
        "p": Text("Plains of Kashe"),
        "t": Text("Silver City"),
    },
    "frozen": {
        "i": Text("Icicle Ridge"),
        "p": Text("Polar Plateau"),
        "s": Text("Snow Fields"),
        "g": Text("Glacier Gate"),
    },
    "lagoon": {
        "r": Text("Ring Reef"),
        "s": Text("Shell Beach"),
        "t": Text("Tidal Pools"),
        "u": Text("Urchin Bank"),
    },
    "volcano": {
        "f": Text("Fire Crest"),
        "g": Text("Glass Slopes"),
        "v": Text("The Vent"),
        "h": Text("Hot Springs"),
    },
}

# The regions of drawings, by the letters that the editor offers.
DRAWN_REGIONS = {
    "a": Text("Amber Hills"),
    "b": Text("Birch Wood"),
    "c": Text("Cloud Lake"),
    "d": Text("Dune Coast"),
    "e": Text("Elder Moor"),
    "f": Text("Flint Valley"),
}

REGION = Text("region {letter}")
WHERE = Text("line {line}, character {character}")
SPACE = Text("{name} ({where})")
TOO_LONG = Text(
    "a drawing has at most {most} characters, line ends included and blank ends left out, not {n}"
)
STRANGE = Text("only ASCII letters, dots and blanks are drawn, not {sign} at {where}")
TOO_FEW = Text("a map has {fewest} to {most} spaces, not {n}")
TOO_MANY = Text("a map has {fewest} to {most} spaces, not {n}; number {next} is at {where}")
ODD_IN_ROW = Text(
    "letters of one row stand an even number apart; line {line} has one at character {one} and one at {other}"
)
EVEN_BETWEEN = Text(
    "letters of neighbouring rows stand an odd number apart; "
    "line {line} has one at character {one}, line {next} at {other}"
)
CUT_OFF = Text("all spaces must be connected; {space} is cut off from {first}")
CUT_UP = Text("every region must be connected; in region {region}, {space} is cut off from {first}")


class Space(NamedTuple):
    """A space of a drawing; lines, characters and rows count from 1, places in a row from 0."""

    line: int  # of the text, from the top
    character: int  # in its line
    region: str
    row: int  # from the bottom of the map
    place: int  # in its row

    @property
    def name(self) -> str:
        """The name of the space.

        >>> Space(1, 3, "m", row=2, place=1).name
        'b2'
        """
        return f"{chr(ord('a') + self.place)}{self.row}"

    def touches(self, other: Space) -> bool:
        """Return whether the two lie side by side."""
        apart = abs(self.line - other.line), abs(self.character - other.character)
        return apart in ((0, 2), (1, 1))

    @property
    def where(self) -> Text:
        return WHERE.fill(line=self.line, character=self.character)

    @property
    def name_and_place(self) -> Text:
        return SPACE.fill(name=self.name, where=self.where)


def read(text: str) -> list[Space]:
    r"""Return the spaces of a map, given by its name or its drawing, in reading order.

    Raises BadDrawing with the rule that the drawing breaks first, and where.

    >>> [space.name for space in read("a b\n c d")]
    ['a2', 'b2', 'a1', 'b1']
    """
    text = DRAWN.get(text, text).replace("\r\n", "\n")
    lines = text.split("\n")
    length = len("\n".join(line.rstrip(" ") for line in lines).strip("\n"))
    if length > MOST_CHARACTERS:
        raise BadDrawing(TOO_LONG.fill(most=MOST_CHARACTERS, n=length))
    spaces = list(draw_spaces(lines))
    for fault in faults(spaces):
        raise BadDrawing(fault)
    return spaces


def draw_spaces(lines: Sequence[str]) -> Iterator[Space]:
    """Every letter as a space; blank lines after the last row do not count as rows."""
    rows = len(lines)
    while rows and not lines[rows - 1].strip(" "):
        rows -= 1
    for i, line in enumerate(lines):
        letters = [(j, letter) for j, letter in enumerate(line, 1) if letter not in ". "]
        for place, (j, letter) in enumerate(letters):
            yield Space(i + 1, j, letter, rows - i, place)


def faults(spaces: Sequence[Space]) -> Iterator[Text]:
    """Describe each fault of a drawing; each check relies on the ones before it."""
    for space in spaces:
        if not (space.region.isascii() and space.region.isalpha()):
            yield STRANGE.fill(sign=repr(space.region), where=space.where)
    details: dict[str, int] = {"fewest": FEWEST, "most": MOST_SPACES, "n": len(spaces)}
    if len(spaces) < FEWEST:
        yield TOO_FEW.fill(**details)
    if len(spaces) > MOST_SPACES:
        yield TOO_MANY.fill(**details, next=MOST_SPACES + 1, where=spaces[MOST_SPACES].where)
    yield from askew(spaces)
    for cut_off in unreachable_spaces(spaces):
        yield CUT_OFF.fill(space=cut_off.name_and_place, first=spaces[0].name_and_place)
    for region in dict.fromkeys(space.region for space in spaces):
        own = [space for space in spaces if space.region == region]
        for cut_off in unreachable_spaces(own):
            yield CUT_UP.fill(region=region, space=cut_off.name_and_place, first=own[0].name_and_place)


def askew(spaces: Sequence[Space]) -> Iterator[Text]:
    """Letters that stand on the wrong columns: one row on even ones, the next on odd ones."""
    for one, other in pairwise(spaces):
        odd = (one.character + other.character) % 2
        details = {"line": one.line, "one": one.character, "other": other.character}
        if other.line == one.line and odd:
            yield ODD_IN_ROW.fill(**details)
        if other.line == one.line + 1 and not odd:
            yield EVEN_BETWEEN.fill(**details, next=other.line)


def unreachable_spaces(spaces: Sequence[Space]) -> list[Space]:
    """Return the spaces that are not connected with the first one through the others."""
    rest, edge = list(spaces[1:]), list(spaces[:1])
    while edge:
        here = edge.pop()
        edge += [space for space in rest if space.touches(here)]
        rest = [space for space in rest if not space.touches(here)]
    return rest
