"""Values written as a table and read back whole; `table.py` describes the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from smallchange.core.atomic_files import replacing
from smallchange.core.game import Game

from .bit_rows import pack_codes
from .ranked_games import index_of
from .table import MAGIC, SPARE, PliesTable, digest, header_line, layout

BLOCK = 1 << 20  # values packed at a time; a multiple of 8


def write_table(path: Path, game: Game, values: Any) -> None:
    """Write int16[positions] values as a table: the whole file or nothing."""
    header, content = header_and_content(game, values)
    with replacing(path) as out:
        out.write(MAGIC + header_line(header) + b"\n")
        out.writelines(content)


def is_canonical(table: PliesTable, values: Any) -> bool:
    """Return whether a table is the one that `write_table` makes of these values, to the byte."""
    header, content = header_and_content(table.game, values)
    return header == table.header and b"".join(content) == table.body


def header_and_content(game: Game, values: Any) -> tuple[dict[str, Any], list[bytes]]:
    """Return the header of a table of int16[positions] values, and the bytes after it."""
    often = _frequencies(values)
    by_frequency = np.argsort(-often, kind="stable").astype(np.uint16)[: np.count_nonzero(often)]
    bits = _best_width(often[by_frequency], len(values))
    coded = by_frequency[: (1 << bits) - 1].view(np.int16)
    codes = np.full(1 << 16, (1 << bits) - 1, np.uint16)
    codes[coded.view(np.uint16)] = np.arange(len(coded))
    rare = _rare(values, codes, len(coded))
    header: dict[str, Any] = {
        "game": game.id,
        "options": game.options,
        "version": [game.version, index_of(game).LAYOUT],
        "positions": len(values),
        "bits": bits,
        "values": coded.tolist(),
        "rare": len(rare),
    }
    content = [_pack(values, codes, bits), bytes(SPARE), rare.astype("<u4").tobytes()]
    content.append(values[rare].astype("<i2").tobytes())
    header["digest"] = digest(header, *content)
    return header, content


def read_values(table: PliesTable) -> Any:
    """Return all values of a table, int16[positions]. A code without a meaning is read as a draw."""
    header, body = table.header, table.body
    bits, positions = header["bits"], header["positions"]
    meaning = np.zeros(1 << bits, np.int16)
    meaning[: len(header["values"])] = header["values"]
    values = np.empty(positions, np.int16)
    for first in range(0, positions, BLOCK):
        n = min(BLOCK, positions - first)
        packed = np.frombuffer(body, np.uint8, (n * bits + 7) // 8, first * bits // 8)
        ones = np.unpackbits(packed, count=n * bits, bitorder="little").reshape(n, bits)
        values[first : first + n] = meaning[ones @ (1 << np.arange(bits, dtype=np.uint16))]
    begin, end, stop = layout(header)
    rare = np.frombuffer(body[begin:end], "<u4")
    np.put(values, rare, np.frombuffer(body[end:stop], "<i2"), mode="clip")
    return values


def _best_width(counts: Any, positions: int) -> int:
    """Return the bits a code that make the file smallest; counts are of the values, greatest first."""

    def size(bits: int) -> int:
        rare = positions - int(counts[: (1 << bits) - 1].sum())
        return positions * bits // 8 + 6 * rare

    return min(range(1, 16), key=size)


def _frequencies(values: Any) -> Any:
    """Count how often each value occurs, by the value as uint16."""
    blocks = (values[first : first + BLOCK] for first in range(0, len(values), BLOCK))
    return sum(np.bincount(block.view(np.uint16), minlength=1 << 16) for block in blocks)


def _pack(values: Any, codes: Any, bits: int) -> bytes:
    """Return the codes of all values, `bits` each, lowest bit first; `codes` is by the value as uint16."""
    packed = np.zeros((len(values) * bits + 7) // 8 + 3, np.uint8)
    pack_codes(values.view(np.uint16), codes, bits, packed)
    return packed[:-3].tobytes()


def _rare(values: Any, codes: Any, common: int) -> Any:
    """Return the numbers of the positions whose values have no code, ascending."""
    blocks = range(0, len(values), BLOCK)
    found = [
        first + np.flatnonzero(codes[values[first : first + BLOCK].view(np.uint16)] >= common)
        for first in blocks
    ]
    return np.concatenate(found)
