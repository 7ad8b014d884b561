"""Opening books: the part of a large board's table that is near the start, small enough to ship with a game.

A book is a table by layers (`layered_table.py`) of the first diagonals: the positions in which both players together
have made few steps forward, however many they have made sideways. Few of these are lost, and only lost ones take room.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smallchange.core.errors import BadOption
from smallchange.core.game import Game

from .table import Table
from .table_files import file_name, open_table

if TYPE_CHECKING:
    from .layered_values import LayeredTable

BOOKS = "books"  # the folder beside a game's rules
SMALLEST_LEVEL = 19  # of compression


def shipped_book(game: Game) -> Table | None:
    """Return the opening book that comes with a game, or None."""
    file = book_file(game)
    return open_table(file, check=False) if file.exists() else None


def book_file(game: Game) -> Path:
    """Return where the opening book of a game's positions lies, if there is one."""
    return game.folder / BOOKS / file_name(game)


def write_book(file: Path, table: LayeredTable, max_bytes: int, threads: int = 1) -> None:
    """Write the opening book of a table: as many diagonals as the table has in so many bytes.

    BadOption where these are too few for a value.
    """
    sections = {total: table.sections.diagonals[total] for total in sorted(table.sections.diagonals)}
    within = [size <= max_bytes for size in accumulate(section["bytes"] for section in sections.values())]
    highest = sum(within) - 1
    if 0 not in sections or highest < 2:
        raise BadOption(f"{max_bytes} bytes are too few for an opening book, or the table lacks the start")
    from .layered_table import LayeredWriter  # which needs a package of the extra `fast`

    bounds = table.bounds[:-1]
    writer = LayeredWriter(file, table.game, SMALLEST_LEVEL)
    with ThreadPoolExecutor(threads) as pool:
        for total in range(highest, -1, -1):
            notes = {(note["i"], note["j"]): note for note in sections[total]["blocks"]}
            blocks: list[tuple[Any, dict[str, Any]]] = [
                (plane[: bounds[i + 1] - bounds[i]], notes[i, j])
                for (i, j), plane in table.sections.planes(total, bounds)
            ]
            writer.write(total, blocks, pool)
    writer.finish()
