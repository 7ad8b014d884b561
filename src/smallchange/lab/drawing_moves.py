"""Drawings of boards changed at random: valid, connected, and symmetric where that is asked for.

>>> from smallchange import Game, games
>>> drawn = next(canvas for id in games() if (canvas := canvas_of(Game(id))))
>>> signs = read_signs(drawn, drawn.drawings[0][1])
>>> read_signs(drawn, write_signs(drawn, signs)) == signs
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from smallchange.core.canvas import Canvas
from smallchange.core.errors import BadDrawing
from smallchange.core.game import Game
from smallchange.core.options import Drawing

Place = tuple[int, int]  # column of characters and row, from the upper left
Signs = dict[Place, str]
SQUARE, HEX = ((1, 0), (0, 1), (-1, 0), (0, -1)), ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
TRIES = 400  # of a change, before the drawing is changed more
SYMMETRIES: dict[str, Callable[[int, int, int, int], Place]] = {
    "none": lambda x, y, width, height: (x, y),
    "mirror": lambda x, y, width, height: (width - 1 - x, y),
    "turn": lambda x, y, width, height: (width - 1 - x, height - 1 - y),
}


def drawing_option(game: Game) -> Drawing | None:
    """Return the option of a game that may be a drawing."""
    return next((option for option in game.offered if isinstance(option, Drawing)), None)


def canvas_of(game: Game) -> Canvas | None:
    """Return the canvas of a game's drawing; None if its board cannot be drawn."""
    option = drawing_option(game)
    return option.canvas if option else None


def read_signs(canvas: Canvas, drawing: str) -> Signs:
    """Return the sign of each place of a drawing, with its leftmost column and its first row at 0.

    On hexes the letters become those that the editor offers, in reading order.
    """
    rows, _ = canvas.split(drawing)
    blanks = (" ", canvas.blank.character)
    lines = enumerate(rows.split("\n"))
    signs = {(x, y): sign for y, line in lines for x, sign in enumerate(line) if sign not in blanks}
    if canvas.other is not None:
        letters = list(dict.fromkeys(signs.values()))
        offered = [sign.character for sign in canvas.signs]
        new = dict(zip(letters, offered, strict=False))
        signs = {place: new.get(sign, sign) for place, sign in signs.items()}
    return _trim(signs)


def write_signs(canvas: Canvas, signs: Signs) -> str:
    """Return the drawing with these signs."""
    signs = _trim(signs)
    width, height = max(x for x, _ in signs) + 1, max(y for _, y in signs) + 1
    blank = " " if canvas.hexes else canvas.blank.character
    lines = ["".join(signs.get((x, y), blank) for x in range(width)) for y in range(height)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _trim(signs: Mapping[Place, str]) -> Signs:
    left, top = min(x for x, _ in signs), min(y for _, y in signs)
    return {(x - left, y - top): sign for (x, y), sign in sorted(signs.items())}


def key(canvas: Canvas, signs: Signs) -> str:
    """Return one text for all drawings that differ by a reflection, a turn, or the order of their letters alone."""
    return min(write_signs(canvas, _in_order(canvas, image)) for image in _images(canvas, signs))


def _in_order(canvas: Canvas, signs: Signs) -> Signs:
    if canvas.other is None:
        return signs
    reading = [signs[place] for place in sorted(signs, key=lambda place: place[::-1])]
    names = {letter: chr(ord("a") + i) for i, letter in enumerate(dict.fromkeys(reading))}
    return {place: names[sign] for place, sign in signs.items()}


def _images(canvas: Canvas, signs: Signs) -> Iterator[Signs]:
    for across in (1, -1):
        for down in (1, -1):
            yield _trim({(across * x, down * y): sign for (x, y), sign in signs.items()})
            if not canvas.hexes:
                yield _trim({(across * y, down * x): sign for (x, y), sign in signs.items()})


class Draughtsman:
    """Changes drawings of a game at random, within a frame of columns and rows."""

    def __init__(self, game: Game, symmetry: str, columns: int, rows: int) -> None:
        option = drawing_option(game)
        assert option is not None
        self.canvas: Canvas = option.canvas
        self._read = option.read
        start = str(game.options[option.name])
        drawing = dict(self.canvas.drawings).get(start, start)
        self._mirrored = SYMMETRIES[symmetry]
        self._columns, self._rows = columns, rows
        self.start: Signs = read_signs(self.canvas, drawing)
        offered = [sign.character for sign in self.canvas.signs]
        self._signs = offered if self.canvas.other else sorted(set(self.start.values()))

    def change(self, signs: Signs, luck: Random, steps: int, known: Callable[[str], bool]) -> Signs:
        """Return a valid drawing that is `steps` changes or more from another, and whose key is not known."""
        here, taken, tries = signs, 0, 0
        while True:
            there = self._change(here, luck)
            tries += 1
            if there is not None and self._is_valid(there):
                here, taken = there, taken + 1
                if taken >= steps and not known(key(self.canvas, here)):
                    return here
            if tries % TRIES == 0:
                here = self.start if tries % (2 * TRIES) == 0 else here

    def _is_valid(self, signs: Signs) -> bool:
        if not self._is_symmetric(signs) or not _is_connected(self.canvas, signs):
            return False
        try:
            self._read(write_signs(self.canvas, signs))
        except BadDrawing:
            return False
        return True

    def _is_symmetric(self, signs: Signs) -> bool:
        width, height = max(x for x, _ in signs) + 1, max(y for _, y in signs) + 1
        shape = {self._mirrored(x, y, width, height) for x, y in signs}
        return width <= self._columns and height <= self._rows and shape == set(signs)

    def _change(self, signs: Signs, luck: Random) -> Signs | None:
        """Return the drawing after one change at random, with its mirror image; None if that is none."""
        width, height = max(x for x, _ in signs) + 1, max(y for _, y in signs) + 1
        places = sorted(signs)
        here = luck.choice(places)
        dx, dy = luck.choice(HEX if self.canvas.hexes else SQUARE)
        beside = luck.choice(places)
        there = beside[0] + dx, beside[1] + dy
        deed = luck.choice(("move", "move", "sign", "add", "erase") if len(self._signs) > 1 else ("move",))
        changed = dict(signs)
        for a, b in (
            (here, there),
            (self._mirrored(*here, width, height), self._mirrored(*there, width, height)),
        ):
            if deed in ("move", "erase"):
                sign = changed.pop(a, None)
                if deed == "move" and sign is not None:
                    changed[b] = sign
            elif deed == "add":
                changed[b] = signs[beside]
            elif b in signs and a in signs:
                changed[a] = signs[b]
        return _trim(changed) if changed and changed != signs else None


def _is_connected(canvas: Canvas, signs: Signs) -> bool:
    steps = HEX if canvas.hexes else SQUARE
    rest, edge = set(signs), [next(iter(signs))]
    rest.discard(edge[0])
    while edge:
        x, y = edge.pop()
        beside = {(x + dx, y + dy) for dx, dy in steps} & rest
        rest -= beside
        edge += sorted(beside)
    return not rest
