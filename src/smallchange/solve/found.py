"""Where tables are kept, and the one that fits a game."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from smallchange.errors import BadTable
from smallchange.game import Game
from smallchange.home import data_folder

from .table import Table, open_table


def tables_folder() -> Path:
    """Where tables are looked for. It may not exist yet."""
    return data_folder() / "tables"


def file_name(game: Game) -> str:
    """The usual name of a game's table.

    >>> import smallchange
    >>> file_name(smallchange.game(smallchange.games()[0])) == smallchange.games()[0] + ".table"
    True
    """
    name = "-".join([game.id, *(f"{option}={value}" for option, value in game.chosen.items())])
    return re.sub(r"[^\w=.-]", "_", name) + ".table"


def find_table(game: Game) -> Table | None:
    """The largest table for a game's positions in the folder, or None; files that are no good are left out.

    Its digest is not compared: that reads all of the file, which was done when it was made.
    """
    found = []
    for path in sorted(tables_folder().glob(f"{game.id}*.table")):
        with contextlib.suppress(BadTable, OSError):
            table = open_table(path, check=False)
            if table.admits(game):
                found.append(table)
    return max(found, key=lambda table: table.positions, default=None)
