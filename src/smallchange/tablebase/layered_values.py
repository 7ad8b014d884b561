"""Look-ups in the table of a large board, and the shortest way from a won position to a lower layer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from smallchange.core.errors import BadOption, BadPosition, BadTable, UnknownGame
from smallchange.core.game import Game, Position
from smallchange.core.json_text import read_json

from .compiled_solver import Kit
from .layered_probe import STUCK, WINNING_STEP, number_of, numbering, numbers_of, steps_of, winning_step
from .layered_table import Sections, diagonal_blocks, identity, rows_of_unit, units_of, unpack
from .placements import placements
from .solve import Counts
from .table import ENDED, UNNUMBERED, Table, Value, digest, header_line

UNITS = 1024  # kept unpacked, 8 MB
STATES = 200_000  # of one layer that are looked at on the way to a lower one
FIELDS = {"game", "options", "version", "diagonals", "digest"}
SECTION_FIELDS = {"total", "bytes", "index", "units", "sha256", "blocks"}
BLOCK_FIELDS = {"i", "j", "rounds", *Counts._fields}
WIN, DRAW, LOSS = Value("win", None), Value("draw", None), Value("loss", None)


def open_layered(path: str | Path, content: memoryview, check: bool) -> LayeredTable:
    """Open the table in a mapped file. BadTable where it is damaged, or made for other rules."""
    length = int.from_bytes(content[-8:], "little")
    try:
        header = _check_header(bytes(content[-8 - length : -8]))
        intact = header["digest"] == digest(header)
        game = Game(header["game"], header["options"])
        sections = Sections(content, header["diagonals"])
        intact = intact and sections.end == len(content) - 8 - length
    except (BadOption, UnknownGame) as wrong:
        raise BadTable(f"{path} is a table of what is not here: {wrong}") from wrong
    except (LookupError, TypeError, ValueError, AttributeError) as wrong:
        raise BadTable(f"{path} is damaged: its header cannot be read") from wrong
    if not intact or (check and not all(sections.is_intact(total) for total in sections.diagonals)):
        raise BadTable(f"{path} is damaged: its digest is not the one it names")
    if any(header.get(name) != value for name, value in identity(game).items()):
        raise BadTable(f"{path} is for version {header.get('version')} of the rules, not {game.version}")
    return LayeredTable(game, header, sections)


def _check_header(line: bytes) -> dict[str, Any]:
    """Return the header if its fields and numbers are possible; raise LookupError, TypeError or ValueError if not."""
    header: dict[str, Any] = read_json(line)
    sections = header["diagonals"]
    numbers = [section[name] for section in sections for name in ("total", "bytes", "index", "units")]
    numbers += [block[name] for section in sections for block in section["blocks"] for name in BLOCK_FIELDS]
    if not all(type(number) is int and 0 <= number < 1 << 48 for number in numbers):
        raise TypeError("numbers of diagonals and blocks are whole, not negative and not too large")
    totals = [section["total"] for section in sections]
    if totals != [*range(totals[0], totals[0] - len(totals), -1)] or line != header_line(header):
        raise ValueError("a diagonal is missing, or the line is written otherwise")
    fields = [(header, FIELDS), *((section, SECTION_FIELDS) for section in sections)]
    fields += [(block, BLOCK_FIELDS) for section in sections for block in section["blocks"]]
    if any(there.keys() != names for there, names in fields):
        raise ValueError("there are other fields")
    return header


class LayeredTable(Table):
    """The values of a large board; `layered_table.py` describes its file.

    It may be a part: the diagonals near the end of the game, or an opening book, those near its start. A value
    takes lost positions of the next diagonal too. So a book has the values of one diagonal less than it holds, and
    contains the positions from which each step has a value.
    """

    def __init__(self, game: Game, header: dict[str, Any], sections: Sections) -> None:
        places = placements(Kit(game))
        self.bounds: Any = places.layers.tolist()
        self._lowest, highest = min(sections.diagonals), max(sections.diagonals)
        self._book = highest < 2 * (len(self.bounds) - 3)
        self._highest = highest - 1 if self._book else highest  # with values
        self._last = highest - 2 if self._book else highest  # with values of all steps
        blocks = [b for s in header["diagonals"] if s["total"] <= self._last for b in s["blocks"]]
        held = sum(block[name] for block in blocks for name in ("won", "drawn", "lost", "ended"))
        super().__init__(game, header, held)
        self._empty, self._blocked = len(places) - 1, places.blocked
        self._numbering = numbering(places)
        self._placements, self._steps = steps_of(places)
        self._sets, self._seen, self._progress = places.sets.data, places.seen.data, places.progress.data
        self._first_step, self._to, self._target = places.first_step.data, places.to.data, places.target.data
        self.sections = sections
        sizes = [last - first for first, last in pairwise(self.bounds[:-1])]
        words = [-(-size // 64) for size in sizes]
        self._row_bytes = [8 * n for n in words]
        self._rows_of_unit = [rows_of_unit(n) for n in words]
        self._offsets, self._first_unit = self._units(words)
        self._unit = lru_cache(UNITS)(self._read_unit)

    def __contains__(self, position: Position) -> bool:
        if not self.admits(position.game) or position.s.turn < 0:
            return False
        try:
            a, b = self._numbers(position)
        except BadPosition:
            return False
        return bool(self._lowest <= self._progress[a] + self._progress[b] <= self._last)

    def value(self, position: Position) -> Value:
        self._refuse_foreign(position)
        a, b = self._numbers(position)
        i, j = self._progress[a], self._progress[b]
        if i + j < self._lowest:
            raise BadPosition("the position is farther from the end than this table holds")
        if i + j > self._highest:
            raise BadPosition("the position is farther from the start than this opening book goes")
        if self._is_lost(a, b):
            return LOSS
        found = winning_step(self._placements, self._steps, a, b, *self._row(b, i), *self._row(b, i + 1))
        if found == STUCK and self._blocked:
            raise BadPosition(ENDED)
        return WIN if found == WINNING_STEP or (found == STUCK and self._is_lost(b, a)) else DRAW

    def random_position(self, luck: Random) -> Position:
        """Return one of the table's positions, each equally likely."""
        s = self.game.state_type()
        near = self.bounds[
            min(self._last + 1, len(self.bounds) - 2)
        ]  # placements of layers that a book may hold
        while True:
            a, b = luck.randrange(near), luck.randrange(near)
            mine, theirs = self._sets[a], self._seen[b]
            if not mine & theirs and self._lowest <= self._progress[a] + self._progress[b] <= self._last:
                self._index.stand(self.game.board, s, mine, theirs)
                return Position(self.game, s)

    def best(self, position: Position) -> list[str]:
        """Return the tokens that keep the value; of a win those that lead to a lower layer soonest. Sorted."""
        if self.value(position).outcome != "win":
            return super().best(position)
        a, b = self._numbers(position)
        onward = self._ways_on(a, b)
        mover = position.s.turn
        after = {token: position.played(token) for token in position.legal()}
        return [
            token
            for token, there in after.items()
            if self._number(mover, self._index.side_coins(self.game.board, there.s, mover)) in onward
        ]

    def _ways_on(self, a: int, b: int) -> set[int]:
        """Return the winner's next placements by which one of the two leaves the layer soonest."""
        known: dict[tuple[int, int, int], bool] = {}
        depth = 1
        while len(known) < STATES:
            onward = {c for c in self._winning(a, b) if self._leaves(a, b, c, depth, known)}
            if onward:
                return onward
            depth += 2
        return set(self._winning(a, b))

    def _winning(self, a: int, b: int) -> Iterator[int]:
        """Yield the placements that keep a win; that of the mover himself where he passes."""
        stuck = True
        for c in self._moves(a, b):
            stuck = False
            if c == self._empty or self._is_lost(b, c):
                yield c
        if stuck:
            yield a

    def _leaves(self, a: int, b: int, c: int, depth: int, known: dict[tuple[int, int, int], bool]) -> bool:
        """Return whether the winner's step from a to c leaves the layer within `depth` plies against any play."""
        if self._progress[c] > self._progress[a]:
            return True
        if depth == 1:
            return False
        key = (b, c, depth)
        if key not in known:
            replies = list(self._moves(b, c))
            if not replies and self._blocked:  # the other is blocked, and has lost
                return True
            known[key] = all(
                self._progress[d] > self._progress[b]
                or any(self._leaves(c, d, e, depth - 2, known) for e in self._winning(c, d))
                for d in replies or [b]
            )
        return known[key]

    def _moves(self, a: int, b: int) -> Iterator[int]:
        """Yield the placements that the mover can reach from a against b."""
        taken, to, target = self._seen[b], self._to, self._target
        for k in range(self._first_step[a], self._first_step[a + 1]):
            if not taken >> target[k] & 1:
                yield to[k]

    def _numbers(self, position: Position) -> tuple[int, int]:
        """Return the placements of the player to move and of the other. BadPosition where there are none."""
        board, s, turn = self.game.board, position.s, position.s.turn
        sides = [self._index.side_coins(board, s, seat) for seat in (0, 1)]
        numbers = numbers_of(*self._numbering, sides[turn], sides[1 - turn], turn)
        a, b = numbers >> 32, numbers & 0xFFFFFFFF
        if numbers < 0 or sides[0] & sides[1] or self._empty in (a, b):
            raise BadPosition(UNNUMBERED)
        return a, b

    def _number(self, seat: int, coins: int) -> int:
        """Return the placement of a seat whose pieces are on these squares."""
        return int(number_of(*self._numbering, coins, seat))

    def _is_lost(self, a: int, b: int) -> bool:
        """Return whether the player to move, with placement a, loses against b."""
        row, bit = self._row(a, self._progress[b])
        bit += b
        return bool(row and row[bit >> 3] >> (bit & 7) & 1)

    def _row(self, a: int, j: int) -> tuple[bytes, int]:
        """Return bytes that hold the bits of placement a to move against layer j, and the bit of placement 0.

        The bytes are empty where no position near is lost. The layer may be the one behind the last.
        """
        if j == len(self._row_bytes):
            return b"", 0
        i, size, rows = self._progress[a], self._row_bytes[j], self._rows_of_unit[j]
        unit, row = divmod(a - self.bounds[i], rows)
        unit += self._first_unit[i][j]
        if self._offsets[unit] == self._offsets[unit + 1]:
            return b"", 0
        there = min(rows, self.bounds[i + 1] - a + row)
        return self._unit(unit, size * there), 8 * size * row - self.bounds[j]

    def _read_unit(self, unit: int, size: int) -> bytes:
        """Unpack a unit; its size is in bytes."""
        return unpack(self.sections.content[self._offsets[unit] : self._offsets[unit + 1]], size)

    def _units(self, words: list[int]) -> tuple[Any, list[list[int]]]:
        """Return where in the file each unit begins and ends, and the number of the first unit of block [i][j]."""
        groups = len(words)
        first_unit, offsets, units = [[0] * groups for _ in words], list[Any](), 0
        for total in self.sections.diagonals:
            offsets.append(self.sections.offsets(total))
            unit = units
            for i, j in diagonal_blocks(groups, total):
                first_unit[i][j] = unit
                unit += units_of(self.bounds[i + 1] - self.bounds[i], words[j])
            about = self.sections.diagonals[total]
            blocks = [(block["i"], block["j"]) for block in about["blocks"]]
            if (unit - units, blocks) != (about["units"], diagonal_blocks(groups, total)):
                raise BadTable(f"the table is damaged: diagonal {total} has other blocks or units")
            units += len(
                offsets[-1]
            )  # the end of the last unit of a diagonal is not the beginning of another
        return np.concatenate(offsets).data, first_unit
