"""Values written as a table and read back whole; `table.py` says what a file holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from smallchange.files import replacing
from smallchange.game import Game

from .numbering import index_of
from .table import MAGIC, SPARE, Table, digest, layout

BLOCK = 1 << 20  # values packed at a time; a multiple of 8


def write_table(path: Path, game: Game, values: Any) -> None:
    """Write int16[positions] values as a table: the whole file or nothing."""
    counts = _counts(values)
    by_frequency = np.argsort(-counts, kind="stable").astype(np.uint16)[: np.count_nonzero(counts)]
    bits = _best_width(counts[by_frequency], len(values))
    coded = by_frequency[: (1 << bits) - 1].view(np.int16)
    codes = np.full(1 << 16, (1 << bits) - 1, np.uint16)
    codes[coded.view(np.uint16)] = np.arange(len(coded))
    rare = np.flatnonzero(codes[values.view(np.uint16)] > len(coded) - 1)
    header: dict[str, Any] = {
        "game": game.id,
        "options": game.options,
        "version": [game.version, index_of(game).LAYOUT],
        "positions": len(values),
        "bits": bits,
        "values": coded.tolist(),
        "rare": len(rare),
    }
    content = [_packed(values, codes, bits), bytes(SPARE), rare.astype("<u4").tobytes()]
    content.append(values[rare].astype("<i2").tobytes())
    header["digest"] = digest(header, *content)
    with replacing(path) as out:
        out.write(MAGIC + json.dumps(header, sort_keys=True).encode() + b"\n")
        out.writelines(content)


def read_values(table: Table) -> Any:
    """All values of a table, int16[positions], read from its file."""
    header, body = table.header, table.body
    bits, positions = header["bits"], header["positions"]
    meaning = np.array([*header["values"], 0], np.int16)
    values = np.empty(positions, np.int16)
    for first in range(0, positions, BLOCK):
        n = min(BLOCK, positions - first)
        packed = np.frombuffer(body, np.uint8, (n * bits + 7) // 8, first * bits // 8)
        ones = np.unpackbits(packed, count=n * bits, bitorder="little").reshape(n, bits)
        values[first : first + n] = meaning[ones @ (1 << np.arange(bits, dtype=np.uint16))]
    begin, end, stop = layout(header)
    rare = np.frombuffer(body[begin:end], "<u4")
    values[rare] = np.frombuffer(body[end:stop], "<i2")
    return values


def _best_width(counts: Any, positions: int) -> int:
    """The bits a code that make the file smallest; counts are of the values, greatest first."""

    def size(bits: int) -> int:
        rare = positions - int(counts[: (1 << bits) - 1].sum())
        return positions * bits // 8 + 6 * rare

    return min(range(1, 16), key=size)


def _counts(values: Any) -> Any:
    """How often each value occurs, by the value as uint16."""
    blocks = (values[first : first + BLOCK] for first in range(0, len(values), BLOCK))
    return sum(np.bincount(block.view(np.uint16), minlength=1 << 16) for block in blocks)


def _packed(values: Any, codes: Any, bits: int) -> bytes:
    """The codes of all values, `bits` each, lowest bit first; `codes` is by the value as uint16."""
    places = np.arange(bits, dtype=np.uint16)
    blocks = []
    for first in range(0, len(values), BLOCK):
        block = codes[values[first : first + BLOCK].view(np.uint16)]
        ones = (block[:, None] >> places & 1).astype(np.uint8)
        blocks.append(np.packbits(ones, bitorder="little").tobytes())
    return b"".join(blocks)
