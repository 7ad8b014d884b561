"""Tablebase files, mapped from disk: a look-up reads a few bytes and needs nothing else in memory.

A file is the line MAGIC; a line of JSON with its game and options; one code of `bits` bits a position,
lowest bit first; then the rare values that have no code: their positions (uint32, ascending) and values
(int16). Code n stands for `values[n]`, the highest code for a rare value. Numbers are little-endian.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from smallchange.core.errors import BadPosition
from smallchange.core.game import Game, Position

from .ranked_games import index_of

MAGIC = b"smallchange table 1\n"
LAYERED = b"smallchange layered table 1\n"
SPARE = 8  # bytes of nothing after the codes, so that a code can be read with its neighbours
ENDED = "this position cannot come up: its player has no step, and the game would be over"
UNNUMBERED = "nothing like this can come up: it has no number in the game's index"
OVER_ALREADY = "nobody is to move: the game is over"
NOBODY = 32767  # the value of what is no position


class Value(NamedTuple):
    """The value of a position for the player to move: "win", "draw" or "loss", and in how many steps.

    A win is in the fewest steps and a loss in the most that the other can be held to; both players' steps are
    counted. `plies` is None for a draw, which neither can turn, and in tables of large boards.
    """

    outcome: str
    plies: int | None


def layout(header: dict[str, Any]) -> list[int]:
    """Return the offsets, after the header, of the rare positions, of their values, and of the end."""
    codes = (header["positions"] * header["bits"] + 7) // 8 + SPARE
    return [codes, codes + header["rare"] * 4, codes + header["rare"] * (4 + 2)]


def digest(header: dict[str, Any], *content: bytes | memoryview | mmap.mmap) -> str:
    """SHA-256 in hexadecimal of the header, without its digest, and what comes after."""
    sha = hashlib.sha256(header_line({k: v for k, v in header.items() if k != "digest"}))
    for part in content:
        sha.update(part)
    return sha.hexdigest()


def header_line(header: dict[str, Any]) -> bytes:
    """Return the only line that a header may have."""
    return json.dumps(header, sort_keys=True).encode()


class Table(ABC):
    """The values of a game's positions; `open_table` opens one."""

    def __init__(self, game: Game, header: dict[str, Any], positions: int) -> None:
        self.game = game
        self.header = header
        self.positions = positions
        self._index = index_of(game)
        self._known = game  # the last game that was found to have these tables
        self.reopen: tuple[Callable[..., Table], tuple[object, ...]] | None = None  # how a copy is made

    def __reduce__(self) -> Any:
        return self.reopen or super().__reduce__()

    @abstractmethod
    def __contains__(self, position: Position) -> bool:
        """Return whether the position is of this game, not over, and held by the table."""

    @abstractmethod
    def value(self, position: Position) -> Value:
        """Return the value of a position to the player to move, if play may go on for ever.

        BadPosition where nobody is to move, and where the table does not hold the position.
        """

    @abstractmethod
    def random_position(self, luck: Random) -> Position:
        """Return one of the table's positions, each equally likely."""

    def steps(self, position: Position) -> list[tuple[str, Value]]:
        """Return every legal token, sorted, with its value to the player who takes it."""
        return [(token, self.after(position, token)) for token in position.legal()]

    def best(self, position: Position) -> list[str]:
        """Return the tokens that win soonest; else those that draw; else those that lose latest. Sorted.

        BadPosition as for `value`.
        """
        if position.s.turn < 0:
            raise BadPosition(OVER_ALREADY)
        values = [(goodness(value), token) for token, value in self.steps(position)]
        most = max(values)[0]
        return [token for good, token in values if good == most]

    def after(self, position: Position, token: str) -> Value:
        """Return the value of a step to the player who takes it; BadPosition where the table does not know."""
        return self.value_after(position.played(token), position.s.turn)

    def value_after(self, after: Position, mover: int) -> Value:
        """Return the value of a step that led to a position, to the seat that took it."""
        if after.s.turn >= 0:
            return opposite(self.value(after))
        lead = after.score(self.game.seats[mover]) or 0
        lead -= after.score(self.game.seats[1 - mover]) or 0
        return Value("win" if lead > 0 else "loss", 1) if lead else Value("draw", None)

    def layer(self, position: Position) -> int:
        """Return the number of the position's layer in the game's index: no step leads to a higher one."""
        layer: int = self._index.layer(self.game.board, position.s)
        return layer

    def admits(self, game: Game) -> bool:
        """Are this game's positions those of the table? Options that end long play may differ."""
        if game.id != self.game.id or not self._index.same(self.game.board, game.board):
            return False
        self._known = game
        return True

    def _refuse_foreign(self, position: Position) -> None:
        game = position.game
        if game is not self._known and not self.admits(game):
            raise BadPosition(f"a position of {game!r} is not in a table of {self.game!r}")
        if position.s.turn < 0:
            raise BadPosition(OVER_ALREADY)


class PliesTable(Table):
    """The values of a game's positions with the plies to the end; `open_table` opens one."""

    def __init__(self, game: Game, header: dict[str, Any], body: memoryview) -> None:
        super().__init__(game, header, header["positions"])
        self.body = body
        self._bits: int = header["bits"]
        self._highest = (1 << self._bits) - 1
        self._values = [value_of(v) for v in header["values"]]
        rare, values, end = layout(header)
        self._rare = body[rare:values].cast("I")
        self._rare_values = body[values:end].cast("h")

    def __contains__(self, position: Position) -> bool:
        if not self.admits(position.game) or position.s.turn < 0:
            return False
        i: int = self._index.place(self.game.board, position.s)
        return 0 <= i < self.positions

    def value(self, position: Position) -> Value:
        self._refuse_foreign(position)
        i = self._index.place(position.game.board, position.s)
        if i < 0:
            raise BadPosition(UNNUMBERED)
        if i >= self.positions:
            raise BadPosition("the position has more pieces than this table holds")
        return self.entry(i)

    def entry(self, i: int) -> Value:
        """Return the value of position number i, with either player to move."""
        bits, body = self._bits, self.body
        at = i * bits
        byte = at >> 3
        code = (body[byte] | body[byte + 1] << 8 | body[byte + 2] << 16) >> (at & 7) & self._highest
        value = self._values[code] if code < self._highest else value_of(self._rare_value(i))
        if value is None:
            raise BadPosition(ENDED)
        return value

    def position(self, i: int, seat: int) -> Position:
        """Return position number i with a seat to move; fields that its number does not cover are as at the start."""
        s = self.game.state_type()
        self._index.position(self.game.board, s, i, seat)
        return Position(self.game, s)

    def random_position(self, luck: Random) -> Position:
        return self.position(luck.randrange(self.positions), luck.randrange(2))

    def _rare_value(self, i: int) -> int:
        return self._rare_values[bisect_left(self._rare, i)]


def goodness(value: Value) -> int:
    """Greater is better for the player to move: a win, the sooner the better; a draw; a late loss.

    >>> sorted([Value("draw", None), Value("loss", 4), Value("win", 3), Value("loss", 2)], key=goodness)[0]
    Value(outcome='loss', plies=2)
    """
    if value.outcome == "draw":
        return 0
    plies = value.plies or 0
    return NOBODY - plies if value.outcome == "win" else plies - NOBODY


def opposite(value: Value) -> Value:
    """Return the value of a step that gives the other player a position of this value.

    >>> opposite(Value("loss", 4))
    Value(outcome='win', plies=5)
    """
    if value.outcome == "draw":
        return value
    outcome = "loss" if value.outcome == "win" else "win"
    return Value(outcome, None if value.plies is None else value.plies + 1)


def value_of(v: int) -> Value | None:
    """Return the value that a number of a table stands for; None where there is no position."""
    if v == NOBODY:
        return None
    return Value("win" if v > 0 else "loss", abs(v)) if v else Value("draw", None)
