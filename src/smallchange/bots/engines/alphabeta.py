"""Alpha-beta search for games for two without chance, with tables of solved positions where there are any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import tanh
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.game import Game, Position
from smallchange.i18n.text import Text
from smallchange.tablebase import PliesTable, Table

from . import greedy
from .compile_cache import CompileCache
from .evaluation import MoveEvaluation
from .tablebase import get_or_make_table, held_moves, instant_table, plies_to_no_progress_draw, safe_moves
from .time_control import batches_until

if TYPE_CHECKING:
    from smallchange.engine.search.iterative_deepening import SearchResult

ABOUT = Text("alpha-beta search, and tables of solved positions")
PLAYS = 2  # grows when it plays so differently that figures of its games are void
BUDGET = "nodes"  # the number of a plan that limits a search
FIRST_BATCH = 500  # nodes before the clock is looked at
CONTEMPT = 100  # the value given up to avoid a draw; research/lab-log.md has the reason
EVALUATION_FACTOR = 5  # times as many nodes to evaluate a move as to choose one
OUTCOME_ODDS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
UNLIMITED = 1 << 40
Search = Callable[..., Any]  # as AlphaBetaSearcher.search


class Engine(NamedTuple):
    """The search of a game, and its table of solved positions, if there is one."""

    search: Search
    table: Table | None


def choose(
    position: Position,
    legal: Sequence[str],
    seconds: float,
    luck: Random,
    nodes: int = UNLIMITED,
    max_depth: int = UNLIMITED,
    contempt: int = CONTEMPT,
    wait: float = 0.0,
) -> str:
    """Return the move that the search prefers among those that a table calls best, or a certificate no loss.

    The search looks at most at `nodes` positions, and `max_depth` plies ahead. The rule of thumb chooses
    while the search is still being compiled; waiting for it costs thinking time only after `wait` seconds.
    """
    if len(legal) == 1:
        return legal[0]
    engine, left = _engines.get_and_time_left(position, seconds, wait)
    end = perf_counter() + left
    table = engine.table if engine else instant_table(position.game)
    moves = safe_moves(position, legal, table) if table else list(legal)
    moves = held_moves(position, moves) or moves
    if len(moves) == 1:
        return moves[0]
    found = search(position, end - perf_counter(), luck, nodes, max_depth, contempt, moves)
    return position.game.tokens[found.action] if found else greedy.choose(position, moves, seconds, luck)


def search(
    position: Position,
    seconds: float,
    luck: Random,
    nodes: int = UNLIMITED,
    max_depth: int = UNLIMITED,
    contempt: int = CONTEMPT,
    moves: Sequence[str] = (),
) -> SearchResult | None:
    """Return the findings of a search within the seconds (infinity for no clock), of `moves` only if given.

    Return None if there is no time, or while the search is being compiled in the background. Raise
    ModuleNotFoundError, with the command that installs it, if a package is missing.
    """
    end = perf_counter() + seconds
    engine = _engines.get(position, seconds)
    if engine is None or seconds <= 0:
        return None
    actions = [position.game.actions[token] for token in moves or position.legal()]
    luck.shuffle(actions)
    budget = batches_until(end, nodes, FIRST_BATCH)
    with _engines.lock:
        found: SearchResult = engine.search(position.s, budget, actions, max_depth, contempt)
    return found


def best_move(
    position: Position, seconds: float, luck: Random, wait: float = 0.0, **plan: Any
) -> MoveEvaluation | None:
    """Return the best move found, with odds as in `evaluate_move`.

    Return None if code is still being compiled.
    """
    engine, left = _engines.get_and_time_left(position, seconds, wait)
    if engine is None:
        return None
    end = perf_counter() + left
    if engine.table and position in engine.table:
        move = choose(position, position.legal(), left, luck, **plan)
        odds = _table_odds(engine.table, position, move)
        if odds is not None:
            return MoveEvaluation(None, move, odds, exact=True)
    found = search(position, end - perf_counter(), luck, contempt=0, **plan)
    if found is None:
        return None
    return MoveEvaluation(None, position.game.tokens[found.action], value_to_odds(position.game, found.value))


def evaluate_move(
    position: Position,
    token: str,
    seconds: float,
    luck: Random,
    wait: float = 0.0,
    nodes: int = UNLIMITED,
) -> MoveEvaluation | None:
    """Evaluate a move and the best move: both by searches of the same depth, or both from a table.

    Odds are those of the best bot against itself, a draw being half a win. Return None if code is still being
    compiled after `wait` seconds.
    """
    engine, left = _engines.get_and_time_left(position, seconds, wait)
    if engine is None:
        return None
    game, end = position.game, perf_counter() + left
    if engine.table and position in engine.table:
        moves = safe_moves(position, position.legal(), engine.table)
        best = token if token in moves else moves[0]
        odds, better = (_table_odds(engine.table, position, move) for move in (token, best))
        if odds is not None and better is not None:
            return MoveEvaluation(odds, best, better, exact=True)
    found = search(position, left, luck, EVALUATION_FACTOR * nodes, contempt=0)
    if found is None:
        return None
    best, better = game.tokens[found.action], value_to_odds(game, found.value)
    if token == best:
        return MoveEvaluation(better, best, better)
    alone = search(position, end - perf_counter(), luck, max_depth=found.depth, contempt=0, moves=[token])
    return MoveEvaluation(value_to_odds(game, alone.value) if alone else None, best, better)


def _table_odds(table: Table, position: Position, move: str) -> float | None:
    """Return the odds after a move by the table.

    Return None where a draw for lack of progress, which the table ignores, may end the match before.
    """
    value = table.after(position, move)
    if value.plies and value.plies >= plies_to_no_progress_draw(position.game)(
        position.game.board, position.s
    ):
        return None
    return OUTCOME_ODDS[value.outcome]


def value_to_odds(game: Game, value: int) -> float:
    """Return the mean points of the best bot against itself from positions of this search value.

    The formula is a logistic curve, fitted by research/expected.py; it is 1 or 0 where the search sees the end.
    """
    from smallchange.engine.kernels.alphabeta import MAX_EVALUATION

    if abs(value) > MAX_EVALUATION:
        return float(value > 0)
    return (1 + tanh(value / evaluation_scale(game) / 2)) / 2


def evaluation_scale(game: Game) -> int:
    """Return the difference in value that changes even odds to odds of e to 1."""
    if game.evaluation is None:
        raise ModuleNotFoundError(f"{game.id} has no ai/evaluation.py")
    return game.evaluation.odds_scale(game.board)


def warm_up(position: Position) -> None:
    """Start compiling in the background."""
    _engines.get(position, 0.0)


def provide(game: Game, search: Search) -> None:
    """Give a game a search that was compiled elsewhere, without a table."""
    _engines.add(game, Engine(search, None))


def _make(position: Position) -> Engine:
    from smallchange.engine.search.iterative_deepening import AlphaBetaSearcher
    from smallchange.tablebase.tablebase_view import tablebase_view

    game = position.game
    table, start = get_or_make_table(game), game.start()
    probed = table and start not in table  # else every move is chosen from the table anyway
    deepener = AlphaBetaSearcher(
        game, tablebase_view(table) if isinstance(table, PliesTable) and probed else None
    )
    deepener.search(start.s, lambda seen: 1 - seen)  # compiles, or loads what was compiled
    return Engine(deepener.search, table)


_engines = CompileCache(_make)
