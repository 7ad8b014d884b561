"""Expectimax to the very end, exact, where that can be done in time; tree search until then.

What is found out about a position late in a game serves for the rest of the game: after the first move that
is exact all are, and at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from contextlib import suppress
from random import Random
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from smallchange.game import Game, Position
from smallchange.text import Text

from . import _search
from .levels import lacking

if TYPE_CHECKING:
    from smallchange.solve.exact import Exact

ABOUT = Text("exact odds near the end, tree search before", "終盤は正確な確率、それまでは木探索")
SHARE = 30  # hundredths of the time that are given to exact play
KEPT = 4  # games whose positions are kept
MEMORY = 1 << 28  # bytes for the positions of a game

_solvers: OrderedDict[Game, Future[Exact]] = OrderedDict()
_makers = ThreadPoolExecutor(1, "compiling")
_one_at_a_time = Lock()


def fits(game: Game) -> bool:
    """Can this engine play the game? Without chance there is better."""
    return bool(game.sources)


def choose(
    position: Position,
    legal: Sequence[str],
    seconds: float,
    luck: Random,
    most: int = 1 << 40,
    share: int = SHARE,
    **plan: Any,
) -> str:
    """A move with the best odds of winning where it is found in time; else what the search likes."""
    if len(legal) == 1:
        return legal[0]
    begun = perf_counter()
    found = perfect(position, seconds * share / 100)
    return found or _search.choose(position, legal, seconds - (perf_counter() - begun), luck, most, **plan)


def perfect(position: Position, seconds: float) -> str | None:
    """A move with the best odds of winning; None where it is not found in time, or nothing can win."""
    until = perf_counter() + seconds
    if lacking():
        raise ModuleNotFoundError(lacking())
    from smallchange.solve.exact import TooLarge

    try:
        solver = _solver(position.game).result(max(0.0, seconds))
        with _one_at_a_time:
            if solver.crowded:
                solver.forget()
            moves = solver.moves(position, until - perf_counter())
    except (TimeoutError, TooLarge):
        return None
    worst, best = moves[-1][1], moves[0][1]
    return None if worst == best else moves[0][0]


def _solver(game: Game) -> Future[Exact]:
    """The solver of a game, made once in this process by a thread of its own."""
    with _one_at_a_time:
        if game not in _solvers:
            _solvers[game] = _makers.submit(_make, game)
        _solvers.move_to_end(game)
        while len(_solvers) > KEPT:
            _solvers.popitem(last=False)
        return _solvers[game]


def _make(game: Game) -> Exact:
    from smallchange.solve.exact import Exact, TooLarge

    solver = Exact(game, memory=MEMORY)
    with suppress(TooLarge):
        solver.worth(game.start(), 0.0)  # compiles, or loads what was compiled
    return solver
