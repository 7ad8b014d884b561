"""Maps: drawn with letters on a hex grid, read into spaces, and checked.

A letter is a space and names its region; a dot or a blank is none. Neighbours in a row are two
characters apart, and each row is shifted by one against the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from smallchange.errors import BadDrawing
from smallchange.text import Text

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

WHERE = Text("line {line}, character {character}", "{line}行目の{character}文字目")
SPACE = Text("{name} ({where})", "{name}({where})")
TOO_LONG = Text(
    "a drawing has at most {most} characters, line ends included and blank ends left out, not {n}",
    "図は、前後の空行と行末の空白を除き、改行も含めて{most}文字までです(今は{n}文字)",
)
STRANGE = Text(
    "only ASCII letters, dots and blanks are drawn, not {sign} at {where}",
    "使えるのはASCIIの英字と点と空白だけです。{where}は{sign}です",
)
TOO_FEW = Text(
    "a map has {fewest} to {most} spaces, not {n}", "地図は{fewest}〜{most}スペースです(今は{n}スペース)"
)
TOO_MANY = Text(
    "a map has {fewest} to {most} spaces, not {n}; number {next} is at {where}",
    "地図は{fewest}〜{most}スペースです(今は{n}スペース)。{next}番目は{where}にあります",
)
ODD_IN_ROW = Text(
    "letters of one row stand an even number apart; "
    "line {line} has one at character {one} and one at {other}",
    "同じ行の文字は偶数文字ぶん離して置きます。{line}行目では{one}文字目と{other}文字目にあります",
)
EVEN_BETWEEN = Text(
    "letters of neighbouring rows stand an odd number apart; "
    "line {line} has one at character {one}, line {next} at {other}",
    "隣り合う行の文字は奇数文字ぶんずらして置きます。{line}行目では{one}文字目、{next}行目では{other}文字目にあります",
)
CUT_OFF = Text(
    "all spaces must be connected; {space} is cut off from {first}",
    "スペースはすべてつながっている必要があります。{space}が{first}から離れています",
)
CUT_UP = Text(
    "every region must be connected; in region {region}, {space} is cut off from {first}",
    "どの地域もつながっている必要があります。地域{region}では{space}が{first}から離れています",
)


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

    @property
    def where(self) -> Text:
        return WHERE.fill(line=self.line, character=self.character)

    @property
    def said(self) -> Text:
        return SPACE.fill(name=self.name, where=self.where)


def read(text: str) -> list[Space]:
    """The spaces of a map, by its name or its drawing, in reading order.

    Raises BadDrawing, which says the rule that the drawing breaks first, and where.

    >>> [space.name for space in read("a b\\n c d")]
    ['a2', 'b2', 'a1', 'b1']
    """
    text = DRAWN.get(text, text).replace("\r\n", "\n")
    lines = text.split("\n")
    length = len("\n".join(line.rstrip(" ") for line in lines).strip("\n"))
    if length > MOST_CHARACTERS:
        raise BadDrawing(TOO_LONG.fill(most=MOST_CHARACTERS, n=length))
    spaces = list(drawn(lines))
    for fault in faults(spaces):
        raise BadDrawing(fault)
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


def faults(spaces: Sequence[Space]) -> Iterator[Text]:
    """What is wrong with a drawing; each check relies on the ones before it."""
    for space in spaces:
        if not (space.region.isascii() and space.region.isalpha()):
            yield STRANGE.fill(sign=repr(space.region), where=space.where)
    said: dict[str, int] = {"fewest": FEWEST, "most": MOST_SPACES, "n": len(spaces)}
    if len(spaces) < FEWEST:
        yield TOO_FEW.fill(**said)
    if len(spaces) > MOST_SPACES:
        yield TOO_MANY.fill(**said, next=MOST_SPACES + 1, where=spaces[MOST_SPACES].where)
    yield from askew(spaces)
    for cut_off in unreached(spaces):
        yield CUT_OFF.fill(space=cut_off.said, first=spaces[0].said)
    for region in dict.fromkeys(space.region for space in spaces):
        own = [space for space in spaces if space.region == region]
        for cut_off in unreached(own):
            yield CUT_UP.fill(region=region, space=cut_off.said, first=own[0].said)


def askew(spaces: Sequence[Space]) -> Iterator[Text]:
    """Letters that stand on the wrong columns: one row on even ones, the next on odd ones."""
    for one, other in pairwise(spaces):
        odd = (one.character + other.character) % 2
        said = {"line": one.line, "one": one.character, "other": other.character}
        if other.line == one.line and odd:
            yield ODD_IN_ROW.fill(**said)
        if other.line == one.line + 1 and not odd:
            yield EVEN_BETWEEN.fill(**said, next=other.line)


def unreached(spaces: Sequence[Space]) -> list[Space]:
    """The spaces that are not connected with the first one through the others."""
    rest, edge = list(spaces[1:]), list(spaces[:1])
    while edge:
        here = edge.pop()
        edge += [space for space in rest if space.touches(here)]
        rest = [space for space in rest if not space.touches(here)]
    return rest
