"""Maps: drawn with letters on a hex grid, read into spaces, and checked.

A letter is a space and names its region; a dot or a blank is none. Neighbours in a row are two
characters apart, and each row is shifted by one against the next. Lines below the map may give its
regions names of their own, such as `a = Old Port`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from smallchange.core.canvas import named_sign
from smallchange.core.errors import BadDrawing
from smallchange.i18n.text import LANGUAGES, Text

FEWEST, MOST_SPACES = 4, 16
LONGEST_NAME = 20  # characters of a region's own name, wide ones counted twice
MOST_MARKS = 2  # one after the other, such as the tone of a letter that has an accent
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
LATE_ROW = Text("names of regions stand below the map; line {line} is a row of it")
NAMED_TWICE = Text("region {region} is named twice")
NAMED_NOTHING = Text("there is no region {region} to be named")
NAME_LENGTH = Text("the name of a region has 1 to {most} characters, wide ones counted twice, not {n}")
NAME_SIGN = Text("the name of region {region} has letters, digits, blanks and - ' . alone, not {sign}")
SAME_NAMES = Text("the regions {one} and {other} have the same name")
UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # letters and marks that show nothing


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
    lines = DRAWN.get(text, text).replace("\r\n", "\n").split("\n")
    length = len("\n".join(line.rstrip(" ") for line in lines).strip("\n"))
    if length > MOST_CHARACTERS:
        raise BadDrawing(TOO_LONG.fill(most=MOST_CHARACTERS, n=length))
    below = next((i for i, line in enumerate(lines) if named_sign(line)), len(lines))
    for i, line in enumerate(lines):
        if i > below and line.strip(" ") and not named_sign(line):
            raise BadDrawing(LATE_ROW.fill(line=i + 1))
    spaces = list(draw_spaces(lines[:below]))
    found = [] if text in DRAWN else faults_of_names(lines[below:], {space.region for space in spaces})
    for fault in (*faults(spaces), *found):  # the maps of the game have their names in the catalogues
        raise BadDrawing(fault)
    return spaces


def own_names(text: str) -> dict[str, str]:
    r"""Return the names that a drawing gives its regions, by their letters.

    >>> own_names("a b\n c d\na = Old Port")
    {'a': 'Old Port'}
    """
    lines = text.replace("\r\n", "\n").split("\n")
    return {sign: unicodedata.normalize("NFC", name) for sign, name in filter(None, map(named_sign, lines))}


def faults_of_names(lines: Sequence[str], regions: set[str]) -> Iterator[Text]:
    """Describe each fault of the names below a map with these regions."""
    names: dict[str, str] = {}
    for letter, typed in filter(None, map(named_sign, lines)):
        name = unicodedata.normalize("NFC", typed)
        if letter in names:
            yield NAMED_TWICE.fill(region=letter)
        if letter not in regions:
            yield NAMED_NOTHING.fill(region=letter)
        wide = sum(2 if unicodedata.east_asian_width(c) in "WF" or c in "MWmw" else 1 for c in name)
        if not 1 <= wide <= LONGEST_NAME:
            yield NAME_LENGTH.fill(most=LONGEST_NAME, n=wide)
        if (sign := strange_sign(name)) is not None:
            yield NAME_SIGN.fill(region=letter, sign=ascii(sign))
        names[letter] = name
    yield from same_names(names, regions)


def strange_sign(name: str) -> str | None:
    """Return the first character that a name of a region may not have, or None.

    A name begins with a letter or a digit. Nothing in it is unseen, turns the direction of a line or grows above it.

    >>> strange_sign("St. Ann's 2nd-best"), strange_sign("a\u202eb"), strange_sign("-a")
    (None, '\\u202e', '-')
    """
    marks = MOST_MARKS  # so that a name does not begin with one
    for i, sign in enumerate(name):
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind[0] == "M" else 0
        plain_sign = i > 0 and sign in " -'.\N{RIGHT SINGLE QUOTATION MARK}\N{KATAKANA MIDDLE DOT}"
        if sign in UNSEEN or marks > MOST_MARKS or not (kind[0] in "LM" or kind == "Nd" or plain_sign):
            return sign
    return None


def same_names(names: Mapping[str, str], regions: set[str]) -> Iterator[Text]:
    """Describe regions that look the same by their names, in any language."""
    known: dict[str, str] = {}
    for letter in sorted(regions, key=lambda letter: (letter not in names, letter)):
        common = DRAWN_REGIONS.get(letter, REGION.fill(letter=letter))
        called = {names[letter]} if letter in names else {common[lang] for lang in LANGUAGES}
        for folded in {unicodedata.normalize("NFKC", one).casefold() for one in called}:
            if known.setdefault(folded, letter) != letter:
                yield SAME_NAMES.fill(one=known[folded], other=letter)


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
