"""The table as plain text, for a terminal, a pipe or a screen reader.

The short forms, the top piece last:

| form | means | used up |
| --- | --- | --- |
| `S4` | tile, suns 4 | `.S4.`, on the board `..` |
| `##` | a tile face down | |
| `(3)` `(S)` | coin showing a number, a suit | `.3.` |
| `H2` `T2` | change of rank 2, heads or tails; `H2*` matches the toss | |
| `[S4]` | die of suns showing 4 | `.S4.` |
| `S!` `SM!` | a pawn, two pawns | `S-` retired |
| `x3` | three alike on top of one another | |
| `.` `*` `@` `_` | an empty cell, a marked one, a hole, an empty slot | |
| `<` `>` `^` `v` | where that heading leaves the board | |
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby, pairwise
from unicodedata import east_asian_width

from smallchange.i18n.text import Text

from .scene import LAYERS, SQUARE, Area, Piece, Scene, Spot

__all__ = [
    "LEGEND", "WIDTH", "Word", "cell_words", "column_pitch", "is_gridded", "pieces_by_spot", "screen",
    "shared_name", "wide", "words_width",
]  # fmt: skip

WIDTH = 80
EMPTY = {"cell": ".", "hex": ".", "hole": "@", "black-hole": "@", "slot": "_", "felt": " "}
HEADINGS = {"left": "<", "right": ">", "up": "^", "down": "v"}
INKS = {"S": "31", "M": "1", "C": "32", "A": "34", "heads": "33", "tails": "36"}  # ANSI colours

LEGEND = Text(
    "S M C A are suns, moons, crowns, arms. S4 tile, .. emptied, ## face down, (3) (S) coin, "
    "[S4] die, S! pawn, S- retired pawn, H2 T2 heads or tails, H2* a matching coin, "
    "x3 three alike, * marked square, @ hole, _ empty place."
)

Word = tuple[str, str]  # what is written, and its ink ("" for none)


def screen(scene: Scene, lang: str, colour: bool = False, width: int = WIDTH) -> str:
    """Write the whole scene: the board as a grid, a line for each tray, a line of tallies.

    `lang` is one of text.LANGUAGES. `colour` adds ANSI colours; letters alone say everything. Trays and tallies
    take at most `width` columns.
    """
    on = pieces_by_spot(scene.pieces)
    board, *trays = scene.areas
    lines = _grid(board, on, colour) if is_gridded(board) else _rows(board, on, colour)
    lines += [""] if lines[-1:] != [""] else []
    named = [f"{board.by_id[b.spot].region}: {b.text[lang]}" for b in scene.badges if not b.marks]
    lines += _wrap_words("", [(name, "") for name in named], False, "   ", width) if named else []
    for tray in trays:
        lines += _tray(tray, on, lang, colour, width)
    if scene.tallies:
        counts = [f"{t.text[lang]}: {(t.sum + t.figures).replace(' ', '')}" for t in scene.tallies]
        lines += _wrap_words("", [(count, "") for count in counts], False, "   ", width)
    return "\n".join(line.rstrip() for line in lines)


def word(piece: Piece) -> str:
    """One piece in its short form.

    >>> from smallchange.i18n.text import plain
    >>> word(Piece("d", "e", "die", plain("die"), suit="S", value="4"))
    '[S4]'
    """
    value, suit = piece.value, piece.suit
    if piece.kind == "tile":
        return f".{suit}{value}." if piece.state == "spent" else suit + value
    if piece.kind == "back":
        return "##"
    if piece.kind == "change":
        return piece.side[0].upper() + value + ("*" if piece.state == "match" else "")
    if piece.kind == "pawn":
        return suit + ("!" if piece.state == "" else "-")
    left, right = "[]" if piece.kind == "die" else "()"
    shown = suit + value if piece.kind == "die" else value or suit or " "
    return f".{shown}." if piece.state == "spent" else f"{left}{shown}{right}"


def wide(line: str) -> int:
    """Return the number of columns that the line takes in a terminal.

    >>> wide("a盤")
    3
    """
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in line)


def pieces_by_spot(pieces: Iterable[Piece]) -> dict[str, list[Piece]]:
    """Return the pieces on each spot, from the bottom up."""
    on: dict[str, list[Piece]] = {}
    for piece in sorted(pieces, key=lambda p: (LAYERS[p.kind], p.level, p.id)):
        on.setdefault(piece.spot, []).append(piece)
    return on


def _words(pieces: list[Piece]) -> list[Word]:
    """Return the pieces of one spot as words: pawns share a mark, pieces alike share a count."""
    words: list[Word] = []
    for (kind, form), same in groupby(pieces, lambda p: (p.kind, word(p))):
        group = list(same)
        ink = INKS.get(group[0].side) or INKS.get(group[0].suit, "") if group[0].state != "spent" else ""
        if kind == "pawn":
            if words and words[-1][0].endswith("!") and form.endswith("!"):
                words[-1] = (words[-1][0][:-1], words[-1][1])  # the mark stands after the last pawn
            words += [(form, ink)] * len(group)
        else:
            words.append((form + (f"x{len(group)}" if len(group) > 1 else ""), ink))
    return words


def cell_words(spot: Spot, on: dict[str, list[Piece]]) -> list[Word]:
    """Return the text at the place of a spot: its pieces, or the sign of an empty one."""
    pieces = on.get(spot.id, [])
    if spot.look == "exit":
        empty = HEADINGS.get(spot.heading, ".")
    else:
        empty = EMPTY.get(spot.look, ".")
    if spot.ornament and spot.look == "cell":
        empty = "*"
    words = _words(pieces)
    if spot.look == "cell" and pieces and pieces[0].kind == "tile" and pieces[0].state == "spent":
        words[0] = ("..", "")
    under = [("@", "")] if spot.look in ("hole", "black-hole") else []
    return under + words if pieces else [(empty, "")]


def is_gridded(area: Area) -> bool:
    """Return whether most spots have the names of squares, so that their places show which are neighbours."""
    return 2 * sum(SQUARE.match(spot.id) is not None for spot in area.spots) > len(area.spots)


def _grid(area: Area, on: dict[str, list[Piece]], colour: bool) -> list[str]:
    """Rows of small cells. A square's name is told by the margins; a hex says its own."""
    hexes = any(spot.look == "hex" for spot in area.spots)
    cells = {spot.id: cell_words(spot, on) for spot in area.spots}
    names = {spot.id: [(f"{spot.id} {spot.region}".strip(), "")] for spot in area.spots if hexes}
    sizes = [words_width(row) for row in [*cells.values(), *names.values()]]
    size = max(5 if hexes else 3, *sizes) + (3 if hexes else 1)
    pitch = column_pitch({spot.x for spot in area.spots})
    left = min(spot.x for spot in area.spots)
    margin = 0 if hexes else 4
    columns = {spot.id: margin + round((spot.x - left) / pitch * size) for spot in area.spots}

    lines = []
    for y in sorted({spot.y for spot in area.spots}):
        row = sorted((spot for spot in area.spots if spot.y == y), key=lambda spot: spot.x)
        number = "" if hexes else shared_name(SQUARE.fullmatch(spot.id) for spot in row)[1]
        for content in [names, cells, {}] if hexes else [cells]:
            places = [(columns[spot.id], content[spot.id]) for spot in row if content]
            lines.append(_line(number.rjust(2) if number else "", places, colour))
    if not hexes:
        letters = []
        for x in sorted({spot.x for spot in area.spots}):
            column = [spot for spot in area.spots if spot.x == x]
            letter = shared_name(SQUARE.fullmatch(spot.id) for spot in column)[0]
            letters.append((columns[column[0].id], [(letter, "")]))
        lines.append(_line("", letters, colour))
    return lines


def column_pitch(xs: set[int]) -> float:
    """Return the units from one column to the next: 100, or the gap between the hexes of one row."""
    row = sorted(xs)
    steps = [b - a for a, b in pairwise(row)]
    least = min(steps, default=100)
    return 2 * least if least < 60 else least


def shared_name(squares: Iterable[re.Match[str] | None]) -> tuple[str, str]:
    """Return the letter and the number of the first real square of a column or row."""
    found = next((square for square in squares if square), None)
    return (found[1], found[2]) if found else ("", "")


def words_width(words: list[Word]) -> int:
    """Return the number of columns that words take."""
    return sum(wide(text) for text, _ in words)


def _line(start: str, places: list[tuple[int, list[Word]]], colour: bool) -> str:
    line, at = start, wide(start)
    for column, words in places:
        gap = max(column - at, 1 if at else 0)
        line += " " * gap + "".join(_colour_text(text, ink if colour else "") for text, ink in words)
        at += gap + words_width(words)
    return line


def _colour_text(text: str, ink: str) -> str:
    return f"\x1b[{ink}m{text}\x1b[0m" if ink else text


def _rows(area: Area, on: dict[str, list[Piece]], colour: bool) -> list[str]:
    """Write a board or tray without names at its margins; rows where nothing lies are left out."""
    cells = {spot.id: cell_words(spot, on) for spot in area.spots}
    size = max(words_width(row) for row in cells.values()) + 2
    left = min(spot.x for spot in area.spots)
    lines = []
    for y in sorted({spot.y for spot in area.spots if spot.id in on}):
        row = sorted((spot for spot in area.spots if spot.y == y), key=lambda spot: spot.x)
        lines.append(_line("", [(2 + (spot.x - left) * size // 100, cells[spot.id]) for spot in row], colour))
    return lines


def _tray(area: Area, on: dict[str, list[Piece]], lang: str, colour: bool, width: int) -> list[str]:
    occupied = [spot for spot in area.spots if spot.id in on]
    if len({spot.y for spot in occupied}) > 1:
        return [f"{area.text[lang]}:", *_rows(area, on, colour)]
    words = [w for spot in occupied for w in _words(on[spot.id])]
    return _wrap_words(f"{area.text[lang]}: ", words or [("-", "")], colour, " ", width)


def _wrap_words(label: str, words: list[Word], colour: bool, gap: str, width: int) -> list[str]:
    """Write the words after the label, on as many lines as they need."""
    lines, at = [label], wide(label)
    for i, (text, ink) in enumerate(words):
        space = gap if i else ""
        if at + wide(space + text) > width and i:
            lines.append("  ")
            space, at = "", 2
        lines[-1] += space + _colour_text(text, ink if colour else "")
        at += wide(space + text)
    return lines
