"""The files of tables, and the table that fits a game."""

from __future__ import annotations

import mmap
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from smallchange.core.data_folder import data_folder
from smallchange.core.errors import BadOption, BadTable, UnknownGame
from smallchange.core.game import Game, game_of
from smallchange.core.json_text import read_json

from .ranked_games import index_of, left_out
from .table import LAYERED, MAGIC, NOBODY, PliesTable, Table, digest, header_line, layout


def open_table(path: str | Path, check: bool = True) -> Table:
    """Open the table in a file. BadTable if it is not one, is damaged, or was made for other rules.

    `check` reads all of the file once to compare its digest. A copy of the table, also by pickle, opens the file again.
    """
    table = _open(path, check)
    table.reopen = open_table, (Path(path).resolve(), False)
    return table


def _open(path: str | Path, check: bool) -> Table:
    try:
        with Path(path).open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except ValueError:  # an empty file cannot be mapped
        raise BadTable(f"{path} is empty, not a table") from None
    if content[: len(LAYERED)] == LAYERED:
        from .layered_values import open_layered  # which needs the compiled rules

        return open_layered(path, memoryview(content), check)
    if content[: len(MAGIC)] != MAGIC:
        raise BadTable(
            f"{path} is no table of this program: it does not begin with {MAGIC.decode().strip()!r}"
        )
    end = content.find(b"\n", len(MAGIC), len(MAGIC) + 10_000)
    try:
        header = _check_header(content[len(MAGIC) : end])
        size, named = layout(header)[2], str(header["digest"])
        game = Game(header["game"], header["options"])
        made_for, made_by = header["version"], (game.version, index_of(game).LAYOUT)
    except (BadOption, UnknownGame) as wrong:
        raise BadTable(f"{path} is a table of what is not here: {wrong}") from wrong
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise BadTable(f"{path} is damaged: its header cannot be read") from wrong
    body = memoryview(content)[end + 1 :]
    if len(body) != size:
        raise BadTable(f"{path} is damaged: {size} bytes are missing or too many, {len(body)} came")
    if check and digest(header, body) != named:
        raise BadTable(f"{path} is damaged: its digest is not the one it names")
    if made_for != list(made_by):
        raise BadTable(
            f"{path} is for version {made_for} of the rules and the numbering, not {list(made_by)}"
        )
    return PliesTable(game, header, body)


def _check_header(line: bytes) -> dict[str, Any]:
    """Return the header if its numbers are possible; raise TypeError or ValueError if not."""
    header: dict[str, Any] = read_json(line)
    positions, bits, rare, values = (header[name] for name in ("positions", "bits", "rare", "values"))
    if not all(type(number) is int for number in (positions, bits, rare, *values)):
        raise TypeError("positions, bits, rare and values are whole numbers")
    if not 0 < positions < 1 << 32 or rare < 0 or not 0 < bits < 16 or len(values) >= 1 << bits:
        raise ValueError("a number is out of bounds")
    if line != header_line(header) or not all(abs(value) <= NOBODY for value in values):
        raise ValueError("a line is written otherwise, or a value is out of bounds")
    return header


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
    return table_name(game, makes_positions) + ".table"


def table_name(game: Game, options: Mapping[str, object]) -> str:
    """Return the name of a game's files with these options, without what follows the dot."""
    name = "-".join([game.id, *(f"{option}={value}" for option, value in options.items())])
    return re.sub(r"[^\w=.-]", "_", name)


def certificate_file(game: Game) -> Path:
    """Return the file in which a game's certificate of a blockade is looked for (`certificate.py`)."""
    return tables_folder() / Path(file_name(game)).with_suffix(".certificate")


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


def find_table(game: Game | str) -> Table | None:
    """Return the largest table for a game's positions in the folder, or None.

    Files whose digest is another are left out with a warning, as are those that `fitting_files` warns of.
    """
    for path in fitting_files(game_of(game)):
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
