"""Monte-Carlo tree search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from smallchange.core.game import Game, Position
from smallchange.i18n.text import Text

from .compile_cache import CompileCache
from .evaluation import MoveEvaluation, best_token, outcome_points
from .time_control import batches_until

if TYPE_CHECKING:
    from smallchange.engine.search.mcts import MoveStats

ABOUT = Text("tree search")
BUDGET = "simulations"  # the number of a plan that limits a search
FIRST_BATCH = 8  # simulations before the clock is looked at
EVALUATION_FACTOR = 4  # times as many simulations to evaluate a move as to choose one
UNLIMITED = 1 << 40
Search = Callable[[Any, Mapping[str, int], int, Callable[[int], int]], list[Any]]  # as TreeSearcher.search


def search(
    position: Position,
    seconds: float,
    luck: Random,
    simulations: int = UNLIMITED,
    wait: float = 0.0,
    **plan: Any,
) -> list[MoveStats]:
    """Return the statistics of each legal move, or outcome of chance, most visited first.

    The search ends after `seconds` (infinity for no clock) or `simulations`. The first search of a game in a
    process compiles its code in the background. Until that is done the result is []; waiting for it costs
    thinking time only after `wait` seconds. Raise ModuleNotFoundError if Numba is missing.
    """
    searcher, left = _searchers.get_and_time_left(position, seconds, wait)
    if searcher is None:
        return []
    end = perf_counter() + left
    budget = batches_until(end, simulations, FIRST_BATCH)
    with _searchers.lock:
        return searcher(position.s, plan, luck.getrandbits(63), budget)


def choose(position: Position, legal: Sequence[str], seconds: float, luck: Random, **plan: Any) -> str:
    """Return the most visited move, or the rule of thumb's move while there is none."""
    if len(legal) == 1:
        return legal[0]
    return best_token(search(position, seconds, luck, **plan), position, legal, seconds, luck)


def best_move(
    position: Position, seconds: float, luck: Random, wait: float = 0.0, **plan: Any
) -> MoveEvaluation | None:
    """Return the most visited move; its odds are the share of its simulations that its player won.

    Return None if code is still being compiled, or if there was no time for any simulation.
    """
    found = search(position, seconds, luck, wait=wait, **plan)
    if not any(look.visits for look in found):
        return None
    return MoveEvaluation(None, position.game.tokens[found[0].action], _player_share(position, found[0].won))


def evaluate_move(
    position: Position,
    token: str,
    seconds: float,
    luck: Random,
    wait: float = 0.0,
    simulations: int = UNLIMITED,
    **plan: Any,
) -> MoveEvaluation | None:
    """Evaluate a move and the best move, each by a search of the position after it.

    The search before the move chooses the best one; it visits other moves too rarely to evaluate them.
    Return None if code is still being compiled after `wait` seconds, or if there was no time for any
    simulation.
    """
    third = seconds / 3  # for each of the searches
    found = search(position, third, luck, simulations, wait, **plan)
    if not found:
        return None
    best, limit = position.game.tokens[found[0].action], EVALUATION_FACTOR * simulations
    better = _share_won_after(position, best, third, luck, limit, **plan)
    odds = better if token == best else _share_won_after(position, token, third, luck, limit, **plan)
    return None if odds is None or better is None else MoveEvaluation(odds, best, better)


def _share_won_after(
    position: Position, token: str, seconds: float, luck: Random, simulations: int, **plan: Any
) -> float | None:
    """Return the share of simulations after a move that its player won; None if there was time for none."""
    after = position.played(token)
    points = outcome_points(after, position.actor or "")
    if points is not None:
        return points
    found = search(after, seconds, luck, simulations, **plan)
    visits = sum(look.visits for look in found)
    if not visits:
        return None
    return _player_share(position, sum(look.won * look.visits for look in found) / visits)


def _player_share(position: Position, share: float) -> float:
    """Turn the first player's share of simulations won into that of the player to move.

    A draw counts as a win of the second player.
    """
    return share if position.s.turn == 0 else 1 - share


def warm_up(position: Position) -> None:
    """Start compiling in the background."""
    _searchers.get(position, 0.0)


def provide(game: Game, search: Search) -> None:
    """Give a game a search that was compiled elsewhere."""
    _searchers.add(game, search)


def _make(position: Position) -> Search:
    from smallchange.engine.search.mcts import Plan, TreeSearcher

    searcher = TreeSearcher(position.game)
    searcher.search(position.s, Plan(), 0, lambda done: 1 - done)  # compiles, or loads what was compiled
    return lambda s, plan, seed, budget: searcher.search(s, Plan(**plan), seed, budget)


_searchers = CompileCache(_make)
