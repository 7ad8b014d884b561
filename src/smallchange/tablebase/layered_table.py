"""Tables of the values of all positions of a large board, compressed, without the plies to the end.

A file holds which positions the player to move loses, at a fraction of a bit a
position. All else follows: a position is won where some step leads to a lost one, and drawn otherwise. So a
look-up reads at most three small units of a mapped file.

A file is the line MAGIC; a section for each diagonal of blocks (`solve.py`), the last first; a line of JSON
with its game and options; and the length of that line (uint64). A section holds the units of its
blocks, block (i, j) before (j, i): some rows of a plane each, compressed by Zstandard, and nothing where no
position is lost; then the sizes of the units (uint16, compressed). Numbers are little-endian.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import zstandard

from smallchange.core.atomic_files import replacing, take_place
from smallchange.core.errors import BadTable
from smallchange.core.game import Game

from .ranked_games import left_out
from .table import LAYERED as MAGIC
from .table import digest, header_line

UNIT = 8192  # bytes of a plane that are compressed together, or one row where that is longer
LEVEL = 3  # of compression, where a file is written once and kept on one machine
TOGETHER = 64  # units that a thread compresses at a time


def rows_of_unit(words: int) -> int:
    """Return the number of rows of this many words that are compressed together.

    >>> rows_of_unit(32), rows_of_unit(2000)
    (32, 1)
    """
    return max(1, UNIT // (8 * words))


def units_of(rows: int, words: int) -> int:
    """Return the number of units of a plane."""
    return -(-rows // rows_of_unit(words))


def diagonal_blocks(groups: int, total: int) -> list[tuple[int, int]]:
    """Return the blocks (i, j) with i + j = total, in the order of a file.

    >>> diagonal_blocks(3, 3)
    [(2, 1), (1, 2)]
    """
    pairs = [(i, total - i) for i in range(groups) if 0 <= total - i <= i]
    return [block for i, j in pairs for block in ([(i, j)] if i == j else [(i, j), (j, i)])]


def identity(game: Game) -> dict[str, Any]:
    """Return the fields that distinguish a table from those of other games, rules and options."""
    options = {name: value for name, value in game.options.items() if name not in left_out(game)}
    return {"game": game.id, "options": options, "version": game.version}


_UNPACK = zstandard.ZstdDecompressor().decompress


class LayeredWriter:
    """A file that is written diagonal by diagonal; after a kill it goes on behind the last whole one.

    Until it is finished its name ends with `.part`, and a journal beside it says how far it is.
    """

    def __init__(self, path: Path, game: Game, level: int = LEVEL) -> None:
        self.path: Path = path
        self._identity, self._level = identity(game), level
        self._part = path.with_name(path.name + ".part")
        self._journal = path.with_name(path.name + ".part.json")
        self.diagonals: list[dict[str, Any]] = self._finished_sections()
        with self._part.open("ab") as file:
            file.truncate(self.size)
        if not self.diagonals:
            self._part.write_bytes(MAGIC)

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return len(MAGIC) + sum(int(section["bytes"]) for section in self.diagonals)

    def write(self, total: int, blocks: Iterable[tuple[Any, dict[str, Any]]], pool: Executor) -> None:
        """Add the section of a diagonal: the planes of lost positions, without padding, and notes on each."""
        sha, written, sizes = hashlib.sha256(), 0, list[int]()
        notes = []

        def append(file: BinaryIO, content: bytes) -> None:
            nonlocal written
            sha.update(content)
            file.write(content)
            written += len(content)

        with self._part.open("r+b") as file:
            file.seek(self.size)
            for plane, note in blocks:
                for unit in compressed_units(plane, pool, self._level):
                    sizes.append(len(unit))
                    append(file, unit)
                notes.append(note)
            index = zstandard.compress(np.array(sizes, "<u2").tobytes(), 19)
            append(file, index)
            file.truncate()
            file.flush()
            os.fsync(file.fileno())
        section = {"total": total, "bytes": written, "index": len(index), "units": len(sizes)}
        self.diagonals.append({**section, "sha256": sha.hexdigest(), "blocks": notes})
        with replacing(self._journal) as out:
            out.write(json.dumps({**self._identity, "diagonals": self.diagonals}).encode())

    def read(self) -> Sections:
        """Read the diagonals written so far."""
        with self._part.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return Sections(memoryview(content), self.diagonals)

    def finish(self) -> None:
        """Add the header, and give the file its name."""
        header = {**self._identity, "diagonals": self.diagonals}
        line = header_line({**header, "digest": digest(header)})
        with self._part.open("r+b") as file:
            file.seek(self.size)
            file.write(line + len(line).to_bytes(8, "little"))
            file.flush()
            os.fsync(file.fileno())
        take_place(self._part, self.path)
        self._journal.unlink()

    def _finished_sections(self) -> list[dict[str, Any]]:
        """Return the sections of an earlier run of the same solve."""
        try:
            journal = json.loads(self._journal.read_bytes())
        except FileNotFoundError:
            return []
        diagonals: list[dict[str, Any]] = journal.pop("diagonals")
        if journal != self._identity:
            raise BadTable(f"{self._part} is the beginning of another table; remove it and {self._journal}")
        return diagonals


def compressed_units(plane: Any, pool: Executor, level: int) -> Iterator[bytes]:
    """Return the units of a plane uint64[rows, words], compressed on all threads."""
    n = rows_of_unit(plane.shape[1])

    def compress(first: int) -> list[bytes]:
        compressor = zstandard.ZstdCompressor(level, write_checksum=False, write_content_size=False)
        last = min(first + n * TOGETHER, len(plane))
        units = (plane[row : min(row + n, last)] for row in range(first, last, n))
        return [compressor.compress(unit.tobytes()) if unit.any() else b"" for unit in units]

    for units in pool.map(compress, range(0, len(plane), n * TOGETHER)):
        yield from units


def unpack(packed: memoryview, size: int) -> bytes:
    """Return the `size` bytes that were packed. BadTable where there are others."""
    try:
        content = _UNPACK(packed, size)
    except (zstandard.ZstdError, MemoryError) as wrong:
        raise BadTable("the table is damaged: a part of it cannot be unpacked") from wrong
    if len(content) != size:
        raise BadTable("the table is damaged: a part of it is too short")
    return content


class Sections:
    """The units of a file, by diagonal."""

    def __init__(self, content: memoryview, diagonals: list[dict[str, Any]]) -> None:
        self.content = content
        self.diagonals: dict[Any, dict[str, Any]] = {section["total"]: section for section in diagonals}
        begins = np.cumsum([len(MAGIC), *(section["bytes"] for section in diagonals)])
        self._begin = {section["total"]: int(at) for section, at in zip(diagonals, begins, strict=False)}
        self.end: int = int(begins[-1])  # in bytes from the beginning of the file

    def section(self, total: int) -> memoryview:
        """All bytes of a diagonal."""
        first = self._begin[total]
        return self.content[first : first + self.diagonals[total]["bytes"]]

    def is_intact(self, total: int) -> bool:
        """Return whether a diagonal is as it was written."""
        section: str = self.diagonals[total]["sha256"]
        return hashlib.sha256(self.section(total)).hexdigest() == section

    def offsets(self, total: int) -> Any:
        """Return where in the file each unit of a diagonal begins, and where the last ends: int64[units + 1]."""
        about = self.diagonals[total]
        index = self.section(total)[about["bytes"] - about["index"] :]
        sizes = np.frombuffer(unpack(index, 2 * about["units"]), "<u2")
        return self._begin[total] + np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])

    def planes(self, total: int, bounds: Any) -> Iterator[tuple[tuple[int, int], Any]]:
        """Return the planes of lost positions of a diagonal, padded to full tiles; `bounds` are those of groups."""
        offsets, unit = self.offsets(total), 0
        for i, j in diagonal_blocks(len(bounds) - 1, total):
            rows, words = int(bounds[i + 1] - bounds[i]), -(-int(bounds[j + 1] - bounds[j]) // 64)
            plane = np.zeros((64 * -(-rows // 64), words), np.uint64)
            n = rows_of_unit(words)
            for row in range(0, rows, n):
                packed = self.content[offsets[unit] : offsets[unit + 1]]
                unit += 1
                if len(packed):
                    there = plane[row : min(row + n, rows)]
                    there[:] = np.frombuffer(unpack(packed, there.nbytes), np.uint64).reshape(there.shape)
            yield (i, j), plane
