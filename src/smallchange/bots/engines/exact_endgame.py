"""The last choices of a game for one: where few positions are left, all are searched for exact odds."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from smallchange.core.game import Position

from .compile_cache import CompileCache
from .evaluation import MoveEvaluation

if TYPE_CHECKING:
    from smallchange.tablebase.exact import Exact

MEMORY_BYTES = 1 << 25  # for some 160,000 positions, a tenth of a second


def exact_evaluation(
    position: Position, token: str | None, found: MoveEvaluation, wait: float
) -> MoveEvaluation:
    """Return an evaluation with exact odds, if few positions are left in a game for one.

    The best move stays if none is better. Return `found` itself in a game for two, where too many positions
    are left, and if code is still being compiled after `wait` seconds.
    """
    if found.exact or len(position.game.seats) > 1:
        return found
    solver = _solvers.get(position, wait)
    if solver is None:
        return found
    from smallchange.tablebase.exact import TooLarge

    with _solvers.lock:
        solver.forget()  # what it knows of another position would let it do more than it does for others
        try:
            moves = {move: float(value) for move, value in solver.moves(position)}
        except TooLarge:
            return found
    better = max(moves.values())
    best = found.best if moves[found.best] == better else max(moves, key=moves.__getitem__)
    return MoveEvaluation(None if token is None else moves[token], best, better, exact=True)


def _make(position: Position) -> Exact:
    from smallchange.tablebase.exact import Exact, TooLarge

    solver = Exact(position.game, memory=MEMORY_BYTES)
    with suppress(TooLarge):
        solver.value(position)  # compiles, or loads what was compiled
    return solver


_solvers = CompileCache(_make)
