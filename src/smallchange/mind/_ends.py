"""The last choices of a game for one, which need no estimate: where few positions are left, all are looked
at."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from smallchange.game import Position

from ._ready import Judged, Ready

if TYPE_CHECKING:
    from smallchange.solve.exact import Exact

MEMORY = 1 << 25  # bytes for positions: some 160,000, a tenth of a second


def certain(position: Position, token: str | None, found: Judged, wait: float) -> Judged:
    """What was found of a move, by exact odds: its best move stays if none is better. As it was found in a
    game for two, where too many positions are left, and if code is still being compiled after `wait` seconds.
    """
    if found.exact or len(position.game.seats) > 1:
        return found
    solver = _solvers.engine(position, wait)
    if solver is None:
        return found
    from smallchange.solve.exact import TooLarge

    with _solvers.lock:
        solver.forget()  # what it knows of another position would let it do more than it does for others
        try:
            moves = {move: float(worth) for move, worth in solver.moves(position)}
        except TooLarge:
            return found
    better = max(moves.values())
    best = found.best if moves[found.best] == better else max(moves, key=moves.__getitem__)
    return Judged(None if token is None else moves[token], best, better, exact=True)


def _make(position: Position) -> Exact:
    from smallchange.solve.exact import Exact, TooLarge

    solver = Exact(position.game, memory=MEMORY)
    with suppress(TooLarge):
        solver.worth(position)  # compiles, or loads what was compiled
    return solver


_solvers = Ready(_make)
