"""The table as cells of text at places, for a terminal where spots are pointed at.

The words are those of `text_screen`. Here every spot has a cell, so that an empty one can be chosen too.
"""

from __future__ import annotations

from typing import NamedTuple

from .scene import SQUARE, Area, Piece, Scene
from .text_screen import (
    Word,
    cell_words,
    column_pitch,
    is_gridded,
    pieces_by_spot,
    shared_name,
    wide,
    words_width,
)

MARGIN = 3  # columns before a board with numbered rows, and before a tray


class Cell(NamedTuple):
    """A spot on the screen: its first line and column, the columns it takes, and its text."""

    spot: str
    line: int
    column: int
    width: int
    lines: int
    words: list[Word]


class Label(NamedTuple):
    """Words that belong to no spot."""

    line: int
    column: int
    text: str


class TextTable(NamedTuple):
    """A whole scene as text: cells, labels, and the size of the screen that they take."""

    cells: list[Cell]
    labels: list[Label]
    width: int
    height: int

    def spot_at(self, column: int, line: int) -> str:
        """Return the spot at a place of the screen; "" where there is none."""
        for cell in self.cells:
            if (
                cell.line <= line < cell.line + cell.lines
                and cell.column <= column < cell.column + cell.width
            ):
                return cell.spot
        return ""

    def neighbour(self, spot: str, across: int, down: int) -> str:
        """Return the nearest spot in a direction, or the same where there is none further on."""
        here = next(cell for cell in self.cells if cell.spot == spot)

        def distance(cell: Cell) -> tuple[bool, int]:
            dx, dy = cell.column - here.column, 2 * (cell.line - here.line)
            ahead, aside = (dx * across, abs(dy)) if across else (dy * down, abs(dx))
            return ahead <= 0, ahead + 3 * aside

        nearest = min(self.cells, key=distance)
        return nearest.spot if not distance(nearest)[0] else spot


def text_table(scene: Scene, lang: str) -> TextTable:
    """Lay the areas of a scene below one another. `lang` is one of text.LANGUAGES."""
    on, cells, labels, line = pieces_by_spot(scene.pieces), list[Cell](), list[Label](), 0
    for i, area in enumerate(scene.areas):
        if i:
            labels.append(Label(line, 0, f"{area.text[lang]}:"))
            line += 1
        line = _lay_out(area, on, line, cells, labels) + 1
    for tally in scene.tallies:
        labels.append(Label(line, 0, f"{tally.text[lang]}: {(tally.sum + tally.figures).replace(' ', '')}"))
        line += 1
    width = max(
        [cell.column + cell.width for cell in cells] + [one.column + wide(one.text) for one in labels]
    )
    return TextTable(cells, labels, width, line)


def _lay_out(area: Area, on: dict[str, list[Piece]], top: int, cells: list[Cell], labels: list[Label]) -> int:
    """Write the cells of an area from a line on; return the line after it."""
    words = {spot.id: cell_words(spot, on) for spot in area.spots}
    hexes = any(spot.look == "hex" for spot in area.spots)
    lines = 2 if hexes else 1
    size = max(5 if hexes else 2, *map(words_width, words.values())) + (2 if hexes else 1)
    pitch, left = column_pitch({spot.x for spot in area.spots}), min(spot.x for spot in area.spots)
    rows = sorted({spot.y for spot in area.spots})
    for row, y in enumerate(rows):
        in_row = sorted((spot for spot in area.spots if spot.y == y), key=lambda spot: spot.x)
        line = top + lines * row
        for spot in in_row:
            column = MARGIN + round((spot.x - left) / pitch * size)
            if hexes and spot.look == "hex":
                labels.append(Label(line, column, f"{spot.id} {spot.region}".strip()))
            shown = words[spot.id]
            cells.append(Cell(spot.id, line, column, size, lines, shown))
        if is_gridded(area) and not hexes:
            labels.append(
                Label(line, 0, shared_name(SQUARE.fullmatch(spot.id) for spot in in_row)[1].rjust(2))
            )
    end = top + lines * len(rows)
    if not is_gridded(area) or hexes:
        return end
    for x in sorted({spot.x for spot in area.spots}):
        letter = shared_name(SQUARE.fullmatch(spot.id) for spot in area.spots if spot.x == x)[0]
        labels.append(Label(end, MARGIN + round((x - left) / pitch * size), letter))
    return end + 1
