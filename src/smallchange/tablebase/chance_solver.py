"""Games with chance solved between two bounds: the value of every position, layer by layer, each with its proof.

`engine/kernels/chance_values.py` finds the bounds and says why they are right. A layer needs only those that its
steps lead to, so these alone are in memory. A finished layer is a file; a solve that was killed goes on with the next.
A game without `ai/chance_layers.py` is solved as one layer of the positions that come up, if they are few.
"""

from __future__ import annotations

import filecmp
import hashlib
import json
import mmap
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Lock
from typing import Any, NamedTuple

from smallchange.engine import record_type, records  # which says what to install where NumPy is lacking

# isort: split
import numpy as np

from smallchange.core.atomic_files import replacing
from smallchange.core.errors import BadOption, BadTable, RulesError
from smallchange.core.game import Game
from smallchange.core.state import CHANCE, OVER
from smallchange.engine.compile.build import build_module
from smallchange.engine.kernels.chance_successors import Desk
from smallchange.engine.kernels.chance_values import ENDS, HALF, MOST_CHOICES, ONE, UNIT_BITS, WEIGHT_SHIFT

from .table import digest, header_line

MAGIC = b"values of a game with chance 2\n"
CELL_BITS = 16  # of a value in a table
MARGIN = 64  # units of 2^-47 that a bound lies outside of what follows from it, when it is guessed
ROWS = 1 << 14  # positions of a stream
MOST_LISTED = 50_000  # positions of a game that are listed one by one
AHEAD = 16  # other layers that a step can lead to
STREAM_BYTES = 90  # that the stream of a position takes, about
PART = 1 << 20  # positions that are written at once
MOST_SWEEPS = 5_000  # of a layer
SAMPLE = 50_000  # positions of a layer by which is seen how fast middles come to rest
STEPS_TO_LEAP = 4  # sweeps between two leaps
LEAPS = 0.3, 0.999  # the part of a sweep's moves that the next one makes, for which it is worth to leap
SAME_PART = 0.1  # by which two such parts in a row may differ
Progress = Callable[[int, int], None]  # positions that are done, of all


class Stream(NamedTuple):
    """A row of positions, and the place of their successors in a file."""

    at: int  # in bytes
    length: int  # in numbers, int32
    first: int  # slot
    positions: int


class StreamFile:
    """A file of the successors in a layer, which need more room than the bounds."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._lock = Lock()
        self.streams: list[Stream] = []

    def add(self, numbers: Any, first: int, positions: int) -> None:
        """Write a stream; any thread may."""
        with self._lock:
            self.streams.append(Stream(self._file.tell(), len(numbers), first, positions))
            self._file.write(numbers)

    def read(self, stream: Stream) -> Any:
        """Return the numbers of a stream: int32."""
        numbers = np.empty(stream.length, np.int32)
        with self._lock:
            self._file.seek(stream.at)
            self._file.readinto(numbers.data)
        return numbers


class Layers:
    """The layers of a game that numbers its positions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.code: Any = build_module(game, "values", ("chance_successors", "chance_values"))
        self._boards = records(game.board)
        sizes, ahead = np.zeros(0, np.int64), np.zeros((0, AHEAD), np.int64)
        n = self.code.find_layers(self._boards, sizes, ahead)
        sizes, ahead = np.zeros(n, np.int64), np.zeros((n, AHEAD), np.int64)
        self.code.find_layers(self._boards, sizes, ahead)
        self.sizes: list[int] = sizes.tolist()
        self.ahead: list[list[int]] = [[layer for layer in row if layer >= 0] for row in ahead.tolist()]
        self.keys: Any = None
        most = game.rules.MOST + 1
        self._longest = 1 + most * (1 + most)  # numbers of a position
        self._rows = max(1, min(ROWS, (1 << 24) // self._longest))
        self.desk_bytes: int = 4 * self._rows * self._longest  # that a thread needs which writes a stream

    def write_streams(self, layer: int, bases: Any, pool: ThreadPoolExecutor, out: StreamFile) -> None:
        """Write the successors of a layer; `bases` has the first slot of each layer, or -1."""
        most = self.game.rules.MOST + 1

        def write(first: int) -> None:
            last = min(first + self._rows, self.sizes[layer])
            numbers = np.zeros((last - first) * self._longest, np.int32)
            states = np.zeros(3, record_type(self.game.state_type))
            actions, replies, weights = (np.zeros(most, np.int64) for _ in range(3))
            desk = Desk(states, actions, replies, weights, bases, numbers)
            n = self.code.write_successors(self._boards, desk, layer, first, last)
            if n < 0:
                raise RulesError(
                    f"{self.game.id}: a step of layer {layer} leads to no layer that layers_ahead names"
                )
            out.add(numbers[:n], int(bases[layer]) + first, last - first)

        for _ in pool.map(write, range(0, self.sizes[layer], self._rows)):
            pass
        out.streams.sort(key=lambda stream: stream.first)


class ListedPositions:
    """The positions that come up in a small game, as one layer; `keys` has their digests, ascending."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.code: Any = build_module(game, "values", ("chance_values",))
        first = game.start().s
        seen, states = {first: 0}, [first]
        for s in states:  # which grows
            for _, after in following(game, s):
                if after.turn != OVER and after not in seen:
                    seen[after] = len(states)
                    states.append(after)
            if len(states) > MOST_LISTED:
                raise BadOption(f"more than {MOST_LISTED:,} positions come up in {game!r}, too many to list")
        digests = np.array([key_of(s) for s in states], np.uint64)
        order = np.argsort(digests)
        self.keys: Any = digests[order]
        if (self.keys[1:] == self.keys[:-1]).any():
            raise BadOption(f"two positions of {game!r} have the same digest")
        self._states = [states[i] for i in order.tolist()]
        self._number = {s: i for i, s in enumerate(self._states)}
        self.sizes: list[int] = [len(states)]
        self.ahead: list[list[int]] = [[]]
        self.desk_bytes = 0

    def write_streams(self, layer: int, bases: Any, pool: ThreadPoolExecutor, out: StreamFile) -> None:
        """Write the successors of all positions."""
        numbers = []
        for s in self._states:
            codes = [(weight, self._code(after)) for weight, after in following(self.game, s)]
            if s.turn == CHANCE:
                numbers.append(len(codes))
                for weight, code in codes:
                    numbers += [(weight << WEIGHT_SHIFT) + 2, code]
            else:
                numbers += [1, (1 << WEIGHT_SHIFT) + 2 * len(codes) + (s.turn != 0)]
                numbers += [code for _, code in codes]
        out.add(np.array(numbers, np.int32), int(bases[layer]), len(self._states))

    def _code(self, s: Any) -> int:
        if s.turn != OVER:
            return 2 * (ENDS + self._number[s])
        rules, board = self.game.rules, self.game.board
        mine = rules.score(board, s, 0)
        theirs = rules.score(board, s, 1) if len(self.game.seats) == 2 else 0
        return 4 if mine > theirs else 2 if mine == theirs and len(self.game.seats) == 2 else 0


def key_of(s: Any) -> int:
    """Return 64 bits of a digest of a state."""
    return int.from_bytes(hashlib.sha256(repr(s).encode()).digest()[:8], "little")


def following(game: Game, s: Any) -> Iterator[tuple[int, Any]]:
    """Yield each state one step later, with the weight of the outcome where chance is next, else 1."""
    out, weights = [0] * (game.rules.MOST + 1), [1] * (game.rules.MOST + 1)
    if s.turn == CHANCE:
        n = game.rules.odds(game.board, s, out, weights)
    else:
        n = game.rules.legal(game.board, s, out)
    for action, weight in zip(out[:n], weights[:n], strict=True):
        after = s.copy()
        game.rules.play(game.board, after, action)
        yield weight, after


def layers_of(game: Game) -> Layers | ListedPositions:
    """Return the positions of a game with chance. BadOption where they cannot be solved."""
    if not game.sources or len(game.seats) > 2 or game.rules.MOST > MOST_CHOICES:
        raise BadOption(f"{game.id} is no game with chance for one or two players")
    return Layers(game) if game.chance_layers else ListedPositions(game)


class ChanceSolver:
    """Solves the layers of a game into a folder of files, or reads them there."""

    def __init__(self, game: Game, folder: Path, threads: int) -> None:
        self.game: Game = game
        self.folder: Path = folder
        self.layers: Layers | ListedPositions = layers_of(game)
        self.positions: int = sum(self.layers.sizes)
        self._about = folder / "about.json"
        self._threads = threads
        self.sweeps: int = 0  # of all layers together

    def solve(self, progress: Progress = lambda *_: None) -> None:
        """Solve the layers that are not finished yet."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._about.exists():
            self._refuse_another()
        with replacing(self._about) as draft:
            draft.write(self._identity())
        with ThreadPoolExecutor(self._threads) as pool:
            for layer in range(len(self.layers.sizes)):
                if not self._file(layer).exists():
                    self._solve_layer(layer, pool)
                progress(sum(self.layers.sizes[: layer + 1]), self.positions)

    def _solve_layer(self, layer: int, pool: ThreadPoolExecutor) -> None:
        """Write the bounds of a layer, and forget its successors."""
        with TemporaryFile(dir=self.folder) as file:
            values, streams = self._begin(layer, pool, file)
            self._enclose(values, streams, pool, layer)
        with replacing(self._file(layer)) as draft:
            np.save(draft, values[ENDS : ENDS + self.layers.sizes[layer]])

    def refuse_too_large(self, memory: int | None, disk: int | None) -> None:
        """Raise BadOption where the solve needs more bytes than these."""
        sizes, ahead = self.layers.sizes, self.layers.ahead
        most = max(
            24 * size + 16 * sum(sizes[one] for one in ahead[layer]) for layer, size in enumerate(sizes)
        )
        memory_needed = most + self._threads * self.layers.desk_bytes
        disk_needed = 18 * self.positions + STREAM_BYTES * max(sizes)
        for need, limit, what in ((memory_needed, memory, "memory"), (disk_needed, disk, "disk")):
            if limit is not None and need > limit:
                raise BadOption(
                    f"{self.positions:,} positions need some {need / 1e9:.1f} GB of {what}, more than {limit / 1e9:.1f}"
                )

    def _identity(self) -> bytes:
        """Return the content of the folder's about.json: the game, its layers and the margin."""
        return json.dumps({**identity(self.game), "sizes": self.layers.sizes, "margin": MARGIN}).encode()

    def _refuse_another(self) -> None:
        """Raise BadTable where the folder does not say that it is of this game."""
        if not self._about.exists() or self._about.read_bytes() != self._identity():
            raise BadTable(f"{self.folder} is the beginning of another table, or damaged; remove it")

    def _file(self, layer: int) -> Path:
        return self.folder / f"{layer:04}.npy"

    def bounds(self, layer: int) -> Any:
        """Return both bounds of the positions of a finished layer: int64[positions, 2], units of 2^-47."""
        file = self._file(layer)
        try:
            found = np.load(file, mmap_mode="r")
        except (OSError, ValueError, EOFError) as wrong:
            raise BadTable(f"{file} is missing or damaged; remove {self.folder}") from wrong
        if (found.dtype, found.shape) != (np.dtype(np.int64), (self.layers.sizes[layer], 2)):
            raise BadTable(f"{file} has no bounds of layer {layer}; remove {self.folder}")
        return found

    def _begin(self, layer: int, pool: ThreadPoolExecutor, file: Any) -> tuple[Any, StreamFile]:
        """Return the slots of a layer and of those its steps lead to, and the streams of its positions."""
        sizes, used = self.layers.sizes, [layer, *self.layers.ahead[layer]]
        values = np.zeros((ENDS + sum(sizes[one] for one in used), 2), np.int64)
        values[1], values[2] = HALF, ONE
        bases, at = np.full(len(sizes), -1, np.int64), ENDS
        for one in used:
            bases[one] = at
            if one != layer:
                values[at : at + sizes[one]] = self.bounds(one)
            at += sizes[one]
        streams = StreamFile(file)
        self.layers.write_streams(layer, bases, pool, streams)
        return values, streams

    def _enclose(self, values: Any, streams: StreamFile, pool: ThreadPoolExecutor, layer: int) -> None:
        """Guess the bounds of a layer until they are proved.

        Where each sweep moves the middles by the same part of what the one before did, they leap to where that ends
        (the delta-squared process of Aitken 1926). This saves two sweeps of five.
        """
        size = self.layers.sizes[layer]
        own, rest = values[ENDS : ENDS + size], MARGIN * size // 20
        own[:] = HALF
        sample = own[:: max(1, size // SAMPLE)]
        at, step, part, since = middles(sample), np.zeros(len(sample)), 0.0, 0
        for _ in range(MOST_SWEEPS):
            before = middles(own) if since >= STEPS_TO_LEAP and LEAPS[0] < part < LEAPS[1] else None
            moved = self._sweep(values, streams, pool, MARGIN)
            since += 1
            if moved <= rest:
                if not self._sweep(values, streams, pool, 0):
                    return
                if not moved:
                    break
                rest = moved // 4
            last, step, part_before = step, (middles(sample) - at).astype(float), part
            part, at = float(last @ step) / max(1.0, float(last @ last)), middles(sample)
            if before is not None and abs(part - part_before) < SAME_PART:
                for one in streams.streams:
                    rows, n = values[one.first : one.first + one.positions], one.first - ENDS
                    gone = middles(rows) - before[n : n + one.positions]
                    rows += (gone * (part / (1 - part))).astype(np.int64)[:, None]
                np.clip(own, 0, ONE, out=own)
                at, since = middles(sample), 0
        raise BadOption(f"no bounds of {self.game!r} can be proved: play can go on for ever (layer {layer})")

    def _sweep(self, values: Any, streams: StreamFile, pool: ThreadPoolExecutor, margin: int) -> int:
        """Sweep over a layer once; return what its streams return together."""
        self.sweeps += 1

        def sweep(one: Stream) -> int:
            found: int = self.layers.code.sweep(streams.read(one), values, one.first, one.positions, margin)
            return found

        return sum(pool.map(sweep, streams.streams))

    def count_unproved(self, progress: Progress = lambda *_: None) -> int:
        """Count the positions whose bounds are not proved by those one step later; 0 is a proof of all."""
        self._refuse_another()
        unproved = 0
        with ThreadPoolExecutor(self._threads) as pool:
            for layer, size in enumerate(self.layers.sizes):
                with TemporaryFile(dir=self.folder) as file:
                    values, streams = self._begin(layer, pool, file)
                    values[ENDS : ENDS + size] = self.bounds(layer)
                    unproved += self._sweep(values, streams, pool, 0)
                del values  # before those of the next layer are there
                progress(layer + 1, len(self.layers.sizes))
        return unproved

    def write_table(self, file: Path) -> None:
        """Write the table of all layers: a line of JSON, then the keys of listed positions, then 16 bits a position.

        A number c says that the value lies within 2^-17 of (c + 1/2) / 2^16, and the gap of the bounds besides.
        """
        error, gap = 0, 0
        with TemporaryFile(dir=file.parent) as cells:
            if self.layers.keys is not None:
                cells.write(self.layers.keys.astype("<u8").tobytes())
            for layer in range(len(self.layers.sizes)):
                bounds = self.bounds(layer)
                for first in range(0, len(bounds), PART):
                    rows = np.asarray(bounds[first : first + PART])
                    numbers = cell_of(rows)
                    middle = middle_of(numbers.astype(np.int64))
                    error = max(error, int((rows[:, 1] - middle).max()), int((middle - rows[:, 0]).max()))
                    gap = max(gap, int((rows[:, 1] - rows[:, 0]).max()))
                    cells.write(numbers.tobytes())
            cells.flush()
            content = mmap.mmap(cells.fileno(), 0, access=mmap.ACCESS_READ)
            header = {**identity(self.game), "error": error, "gap": gap, "start": self.start_bounds()}
            with replacing(file) as draft:
                draft.write(MAGIC + header_line({**header, "digest": digest(header, content)}) + b"\n")
                draft.write(content)

    def gives(self, file: Path) -> bool:
        """Return whether a table is the one that these bounds give, to the byte."""
        with TemporaryDirectory(dir=self.folder) as folder:
            self.write_table(again := Path(folder) / "values")
            return filecmp.cmp(again, file, shallow=False)

    def start_bounds(self) -> list[int]:
        """Return the bounds of the first position, to the seat that its value is for."""
        layer, rank = place_of(self.game, self.game.start().s, self.layers.keys)
        return [int(bound) for bound in self.bounds(layer)[rank]]


def identity(game: Game) -> dict[str, Any]:
    """Return the fields that distinguish a table from those of other games, options and rules."""
    index = game.chance_layers
    version = [game.version, index.LAYOUT if index else 0, *filter(None, [game.foreign_digest])]
    return {"game": game.id, "options": game.options, "version": version}


def middles(bounds: Any) -> Any:
    """Return the middle of each pair of bounds."""
    found = bounds[:, 0] + bounds[:, 1]
    found >>= 1
    return found


def cell_of(bounds: Any) -> Any:
    """Return the numbers of 16 bits for pairs of bounds."""
    return np.minimum(middles(bounds) >> UNIT_BITS - CELL_BITS, (1 << CELL_BITS) - 1).astype("<u2")


def middle_of(cell: Any) -> Any:
    """Return the middle of the values with a number, in units of 2^-47."""
    return (2 * cell + 1) << UNIT_BITS - CELL_BITS - 1


def place_of(game: Game, s: Any, keys: Any = None) -> tuple[int, int]:
    """Return the layer and the number of a position; layer -1 where its value is not kept."""
    index = game.chance_layers
    if index is not None:
        layer = index.value_layer(game.board, s)
        return layer, index.value_rank(game.board, s) if layer >= 0 else 0
    key = np.uint64(key_of(s))
    rank = int(np.searchsorted(keys, key))
    return (0, rank) if rank < len(keys) and keys[rank] == key else (-1, 0)
