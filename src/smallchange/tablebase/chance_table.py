"""Tables of the values of games with chance: what a position is worth if both play perfectly, with a proven bound."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any

import numpy as np

from smallchange.core.errors import BadPosition, BadTable
from smallchange.core.game import Game, Position
from smallchange.core.json_text import read_json
from smallchange.core.state import CHANCE, OVER
from smallchange.engine.kernels.chance_values import ONE

from .chance_solver import MAGIC, following, identity, middle_of, place_of
from .table import digest, header_line
from .table_files import table_name, tables_folder, warn_of_bad_files

MOST_HEAD = 10_000
MALFORMED = ValueError, LookupError, TypeError, AttributeError, OverflowError, OSError
KEY_BYTES, CELL_BYTES = 8, 2  # of a position: only one that is listed has a key


class ValueTable:
    """The values of a game's positions, read from a file. ValueError where it has too few or too many bytes."""

    def __init__(self, game: Game, header: dict[str, Any], body: memoryview) -> None:
        self.game: Game = game
        self.header: dict[str, Any] = header
        index = game.chance_layers
        each = CELL_BYTES if index else KEY_BYTES + CELL_BYTES
        sizes = [len(body) // each]
        if index:
            sizes = [index.layer_positions(game.board, i) for i in range(index.value_layers(game.board))]
        self.positions: int = sum(sizes)
        if len(body) != self.positions * each:
            raise ValueError(len(body))
        keys = self.positions * (each - CELL_BYTES)
        self.keys: Any = np.frombuffer(body[:keys], "<u8") if keys else None
        self.cells: Any = np.frombuffer(body[keys:], "<u2")
        self.first_cells: list[int] = np.cumsum([0, *sizes]).tolist()

    @property
    def error(self) -> float:
        """The most by which a value can differ from the one that `value` gives."""
        return float(self.header["error"] / ONE)

    @property
    def start_bounds(self) -> tuple[float, float]:
        """The lower and the upper bound of the first position, to the seat whose throw or move it is."""
        low, high = self.header["start"]
        return low / ONE, high / ONE

    def value(self, position: Position, seat: int = 0) -> float:
        """Return what a position is worth to a seat: its chance to win and half its chance to draw.

        BadPosition where the table does not hold it.
        """
        worth = self._value_of(position.s)
        return worth if seat == 0 else 1 - worth

    def moves(self, position: Position) -> dict[str, float]:
        """Return what each legal move of the player to move is worth to that player."""
        seat = position.s.turn
        return {token: self.value(position.played(token), seat) for token in position.legal()}

    def _value_of(self, s: Any, deep: int = 0) -> float:
        """Return the worth of a state to seat 0."""
        rules, board, alone = self.game.rules, self.game.board, len(self.game.seats) == 1
        if s.turn == OVER:
            lead = rules.score(board, s, 0) - (0 if alone else rules.score(board, s, 1))
            return 1.0 if lead > 0 else 0.5 if lead == 0 and not alone else 0.0
        layer, rank = place_of(self.game, s, self.keys)
        if layer >= 0:
            worth = float(middle_of(int(self.cells[self.first_cells[layer] + rank])) / ONE)
            index = self.game.chance_layers
            return 1 - worth if index is not None and index.value_seat(board, s) else worth
        if deep:
            raise BadPosition("the table does not hold this position")
        after = [(weight, self._value_of(t, 1)) for weight, t in following(self.game, s)]
        if s.turn == CHANCE:
            return sum(weight * worth for weight, worth in after) / sum(weight for weight, _ in after)
        return (max if s.turn == 0 else min)(worth for _, worth in after)


def open_values(path: str | Path, check: bool = True) -> ValueTable:
    """Open the table in a file. BadTable if it is none, is damaged, or was made for other rules."""
    try:
        with Path(path).open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        end = content.find(b"\n", len(MAGIC), len(MAGIC) + MOST_HEAD)
        line = content[len(MAGIC) : end] if content[: len(MAGIC)] == MAGIC else b""
        header = read_json(line)
        game, version = Game(header["game"], header["options"]), header["version"]
        error, gap, (low, high) = int(header["error"]), int(header["gap"]), map(int, header["start"])
        meant = {"error": error, "gap": gap, "start": [low, high], "digest": header["digest"]}
        if line != header_line({**identity(game), "version": version, **meant}):
            raise ValueError(line)
        if not 0 <= low <= high <= ONE or not high - low <= gap <= 2 * error <= 2 * ONE:
            raise ValueError(meant)
        made_by, body = identity(game)["version"], memoryview(content)[end + 1 :]
        table = ValueTable(game, header, body) if version == made_by else None
    except FileNotFoundError:
        raise
    except MALFORMED as wrong:
        raise BadTable(f"{path} is no table of values as they are written now, or damaged") from wrong
    if table is None:
        raise BadTable(f"{path} is for version {version} of the rules and the numbering, not {made_by}")
    if check and digest(header, body) != header["digest"]:
        raise BadTable(f"{path} is damaged: its digest is not the one it names")
    return table


def values_file(game: Game) -> Path:
    """Return the file in which a game's table of values is looked for."""
    return tables_folder() / (table_name(game, game.non_default_options) + ".values")


def find_values(game: Game) -> ValueTable | None:
    """Return the table of values of a game in the folder of tables, or None. Warn of a damaged one."""
    if not values_file(game).exists():
        return None
    with warn_of_bad_files():
        return open_values(values_file(game), check=False)
    return None
