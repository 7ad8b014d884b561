"""The table as a widget: cells that are pointed at with the mouse, or with the arrow keys and Enter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.style import Style
from rich.text import Text as RichText
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from smallchange.render.scene import Scene
from smallchange.render.text_cells import Cell, TextTable, text_table

INKS = {"31": "red", "1": "bold", "32": "green", "34": "blue", "33": "yellow", "36": "cyan"}  # by ANSI code
TARGET = Style(underline=True, bold=True)
CHOSEN = Style(reverse=True)
CURSOR = Style(bgcolor="grey37")
ARROWS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class Board(Widget, can_focus=True):
    """The cells of a scene. A cell that is touched posts `Touched`."""

    DEFAULT_CSS = "Board { width: auto; height: auto; padding: 0 1; } Board:focus { background: $surface; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(arrow, f"point({x}, {y})", show=False) for arrow, (x, y) in ARROWS.items()),
        Binding("enter,space", "touch", show=False),
    ]

    class Touched(Message):
        """A spot was touched."""

        def __init__(self, spot: str) -> None:
            super().__init__()
            self.spot = spot

    def __init__(self, scene: Scene, lang: str) -> None:
        super().__init__()
        self._lang = lang
        self._targets: frozenset[str] = frozenset()
        self._chosen: frozenset[str] = frozenset()
        self._table: TextTable = text_table(scene, lang)
        self.cursor = self._table.cells[0].spot

    def show(self, scene: Scene, targets: Iterable[str] = (), chosen: Iterable[str] = ()) -> None:
        """Show a scene: `targets` are the spots that can be touched now, `chosen` those that were."""
        self._table = text_table(scene, self._lang)
        self._targets, self._chosen = frozenset(targets), frozenset(chosen)
        if all(cell.spot != self.cursor for cell in self._table.cells):
            self.cursor = self._table.cells[0].spot
        self.refresh(layout=True)

    def render(self) -> RichText:
        lines = [RichText() for _ in range(self._table.height)]
        placed = [(one.line, one.column, RichText(one.text, style="dim")) for one in self._table.labels]
        placed += [(cell.line + cell.lines - 1, cell.column, self._words(cell)) for cell in self._table.cells]
        for line, column, text in sorted(placed, key=lambda one: one[:2]):
            lines[line].pad_right(max(0, column - lines[line].cell_len))
            lines[line].append_text(text)
        return RichText("\n").join(lines)

    def _words(self, cell: Cell) -> RichText:
        written = RichText()
        for word, ink in cell.words:
            written.append(word, style=INKS.get(ink, ""))
        if cell.spot in self._targets:
            written.stylize(TARGET)
        if cell.spot in self._chosen:
            written.stylize(CHOSEN)
        if cell.spot == self.cursor and self.has_focus:
            written.stylize(CURSOR)
        return written

    def get_content_width(self, *_: object) -> int:
        return self._table.width + 1

    def get_content_height(self, *_: object) -> int:
        return self._table.height

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        spot = self._table.spot_at(at.x, at.y) if at else ""
        if spot:
            self.cursor = spot
            self.refresh()
            self.post_message(self.Touched(spot))

    def action_point(self, across: int, down: int) -> None:
        """Move the cursor to the next spot in a direction."""
        self.cursor = self._table.neighbour(self.cursor, across, down)
        self.refresh()

    def action_touch(self) -> None:
        """Touch the spot under the cursor."""
        self.post_message(self.Touched(self.cursor))
