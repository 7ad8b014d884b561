"""The files of tables, and the table that fits a game."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from smallchange.core.data_folder import data_folder
from smallchange.core.errors import BadTable
from smallchange.core.game import Game

from .ranked_games import left_out
from .table import Table, open_table


def tables_folder() -> Path:
    """Return the folder where tables are looked for. It may not exist yet."""
    return data_folder() / "tables"


def file_name(game: Game) -> str:
    """Return the usual name of a game's table, without the options that make no other positions.

    >>> import smallchange
    >>> from smallchange.tablebase import solvable
    >>> file_name(smallchange.game(solvable()[0])) == solvable()[0] + ".table"
    True
    """
    makes_positions = {
        option: value for option, value in game.non_default_options.items() if option not in left_out(game)
    }
    name = "-".join([game.id, *(f"{option}={value}" for option, value in makes_positions.items())])
    return re.sub(r"[^\w=.-]", "_", name) + ".table"


def fitting_files(game: Game) -> list[Path]:
    """Return the files of tables that know a game's positions, the largest table first.

    Files that are no good, and a folder that cannot be read, are left out with a warning. Digests are not
    compared, so this takes no longer for large files.
    """
    fitting, there = [], list[Path]()
    with (
        warn_of_bad_files(),
        suppress(FileNotFoundError),
    ):  # no folder, no tables; glob is silent on any fault
        there = [path for path in tables_folder().iterdir() if path.match(f"{game.id}*.table")]
    for path in sorted(there):
        with warn_of_bad_files():
            table = open_table(path, check=False)
            if table.admits(game):
                fitting.append((-table.positions, path))
    return [path for _, path in sorted(fitting)]


def find_table(game: Game) -> Table | None:
    """Return the largest table for a game's positions in the folder, or None.

    Files whose digest is another are left out with a warning, as are those that `fitting_files` warns of.
    """
    for path in fitting_files(game):
        with warn_of_bad_files():
            return open_checked(path)
    return None


def open_checked(path: Path) -> Table:
    """Open the table in a file, and compare its digest: that reads all of it, so a mark beside it says it is done."""
    mark, file = path.with_name(path.name + ".checked"), path.stat()
    version = f"{file.st_size} {file.st_mtime_ns}".encode()
    known = mark.exists() and mark.read_bytes() == version
    table = open_table(path, check=not known)
    if not known:
        with suppress(OSError):  # where nothing can be kept it is compared again the next time
            mark.write_bytes(version)
    return table


@contextmanager
def warn_of_bad_files() -> Iterator[None]:
    """Leave a table out that cannot be read, with a warning."""
    try:
        yield
    except (BadTable, OSError) as wrong:
        warnings.warn(f"a table is left out: {wrong}", RuntimeWarning, stacklevel=3)  # one place, said once
