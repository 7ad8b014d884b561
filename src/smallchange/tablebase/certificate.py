"""Certificates of a blockade: files of the positions that one side holds for ever, which a checker can read.

A file is a sequence of Zstandard frames, so `zstd -dc FILE` writes what a checker reads (numbers are
little-endian):

- the line MAGIC; a line with the width of the board, "facing" or "crosswise", what a blocked player does ("pass",
  "wins" or "loses"), the words of a row, and the number of the blocker's placements; then for each of these a line
  with the bit it has in a row, and its squares: column by column as the blocker sees the board, in hexadecimal;
- for each profile of the attacker (the pieces in each line across the way; those left out are off the board), the
  most progress first: a byte for each line, then a row of uint64 for each placement, numbered by the sets of places
  in its lines, the last line fastest, sets of equal size ascending. A bit says that the blocker holds the position
  in which the attacker has this placement and is to move.

A frame behind these, which decompressors skip, has a line of JSON with the place of each profile, the digest of the
frame of the lines and of each layer of equal progress, and the counts; the last 8 bytes of the file are the length
of that line.

There is one file for a board, a rule and a choice of placements: the greatest set.
`check_certificate` refuses any other.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from math import comb, isqrt, prod
from pathlib import Path
from typing import Any

import numpy as np
import zstandard

from smallchange.core.atomic_files import replacing, take_place
from smallchange.core.errors import BadOption, BadTable
from smallchange.core.game import Game, Position
from smallchange.core.json_text import read_json

from .blockade import (
    Blockers,
    Search,
    Squares,
    blockers_of,
    few_steps,
    lanes_of,
    profiles_by_progress,
    progress_of,
    steps_from,
    strides_of,
    wall,
)
from .blockade_rows import Lanes
from .ranked_games import index_of
from .table_files import certificate_file, warn_of_bad_files

MAGIC = "certificate of a blockade 1"
LEAST_WALL = 6  # lines of a board that the wall holds
STARTS = ("facing", "crosswise")
BLOCKED = {"pass": 0, "wins": 1, "loses": -1}
UNIT_BYTES = 1 << 20  # of rows that are compressed together
LEVEL = 1  # of compression
KEPT = ("progress", "bytes", "sha256", "waiting", "moving", "profiles")  # of a layer in the file
MOST_HEAD = 1 << 22  # bytes of the lines that a file begins with
MOST_PLACEMENTS = 20_000
SKIPPED = 0x184D2A50.to_bytes(4, "little")  # begins a frame that decompressors skip
Progress = Callable[[int, int], None]
Pieces = tuple[int, ...]
Packs = dict[Pieces, list[bytes]]  # planes that are kept in memory, compressed, by profile


def certificate_of(game: Game, forward_steps: int | None = None) -> Certificate:
    """Return the blockade of a game with so few forward steps, or that by the wall.

    BadOption if the game is no crossing of a square board, or no wall is known for this one.
    """
    width, start, rule = board_of(game)
    if forward_steps is None and (start != "facing" or width < LEAST_WALL):
        raise BadOption(
            f"the wall holds facing sides from {LEAST_WALL} x {LEAST_WALL} on: name --forward-steps"
        )
    lanes = lanes_of(width, start, BLOCKED[rule])
    placements = wall(width) if forward_steps is None else few_steps(lanes, forward_steps)
    return Certificate(width, start, rule, placements)


def board_of(game: Game) -> tuple[int, str, str]:
    """Return the width of a game's board, where its sides start, and what a blocked player does.

    BadOption if the game is no crossing of a square board.
    """
    index, board = index_of(game), game.board
    width, blocked = isqrt(index.board_squares(board)), index.blocked_value(board)
    across = [index.flip_side(board, 1 << square).bit_length() - 1 for square in range(width * width)]
    starts = [start for start in STARTS if lanes_of(width, start, 0).across.tolist() == across]
    if not starts or index.most_coins(board) != width - 1:
        raise BadOption(f"no blockade is known for {game!r}")
    return width, starts[0], next(name for name, value in BLOCKED.items() if value == blocked)


def find_certificate(game: Game) -> Held | None:
    """Return the certificate for a game's positions in the folder of tables, or None. Warn of a damaged file."""
    if not certificate_file(game).exists():
        return None
    with warn_of_bad_files():
        held = open_certificate(certificate_file(game))
        if board_of(game) != held.certificate.board:
            raise BadTable(f"{held.file} is the certificate of another board")
        return held
    return None


class Certificate:
    """A blockade of one board: its search, its rows in a file, and look-ups in these."""

    def __init__(self, width: int, start: str, blocked: str, placements: list[Squares]) -> None:
        self.width: int = width
        self.start: str = start
        self.blocked: str = blocked
        self.lanes: Lanes = lanes_of(width, start, BLOCKED[blocked])
        self.blockers: Blockers = blockers_of(self.lanes, placements)
        self.layers: list[list[Pieces]] = profiles_by_progress(width)[:-1]
        self.bits: dict[Squares, int] = {
            squares: 64 * offset + i
            for offset, group in zip(self.blockers.offsets, self.blockers.sets, strict=False)
            for i, squares in enumerate(group)
        }

    @property
    def board(self) -> tuple[int, str, str]:
        """The width, where the sides start, and what a blocked player does."""
        return self.width, self.start, self.blocked

    @property
    def first_placement(self) -> Squares:
        """The squares of a side at the start, as it sees them itself."""
        return (1 << self.width - 1) - 1 if self.start == "facing" else (1 << self.width) - 2

    def head(self) -> bytes:
        """Return the lines that a file begins with."""
        words = self.blockers.offsets[-1]
        lines = [MAGIC, f"{self.width} {self.start} {self.blocked} {words} {len(self.bits)}"]
        lines += [f"{bit} {squares:x}" for squares, bit in self.bits.items()]
        return "".join(line + "\n" for line in lines).encode()

    def row_of(self, squares: Squares) -> tuple[Pieces, int]:
        """Return the profile of an attacker's placement, and its number there."""
        width, mask = self.width, (1 << self.width) - 1
        sets = [squares >> width * line & mask for line in range(width)]
        pieces = tuple(places.bit_count() for places in sets)
        strides = strides_of(pieces)
        return pieces, sum(int(self.lanes.rank[places]) * n for places, n in zip(sets, strides, strict=True))


def make_certificate(
    file: Path,
    certificate: Certificate,
    log: Callable[[str], None] = lambda _: None,
    progress: Progress = lambda *_: None,
) -> Held:
    """Search for the positions that a blocker holds, layer by layer, into a file; a search that was killed goes on."""
    writer, search = CertificateWriter(file, certificate), Search(certificate.lanes, certificate.blockers)
    ahead, count = writer.resume(search), len(certificate.layers)
    for done in range(len(writer.finished), count):
        ahead = writer.add_layer(search, count - 1 - done, ahead)
        log(line_of(writer.finished[-1]))
        progress(done + 1, count)
    return writer.finish()


def line_of(layer: dict[str, Any]) -> str:
    """Return the line of a log that describes a finished layer."""
    return (
        f"progress {layer['progress']}: holds {layer['waiting']:,} with the attacker to move and "
        f"{layer['moving']:,} with the blocker; {layer['rounds']} rounds, {layer['seconds']} s, "
        f"sha256 {layer['sha256']}"
    )


class CertificateWriter:
    """A file that is written layer by layer; until it is finished its name ends with `.part`.

    A journal beside it describes the layers that are whole. After a kill the file goes on behind these.
    """

    def __init__(self, file: Path, certificate: Certificate) -> None:
        self._file, self._certificate = file, certificate
        self._part = file.with_name(file.name + ".part")
        self._journal = file.with_name(file.name + ".part.json")
        self._head = zstandard.compress(certificate.head(), LEVEL)
        self._identity = hashlib.sha256(self._head).hexdigest()
        self.finished: list[dict[str, Any]] = self._earlier_layers()
        if not self.finished:
            self._part.write_bytes(self._head)

    def _earlier_layers(self) -> list[dict[str, Any]]:
        """Return the layers of an earlier run of the same search."""
        try:
            journal = read_json(self._journal.read_bytes())
        except FileNotFoundError:
            return []
        if journal["identity"] != self._identity:
            raise BadTable(
                f"{self._part} is the beginning of another certificate; remove it and {self._journal}"
            )
        layers: list[dict[str, Any]] = journal["layers"]
        return layers

    def resume(self, search: Search) -> Packs:
        """Return the positions held with the blocker to move in the last layer that is whole."""
        if not self.finished:
            return {}
        last = Held(self._part, self._certificate, self.finished)
        return {
            pieces: pack_planes(search.replies(pieces, last.planes(pieces)))
            for pieces in last.profiles_of(-1)
        }

    def add_layer(self, search: Search, progress: int, ahead: Packs) -> Packs:
        """Search a layer and write it; return its positions with the blocker to move."""
        began, here = time.process_time(), {}
        search.rounds = 0
        with self._part.open("r+b") as out:
            out.seek(self._size)
            out.truncate()
            layer = Layer(out, progress)
            for pieces in self._certificate.layers[progress]:
                waiting, moving = search.hold(
                    pieces, partial(unpack_planes, ahead, self._certificate.blockers)
                )
                layer.add(pieces, waiting, search.counts(pieces, waiting, moving))
                here[pieces] = pack_planes(moving)
            out.flush()
            os.fsync(out.fileno())
            seconds = round(time.process_time() - began, 1)
            self.finished.append({**layer.summary(), "rounds": search.rounds, "seconds": seconds})
        with replacing(self._journal) as draft:
            draft.write(json.dumps({"identity": self._identity, "layers": self.finished}).encode())
        return here

    @property
    def _size(self) -> int:
        """The bytes of the layers that are whole, and of the head."""
        return len(self._head) + sum(int(layer["bytes"]) for layer in self.finished)

    def finish(self) -> Held:
        """Add the places of the profiles, give the file its name, and open it."""
        line = index_line(self._head, [{name: layer[name] for name in KEPT} for layer in self.finished])
        line += len(line).to_bytes(8, "little")
        with self._part.open("r+b") as out:
            out.seek(self._size)
            out.write(SKIPPED + len(line).to_bytes(4, "little") + line)
            out.truncate()
            out.flush()
            os.fsync(out.fileno())
        take_place(self._part, self._file)
        self._journal.unlink()
        return open_certificate(self._file)


class Layer:
    """A layer of equal progress of the attacker, as it is written."""

    def __init__(self, out: Any, progress: int) -> None:
        self.progress = progress
        self._out, self._begin, self._sha = out, out.tell(), hashlib.sha256()
        self._profiles: list[dict[str, Any]] = []
        self._held = [0, 0]

    def add(self, pieces: Pieces, waiting: list[Any], counts: tuple[int, int]) -> None:
        """Write the rows of a profile."""
        plane = np.concatenate(waiting, axis=1)
        rows, sizes = rows_of_unit(plane.shape[1]), []
        at, lead = self._out.tell(), bytes(pieces)
        compressor = zstandard.ZstdCompressor(LEVEL)
        for first in range(0, len(plane), rows):
            unit = compressor.compress(lead + plane[first : first + rows].tobytes())
            self._sha.update(unit)
            self._out.write(unit)
            sizes.append(len(unit))
            lead = b""
        self._profiles.append({"pieces": pieces, "at": at, "sizes": sizes})
        self._held = [held + more for held, more in zip(self._held, counts, strict=True)]

    def summary(self) -> dict[str, Any]:
        """Return the digest, the place of each profile, and the positions held."""
        return {
            "progress": self.progress,
            "bytes": self._out.tell() - self._begin,
            "sha256": self._sha.hexdigest(),
            "waiting": self._held[0],
            "moving": self._held[1],
            "profiles": self._profiles,
        }


def rows_of_unit(words: int) -> int:
    """Return the number of rows of so many words that are compressed together."""
    return max(1, UNIT_BYTES // (8 * words))


def pack_planes(planes: list[Any]) -> list[bytes]:
    """Compress planes that are kept in memory."""
    return [zstandard.compress(plane.tobytes(), LEVEL) for plane in planes]


def unpack_planes(packs: Packs, blockers: Blockers, pieces: Pieces) -> Iterator[Any]:
    """Yield the planes of a profile that were kept in memory, one at a time."""
    for pack, words in zip(packs[pieces], blockers.words, strict=True):
        yield np.frombuffer(zstandard.decompress(pack), np.uint64).reshape(-1, words)


def index_line(head: bytes, layers: list[dict[str, Any]]) -> bytes:
    """Return the line of JSON that a file ends with; `head` is its first frame."""
    return json.dumps({"head": hashlib.sha256(head).hexdigest(), "layers": layers}).encode()


def open_certificate(file: Path) -> Held:
    """Open the file of a certificate. BadTable if it is none, or no file has this shape."""
    try:
        size = file.stat().st_size
        with file.open("rb") as content:
            head = zstandard.ZstdDecompressor().stream_reader(content).read(MOST_HEAD)
            content.seek(-8, os.SEEK_END)
            length = int.from_bytes(content.read(8), "little")
            end = size - 16 - length
            content.seek(end)
            frame = content.read(8)
            line = content.read(length)
            layers = read_json(line)["layers"]
            certificate = certificate_from(head)
            first = layers[0]["profiles"][0]["at"]
            content.seek(0)
            same = line == index_line(content.read(first), layers)
        if (
            not same
            or frame != SKIPPED + (length + 8).to_bytes(4, "little")
            or not has_shape(certificate, layers, first, end)
        ):
            raise ValueError(head)
    except FileNotFoundError:
        raise
    except (
        ValueError,
        TypeError,
        LookupError,
        OverflowError,
        MemoryError,
        OSError,
        zstandard.ZstdError,
    ) as wrong:
        raise BadTable(f"{file} is no certificate, or damaged") from wrong
    return Held(file, certificate, layers)


def certificate_from(head: bytes) -> Certificate:
    """Return the certificate whose file begins with these lines. ValueError if there is none."""
    lines = head.decode("ascii").split("\n")
    name, start, blocked, _, count = lines[1].split(" ")
    width = int(name)
    if (
        not 2 <= width <= 8
        or start not in STARTS
        or blocked not in BLOCKED
        or not 0 < int(count) <= MOST_PLACEMENTS
    ):
        raise ValueError(lines[1])
    placements = [int(line.split(" ")[1], 16) for line in lines[2 : 2 + int(count)]]
    if any(squares >> width * width or squares.bit_count() != width - 1 for squares in placements):
        raise ValueError(count)
    steps = max(progress_of(width, squares) for squares in placements)
    profiles = [pieces for layer in profiles_by_progress(width)[: steps + 1] for pieces in layer]
    every = sum(prod(comb(width, n) for n in pieces) for pieces in profiles if sum(pieces) == width - 1)
    certificate = Certificate(width, start, blocked, placements)
    is_wall = start == "facing" and width >= LEAST_WALL and sorted(placements) == sorted(wall(width))
    if certificate.head() != head or not (len(set(placements)) == every or is_wall):
        raise ValueError(count)
    return certificate


def has_shape(certificate: Certificate, layers: list[dict[str, Any]], at: int, end: int) -> bool:
    """Return whether layers have all profiles in order, one behind the other from `at` to `end`."""
    if len(layers) != len(certificate.layers):
        return False
    rows = rows_of_unit(certificate.blockers.offsets[-1])
    for progress, layer in zip(reversed(range(len(layers))), layers, strict=True):
        begin, profiles = at, layer["profiles"]
        if layer["progress"] != progress or list(layer) != list(KEPT):
            return False
        if [tuple(about["pieces"]) for about in profiles] != certificate.layers[progress]:
            return False
        for about in profiles:
            units = -(
                -strides_of(tuple(about["pieces"]))[0] * comb(certificate.width, about["pieces"][0]) // rows
            )
            if about["at"] != at or len(about["sizes"]) != units or min(about["sizes"]) < 1:
                return False
            at += sum(about["sizes"])
        if at - begin != layer["bytes"]:
            return False
    return at == end


def check_certificate(file: Path, progress: Progress = lambda *_: None) -> Held:
    """Open a certificate and find its positions anew. BadTable where the file differs in any of them."""
    held = open_certificate(file)
    search, ahead = Search(held.certificate.lanes, held.certificate.blockers), Packs()
    for done, layer in enumerate(held.layers):
        here, counts = Packs(), [0, 0]
        with file.open("rb") as content:
            content.seek(layer["profiles"][0]["at"])
            digest = hashlib.sha256(content.read(layer["bytes"])).hexdigest()
        for pieces in held.profiles_of(done):
            waiting, moving = search.hold(pieces, partial(unpack_planes, ahead, held.certificate.blockers))
            if not all(map(np.array_equal, waiting, held.planes(pieces))):
                raise BadTable(f"{file} has positions that are not held, or lacks some, in profile {pieces}")
            found = search.counts(pieces, waiting, moving)
            counts = [count + more for count, more in zip(counts, found, strict=True)]
            here[pieces] = pack_planes(moving)
        if (digest, counts) != (layer["sha256"], [layer["waiting"], layer["moving"]]):
            raise BadTable(f"{file} has another digest or count of layer {layer['progress']}")
        ahead = here
        progress(done + 1, len(held.layers))
    return held


class Held:
    """The positions that a certificate holds, read from its file."""

    def __init__(self, file: Path, certificate: Certificate, layers: list[dict[str, Any]]) -> None:
        self.file: Path = file
        self.certificate: Certificate = certificate
        self.layers: list[dict[str, Any]] = layers
        self._places = {tuple(about["pieces"]): about for layer in layers for about in layer["profiles"]}
        self._unit = lru_cache(maxsize=64)(self._read_unit)

    @property
    def digest(self) -> str:
        """SHA-256 in hexadecimal of the lines that the file begins with, and of the digests of its layers."""
        digests = "".join(layer["sha256"] for layer in self.layers)
        return hashlib.sha256(self.certificate.head() + digests.encode()).hexdigest()

    def profiles_of(self, layer: int) -> list[Pieces]:
        """Return the profiles of a layer as they come in the file."""
        return [tuple(about["pieces"]) for about in self.layers[layer]["profiles"]]

    def planes(self, pieces: Pieces) -> list[Any]:
        """Return the rows of a profile, by group."""
        units = [self._read_unit(pieces, unit) for unit in range(len(self._places[pieces]["sizes"]))]
        plane = np.concatenate(units)
        return [
            np.ascontiguousarray(part)
            for part in np.split(plane, self.certificate.blockers.offsets[1:-1], axis=1)
        ]

    def _read_unit(self, pieces: Pieces, unit: int) -> Any:
        about, words = self._places[pieces], self.certificate.blockers.offsets[-1]
        with self.file.open("rb") as file:
            file.seek(about["at"] + sum(about["sizes"][:unit]))
            packed = file.read(about["sizes"][unit])
        lead = b"" if unit else bytes(pieces)
        placements = strides_of(pieces)[0] * comb(len(pieces), pieces[0])
        rows = min(rows_of_unit(words), placements - unit * rows_of_unit(words))
        try:
            if zstandard.frame_content_size(packed) != len(lead) + 8 * words * rows:
                raise BadTable(f"{self.file} is damaged")
            raw = zstandard.decompress(packed)
        except zstandard.ZstdError as wrong:
            raise BadTable(f"{self.file} is damaged") from wrong
        if not raw.startswith(lead):
            raise BadTable(f"{self.file} is damaged")
        return np.frombuffer(raw[len(lead) :], np.uint64).reshape(rows, words)

    def holds(self, blocker: Squares, attacker: Squares) -> bool:
        """Return whether the blocker holds a position with the attacker to move. Each sees its own squares."""
        bit = self.certificate.bits.get(blocker)
        if bit is None or not attacker:
            return False
        pieces, row = self.certificate.row_of(attacker)
        rows = rows_of_unit(self.certificate.blockers.offsets[-1])
        return bool(int(self._unit(pieces, row // rows)[row % rows, bit // 64]) >> bit % 64 & 1)

    def replies(self, blocker: Squares, attacker: Squares) -> list[Squares]:
        """Return the placements by which the blocker, to move, goes on holding; its own if it has to pass."""
        width, across = self.certificate.width, self.certificate.lanes.across.tolist()
        taken = {across[square] for square in range(width * width) if attacker >> square & 1}
        steps = [after for after, target in steps_from(width, blocker) if target not in taken]
        if not steps and self.certificate.blocked == "pass":
            steps = [blocker]
        return [after for after in steps if self.holds(after, attacker)]

    def holds_after(self, position: Position, blocker: int) -> bool:
        """Return whether a seat that has just moved holds the position, with the other to move."""
        index, board, s = index_of(position.game), position.game.board, position.s
        if s.turn != 1 - blocker:
            return position.actor is None and s.turn < 0 and position.game.rules.score(board, s, blocker) >= 0
        mine, theirs = (index.side_coins(board, s, seat) for seat in (blocker, 1 - blocker))
        if blocker == 1:
            mine = index.flip_side(board, mine)
        if mine not in self.certificate.bits:
            return False
        return self.holds(mine, theirs if blocker == 1 else index.flip_side(board, theirs))

    def holds_start(self) -> tuple[bool, bool]:
        """Return whether the blocker holds the start as second player, and as first."""
        start = self.certificate.first_placement
        return self.holds(start, start), bool(self.replies(start, start))
