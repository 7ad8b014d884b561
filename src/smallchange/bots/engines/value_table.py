"""Moves of games with chance by a table of solved values (`smallchange solve`), which is asked before any search."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from smallchange.core.game import Game, Position

from .evaluation import MoveEvaluation

if TYPE_CHECKING:
    from smallchange.tablebase.chance_table import ValueTable


@lru_cache(maxsize=16)
def existing_values(game: Game) -> ValueTable | None:
    """Return the table of values of a game with chance, or None. The file is looked for once."""
    if not game.sources or find_spec("numba") is None:
        return None
    from smallchange.tablebase.chance_table import find_values

    return find_values(game)


def known_moves(position: Position) -> dict[str, float] | None:
    """Return the value of each move to the player to move, 0 to 1; None where there is no table."""
    table = existing_values(position.game)
    return None if table is None else table.moves(position)


def known_evaluation(position: Position, token: str | None = None) -> MoveEvaluation | None:
    """Return the exact evaluation of a move, and of the best one; None where there is no table."""
    moves = known_moves(position)
    if not moves:
        return None
    best = max(moves, key=lambda move: (moves[move], move == token))
    return MoveEvaluation(None if token is None else moves[token], best, moves[best], exact=True)
