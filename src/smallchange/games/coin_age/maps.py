"""Maps: drawn with letters on a hex grid, read into spaces, and checked.

A letter is a space and names its region; a dot or a blank is none. Neighbours in a row are two
characters apart, and each row is shifted by one against the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

FEWEST, MOST_SPACES = 4, 16
MOST_CHARACTERS = 400  # more than 16 spaces need, however they lie

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
 u u t t
"""
VOLCANO = """
   f
  f f
 g v h
g g h h
"""
DRAWN = {"forest": FOREST, "frozen": FROZEN, "lagoon": LAGOON, "volcano": VOLCANO}
NAMES = (*DRAWN, "random")


class Space(NamedTuple):
    """A space of a drawing; lines, characters and rows count from 1, places in a row from 0."""

    line: int  # of the text, from the top
    character: int  # in its line
    region: str
    row: int  # from the bottom of the map
    place: int  # in its row

    @property
    def name(self) -> str:
        """
        >>> Space(1, 3, "m", row=2, place=1).name
        'b2'
        """
        return f"{chr(ord('a') + self.place)}{self.row}"

    def touches(self, other: Space) -> bool:
        """Do the two lie side by side?"""
        apart = abs(self.line - other.line), abs(self.character - other.character)
        return apart in ((0, 2), (1, 1))

    def __str__(self) -> str:
        return f"{self.name} (line {self.line}, character {self.character})"


def read(text: str) -> list[Space]:
    """The spaces of a map, by its name or its drawing, in reading order.

    Raises ValueError, which says the rule that the drawing breaks first, and where.

    >>> [space.name for space in read("a b\\n c d")]
    ['a2', 'b2', 'a1', 'b1']
    """
    text = DRAWN.get(text, text).replace("\r\n", "\n")
    if len(text) > MOST_CHARACTERS:
        raise ValueError(
            f"a drawing has at most {MOST_CHARACTERS} characters, line ends included, not {len(text)}"
        )
    lines = text.split("\n")
    spaces = list(drawn(lines))
    for fault in faults(lines, spaces):
        raise ValueError(f"{fault}. A map is one of {', '.join(NAMES)}, or a drawing")
    return spaces


def drawn(lines: Sequence[str]) -> Iterator[Space]:
    """Every letter as a space; blank lines after the last row do not count as rows."""
    rows = len(lines)
    while rows and not lines[rows - 1].strip(" "):
        rows -= 1
    for i, line in enumerate(lines):
        letters = [(j, letter) for j, letter in enumerate(line, 1) if letter not in ". "]
        for place, (j, letter) in enumerate(letters):
            yield Space(i + 1, j, letter, rows - i, place)


def faults(lines: Sequence[str], spaces: Sequence[Space]) -> Iterator[str]:
    """What is wrong with a drawing; each check relies on the ones before it."""
    for space in spaces:
        if not (space.region.isascii() and space.region.isalpha()):
            found = f"{space.region!r} at line {space.line}, character {space.character}"
            yield f"only ASCII letters, dots and blanks are drawn, not {found}"
    if not FEWEST <= len(spaces) <= MOST_SPACES:
        yield f"a map has {FEWEST} to {MOST_SPACES} spaces, not {many(spaces)}"
    yield from askew(spaces)
    for cut_off in unreached(spaces):
        yield f"all spaces must be connected; {cut_off} is cut off from {spaces[0]}"
    for region in dict.fromkeys(space.region for space in spaces):
        own = [space for space in spaces if space.region == region]
        for cut_off in unreached(own):
            yield f"every region must be connected; in region {region}, {cut_off} is cut off from {own[0]}"


def many(spaces: Sequence[Space]) -> str:
    """How many spaces, and where there began to be too many."""
    if len(spaces) <= MOST_SPACES:
        return str(len(spaces))
    first = spaces[MOST_SPACES]
    return f"{len(spaces)}; number {MOST_SPACES + 1} is at line {first.line}, character {first.character}"


def askew(spaces: Sequence[Space]) -> Iterator[str]:
    """Letters that stand on the wrong columns: one row on even ones, the next on odd ones."""
    for one, other in pairwise(spaces):
        odd = (one.character + other.character) % 2
        where = f"line {one.line} has one at character {one.character}"
        if other.line == one.line and odd:
            yield f"letters of one row stand an even number apart; {where} and one at {other.character}"
        if other.line == one.line + 1 and not odd:
            where += f", line {other.line} at {other.character}"
            yield f"letters of neighbouring rows stand an odd number apart; {where}"


def unreached(spaces: Sequence[Space]) -> list[Space]:
    """The spaces that are not connected with the first one through the others."""
    rest, edge = list(spaces[1:]), list(spaces[:1])
    while edge:
        here = edge.pop()
        edge += [space for space in rest if space.touches(here)]
        rest = [space for space in rest if not space.touches(here)]
    return rest
