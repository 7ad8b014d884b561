"""Where tables are kept, and the one that fits a game."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from smallchange.errors import BadTable
from smallchange.game import Game
from smallchange.home import data_folder

from .numbering import left_out
from .table import Table, open_table


def tables_folder() -> Path:
    """Where tables are looked for. It may not exist yet."""
    return data_folder() / "tables"


def file_name(game: Game) -> str:
    """The usual name of a game's table, without the options that make no other positions.

    >>> import smallchange
    >>> from smallchange.solve import solvable
    >>> file_name(smallchange.game(solvable()[0])) == solvable()[0] + ".table"
    True
    """
    told = {option: value for option, value in game.chosen.items() if option not in left_out(game)}
    name = "-".join([game.id, *(f"{option}={value}" for option, value in told.items())])
    return re.sub(r"[^\w=.-]", "_", name) + ".table"


def find_table(game: Game) -> Table | None:
    """The largest table for a game's positions in the folder, or None.

    Files that are no good, and a folder that cannot be read, are left out with a warning.
    """
    fitting, there = [], list[Path]()
    with _left_out_if_bad(), suppress(FileNotFoundError):  # no folder, no tables; glob is silent on any fault
        there = [path for path in tables_folder().iterdir() if path.match(f"{game.id}*.table")]
    for path in sorted(there):
        with _left_out_if_bad():
            table = open_table(path, check=False)
            if table.admits(game):
                fitting.append((-table.positions, path))
    for _, path in sorted(fitting):
        with _left_out_if_bad():
            return _whole(path)
    return None


def _whole(path: Path) -> Table:
    """The table in a file, its digest compared: that reads all of it, so a mark beside it says it is done."""
    mark, file = path.with_name(path.name + ".checked"), path.stat()
    said = f"{file.st_size} {file.st_mtime_ns}".encode()
    known = mark.exists() and mark.read_bytes() == said
    table = open_table(path, check=not known)
    if not known:
        with suppress(OSError):  # where nothing can be kept it is compared again the next time
            mark.write_bytes(said)
    return table


@contextmanager
def _left_out_if_bad() -> Iterator[None]:
    try:
        yield
    except (BadTable, OSError) as wrong:
        warnings.warn(f"a table is left out: {wrong}", RuntimeWarning, stacklevel=4)
