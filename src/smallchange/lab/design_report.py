"""A search of boards as one HTML page: the archive as a map, its best boards as pictures to play on by a click."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from smallchange.core.options import Value
from smallchange.extras import require
from smallchange.render.svg import picture_of

from .design import DIFFICULTY_STEP, LENGTH_STEP, Archive, Board, Finalist, Search

require("lab", "jinja2")

import jinja2  # noqa: E402

PAGE = "design.html"
SERVER = "http://127.0.0.1:8000"  # of `smallchange serve` as it is by default
CELL = 34  # units of a cell of the map
MOST_PICTURES = 24


def design_page(
    search: Search, archive: Archive, found: Sequence[Finalist], command: str, server: str = SERVER
) -> str:
    """Return the page. The same archive and finalists give the same bytes."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    boards = [_card(search, each.searched, each, server) for each in found]
    if not found:
        boards = [_card(search, board, None, server) for board in archive.best(MOST_PICTURES)]
    return environment.get_template(PAGE).render(
        title=search.game.words.TITLE.en,
        two=len(search.game.seats) > 1,
        search=search,
        command=command,
        judged=len(archive.keys),
        cells=len(archive.elites),
        map=_map(archive),
        boards=boards,
    )


def _card(search: Search, board: Board, finalist: Finalist | None, server: str) -> dict[str, Any]:
    """Return a board with its picture, its figures, and the ways to play on it."""
    game = search.with_drawing(board.drawing)
    options: dict[str, Value] = game.non_default_options
    fields = {
        name: str(value).lower() if isinstance(value, bool) else value for name, value in options.items()
    }
    return {
        "picture": picture_of(game.start()),
        "drawing": board.drawing,
        "searched": board,
        "fresh": finalist.fresh if finalist else None,
        "better": finalist.better if finalist else None,
        "link": f"{server}/games/{game.id}?{urlencode(fields)}",
        "command": shlex.join(["smallchange", "play", game.id, *game.arguments]),
    }


def _map(archive: Archive) -> dict[str, Any]:
    """Return the archive as squares: columns are lengths, rows are difficulties, darkness is the gap of skill."""
    cells = archive.elites
    seats = next(iter(cells.values())).seats
    rows, columns = [cell[0] for cell in cells], [cell[1] for cell in cells]
    worst, best = (pick(board.gap for board in cells.values()) for pick in (min, max))
    squares = [
        {
            "x": (column - min(columns)) * CELL,
            "y": (max(rows) - row) * CELL,
            "shade": round(0.1 + 0.9 * (board.gap - worst) / (best - worst or 1), 2),
            "title": f"gap {100 * board.gap:.1f} points, {board.steps:.0f} steps\n{board.drawing}",
        }
        for (row, column), board in sorted(cells.items())
    ]
    unit = 100 * DIFFICULTY_STEP[seats]
    return {
        "squares": squares,
        "width": (max(columns) - min(columns) + 1) * CELL,
        "height": (max(rows) - min(rows) + 1) * CELL,
        "size": CELL - 2,
        "across": f"{LENGTH_STEP * archive.length * min(columns):.0f} to "
        f"{LENGTH_STEP * archive.length * (max(columns) + 1):.0f} steps",
        "down": f"{unit * min(rows):.0f} to {unit * (max(rows) + 1):.0f} %",
        "worst": f"{100 * worst:.0f}",
        "best": f"{100 * best:.0f}",
    }
