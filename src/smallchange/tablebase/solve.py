"""A game solved block after block, on several threads, by the rows of bits of `bit_rows.py`.

Look at each position from the side of the player to move: a position is (a, b), the mover's placement and the
other player's. A step from a to a' leads to (b, a') with the other to move. So the positions that a player
wins in row a are the rows a' of the turned table of lost positions, taken together; and he loses where he has
a step and each leads to a position that the other wins.

Placements are put in groups, such that no step leads back to an earlier group. Block (i, j) has the positions
with group i to move against group j; it is solved together with block (j, i), after (j, i + 1) and (i, j + 1).
Both start with nothing known; wins and losses grow until nothing changes, and the rest are draws: so
positions that come round again are treated rightly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from . import bit_rows
from .bit_rows import CHUNK, Outlook, Planes, Round, Side
from .placements import Placements

TILES = 4  # tiles that a thread takes at a time
MANY = 255  # plies that a distance can have
Progress = Callable[[int, int], None]  # how much is done, of how much


class Counts(NamedTuple):
    """Positions for the player to move in which there is a step or a pass."""

    won: int
    drawn: int
    lost: int
    ended: int  # those beside: the player to move is blocked, which ends the game


@dataclass
class Block:
    """The positions with group i to move against group j."""

    i: int
    j: int
    planes: Planes
    lost_turned: Any
    won_turned: Any
    news: Any  # uint8[columns, chunks of rows]: where the turned planes have changed
    tally: Any = field(default_factory=lambda: np.zeros(2, np.int64))


class TransposedBlock(NamedTuple):
    """The values of a block, rows and columns exchanged: those that earlier blocks read."""

    lost: Any
    won: Any


class Solver:
    """Solves the blocks of one game, whose placements are grouped by `bounds` (the empty one is left out)."""

    def __init__(self, placements: Placements, bounds: Any, pool: ThreadPoolExecutor, threads: int) -> None:
        self.placements = placements
        self.bounds: list[int] = [int(bound) for bound in bounds]
        self.groups: int = len(bounds) - 1
        self._pool, self._threads = pool, threads
        self._side = Side(
            placements.sets,
            placements.first_step,
            placements.to,
            placements.target,
            placements.squares,
            placements.most,
            placements.blocked,
        )
        self._occupied = [placements.occupying_rows(first, last) for first, last in self._spans()]
        self._ahead: dict[tuple[int, int], TransposedBlock] = {}  # those that are still to be read
        self.rounds: int = 0  # of the last pair

    def _spans(self) -> Iterable[tuple[int, int]]:
        return zip(self.bounds[:-1], self.bounds[1:], strict=True)

    def diagonal(self, total: int) -> list[tuple[int, int]]:
        """Return the pairs i >= j of groups with i + j = total."""
        return [(i, total - i) for i in range(self.groups) if 0 <= total - i <= i]

    def size(self, i: int, j: int) -> int:
        """Return the number of columns and rows of bits of a block: its work."""
        return (self.bounds[i + 1] - self.bounds[i]) * (self.bounds[j + 1] - self.bounds[j])

    def solve_pair(
        self, i: int, j: int, known: dict[tuple[int, int], Any] | None = None, distances: Any = None
    ) -> list[Block]:
        """Solve block (i, j), and (j, i) where that is another.

        `known` has planes of lost positions that were found before. `distances`, uint8[rows, columns] padded
        as planes are, is filled with the plies to the end where the block is alone.
        """
        blocks = [self._begin(i, j)] if i == j else [self._begin(i, j), self._begin(j, i)]
        for block in blocks:
            if known:
                np.bitwise_or(block.planes.lost, known[block.i, block.j], out=block.planes.lost)
            self._turn(block)
        partners = dict(zip((0, 1), blocks[::-1], strict=False))
        measured = distances is not None
        if not measured:
            distances = np.zeros((0, 0), np.uint8)
        plies, first, added = 0, True, 1
        while added:
            plies += 1
            added = 0
            for n, block in enumerate(blocks):
                added += self._grow(block, partners[n], Round(first, plies, distances))
                self._turn(block)
            first = False
        self.rounds = plies
        if measured and plies > MANY:
            raise OverflowError(f"a win lies more than {MANY} plies ahead")
        for block in blocks:
            self._ahead[block.i, block.j] = TransposedBlock(block.lost_turned, block.won_turned)
            self._ahead.pop((block.j, block.i + 1), None)  # no other block reads it
        return blocks

    def recall(self, i: int, j: int, lost: Any) -> None:
        """Take the lost positions of a block that was solved before, for blocks that read those alone."""
        rows, words = lost.shape
        turned = np.zeros((64 * words, rows // 64), np.uint64)
        changed = np.ones((rows // 64, -(-words // CHUNK)), np.uint8)
        news = np.zeros((64 * words, -(-(rows // 64) // CHUNK)), np.uint8)
        self._run(lambda tile, n: bit_rows.turn_tiles(tile, n, lost, turned, changed, news), rows, CHUNK)
        self._ahead[i, j] = TransposedBlock(turned, np.zeros_like(turned))

    def counts(self, block: Block) -> Counts:
        """Count the values of a solved block."""
        won, lost = (self._count(plane) for plane in (block.planes.won, block.planes.lost))
        positions, ended = (int(n) for n in block.tally)
        if self.placements.blocked == bit_rows.WINS:
            won -= ended
        elif self.placements.blocked == bit_rows.LOSES:
            lost -= ended
        return Counts(won, positions - won - lost, lost, ended)

    def _count(self, plane: Any) -> int:
        return sum(
            self._run(lambda tile, n: bit_rows.count_bits(plane, 64 * tile, 64 * (tile + n)), len(plane))
        )

    def _begin(self, i: int, j: int) -> Block:
        """Return a block in which only the values of blocked players are known."""
        start, rows = self.bounds[i], self.bounds[i + 1] - self.bounds[i]
        columns = self.bounds[j + 1] - self.bounds[j]
        tiles, words = -(-rows // 64), -(-columns // 64)
        shape, turned = (64 * tiles, words), (64 * words, tiles)
        block = Block(
            i,
            j,
            Planes(
                valid=np.zeros(shape, np.uint64),
                hopeless=np.zeros(shape, np.uint64),
                won=np.zeros(shape, np.uint64),
                lost=np.zeros(shape, np.uint64),
                can_block=np.zeros(64 * tiles, np.bool_),
                changed=np.ones((tiles, -(-words // CHUNK)), np.uint8),
            ),
            lost_turned=np.zeros(turned, np.uint64),
            won_turned=np.zeros(turned, np.uint64),
            news=np.zeros((64 * words, -(-tiles // CHUNK)), np.uint8),
        )
        outlook = self._outlook(block, block)  # there is nothing after a step yet

        def begin(tile: int, n: int) -> Any:
            tally, first = np.zeros(2, np.int64), 64 * tile
            bit_rows.begin_rows(
                first,
                min(64 * n, rows - first),
                start,
                start + rows,
                self._side,
                outlook,
                block.planes,
                tally,
            )
            return tally

        block.tally += sum(self._run(begin, rows))
        return block

    def _grow(self, block: Block, partner: Block, now: Round) -> int:
        """Do one round for one block; return how many values were added."""
        start, onward = self.bounds[block.i], self.bounds[block.i + 1]
        outlook = self._outlook(block, partner)
        partner.news = np.zeros_like(partner.news)

        def grow(tile: int, n: int) -> int:
            first = 64 * tile
            rows = min(64 * n, onward - start - first)
            added: int = bit_rows.grow_rows(
                first, rows, start, onward, self._side, outlook, block.planes, now
            )
            return added

        return sum(self._run(grow, onward - start))

    def _outlook(self, block: Block, partner: Block) -> Outlook:
        """Return the inputs of a block; its partner holds the positions after a step within the block."""
        ahead = self._next(block.i, block.j)
        return Outlook(
            self._all(block.j),
            self._occupied[block.j],
            ahead.lost,
            ahead.won,
            partner.lost_turned,
            partner.won_turned,
            partner.news,
        )

    def _turn(self, block: Block) -> None:
        """Write the changes of a block to its turned planes."""
        planes = block.planes
        if not planes.changed.any():
            return

        def turn(tile: int, n: int) -> None:
            bit_rows.turn_tiles(tile, n, planes.lost, block.lost_turned, planes.changed, block.news)
            bit_rows.turn_tiles(tile, n, planes.won, block.won_turned, planes.changed, block.news)

        self._run(turn, len(planes.won), 8)
        planes.changed[:] = 0

    def _next(self, i: int, j: int) -> TransposedBlock:
        """Return the values for the other player after a step out of block (i, j)."""
        if i + 1 == self.groups:
            lost = self._all(j)[None]  # the mover has no piece left
            return TransposedBlock(lost, np.zeros_like(lost))
        return self._ahead[j, i + 1]

    def _all(self, j: int) -> Any:
        """Return a row with a bit for each placement of a group."""
        columns = self.bounds[j + 1] - self.bounds[j]
        row = np.zeros(64 * -(-columns // 64), np.uint8)
        row[:columns] = 1
        return np.packbits(row, bitorder="little").view(np.uint64)

    def _run(self, work: Callable[[int, int], Any], rows: int, tiles: int = TILES) -> list[Any]:
        """Do the work of some rows on all threads: work(first tile, tiles)."""
        total = -(-rows // 64)
        jobs = [(tile, min(tiles, total - tile)) for tile in range(0, total, tiles)]
        if self._threads == 1 or len(jobs) == 1:
            return [work(*job) for job in jobs]
        return list(self._pool.map(lambda job: work(*job), jobs))
