"""The values of a position and of its moves in a solved game, for those who explore it."""

from __future__ import annotations

from typing import NamedTuple

from smallchange.core.game import Position
from smallchange.tablebase import Value

from .engines.tablebase import get_or_make_table, value_after


class SolvedValues(NamedTuple):
    """The value of a position to the player to move, and that of each legal token; None where it is not known."""

    value: Value | None
    moves: dict[str, Value | None]


def solved_values(position: Position) -> SolvedValues:
    """Look a position up at a player's step, in the game's table or opening book. A small game is solved at once."""
    table = get_or_make_table(position.game)
    if table is None:
        return SolvedValues(None, dict.fromkeys(position.legal()))
    moves = {token: value_after(table, position.played(token), position.s.turn) for token in position.legal()}
    return SolvedValues(table.value(position) if position in table else None, moves)
