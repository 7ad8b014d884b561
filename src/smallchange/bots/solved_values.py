"""The values of a position and of its moves in a solved game, for those who explore it."""

from __future__ import annotations

from typing import NamedTuple

from smallchange.core.game import Position
from smallchange.tablebase import Value

from .engines.tablebase import get_or_make_table, held_moves, value_after


class SolvedValues(NamedTuple):
    """The value of a position to the player to move, and that of each legal token; None where it is not known.

    `held` are tokens of unknown value after which the certificate of a blockade says that the player cannot lose.
    """

    value: Value | None
    moves: dict[str, Value | None]
    held: tuple[str, ...] = ()


def solved_values(position: Position) -> SolvedValues:
    """Look a position up at a player's step, in the game's table or opening book. A small game is solved at once."""
    table = get_or_make_table(position.game)
    moves: dict[str, Value | None] = dict.fromkeys(position.legal())
    if table is not None:
        moves = {token: value_after(table, position.played(token), position.s.turn) for token in moves}
    held = held_moves(position, [token for token, value in moves.items() if value is None])
    return SolvedValues(table.value(position) if table and position in table else None, moves, tuple(held))
