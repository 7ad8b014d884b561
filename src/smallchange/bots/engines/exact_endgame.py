"""The last choices of a game: where few positions are left, all are searched for exact odds.

Hints and reviews say these odds in a game for one. A level with `exact_ends` plays by them, and its answer depends on
the position alone.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING

from smallchange.bots.levels import ExactEnds, install_advice
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
    are left, where a package for exact odds is missing, and if code is still being compiled after `wait` seconds.
    """
    if found.exact or len(position.game.seats) > 1 or install_advice():
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


def better_move(position: Position, token: str, ends: ExactEnds, wait: float) -> str:
    """Return `token`, or the first best move where that is better by exact odds.

    Return `token` itself before the score of `ends`, where its positions do not settle the odds, and if code is still
    being compiled after `wait` seconds.
    """
    game = position.game
    if game.rules.score(game.board, position.s, position.s.turn) < ends.score:
        return token
    solver = _end_solvers.get(position, wait)
    if solver is None:
        return token
    with _end_solvers.lock:
        best = solver.value(position, ends.positions)
        if best is None:
            return token
        for move in (token, *position.legal()):
            if solver.value(position.played(move), ends.positions) == best:
                return move
    return token


def warm_up(position: Position) -> None:
    """Start compiling in the background."""
    _end_solvers.get(position, 0.0)


class EndSolver:
    """Exact values within a number of positions; the findings for one serve the rest of a game."""

    def __init__(self, position: Position) -> None:
        from smallchange.tablebase.exact import Exact

        self._solver = Exact(position.game)
        self._limit = 1
        self.value(position, self._limit)  # compiles, or loads what was compiled

    def value(self, position: Position, limit: int) -> Fraction | None:
        """Return the value, or None where the solver has to look at more than `limit` positions.

        A value that it knows would be found anew within the same limit, so the answer does not
        depend on earlier questions.
        """
        from smallchange.tablebase.exact import TooLarge

        if limit != self._limit:
            self._solver.forget()
            self._limit = limit
        known = self._solver.positions
        with suppress(TooLarge):
            value = self._solver.value(position, positions=known)
            if self._solver.positions == known:
                return value
        self._solver.forget()
        with suppress(TooLarge):
            return self._solver.value(position, positions=limit)
        return None


def _make(position: Position) -> Exact:
    from smallchange.tablebase.exact import Exact, TooLarge

    solver = Exact(position.game, memory=MEMORY_BYTES)
    with suppress(TooLarge):
        solver.value(position)  # compiles, or loads what was compiled
    return solver


_solvers = CompileCache(_make)
_end_solvers = CompileCache(EndSolver)
