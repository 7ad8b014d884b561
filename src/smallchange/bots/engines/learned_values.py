"""Search on learned values, compiled in the background.

Games whose `dice_moves.py` says which dice open which moves are searched by expectimax over all throws, with
more and more boards a level while there is time. Other games are searched from the best ends of the turn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.game import Game, Position
from smallchange.core.measurements import VALUES_FILE, VARIANT_VALUES_FILE
from smallchange.i18n.text import Text

from .compile_cache import CompileCache
from .evaluation import MoveEvaluation, best_token
from .time_control import batches_until

if TYPE_CHECKING:
    from smallchange.engine.search.expectimax import ExpectimaxSearcher
    from smallchange.engine.search.mcts import MoveStats

ABOUT = Text("learned values")
BUDGET = "simulations"  # the number of a plan that limits a search
FIRST_BATCH = 4  # simulations, or boards of a level, before the clock is looked at
TIME_MARGIN = 0.7  # share of the time left that a wider search may take, going by the last one
MAX_WIDENING = 16  # a search is at most so many times as wide as the one before
FEW_LEFT_OUT = 0.5  # of the boards: where no more were left out, a search of all boards is soon done
FULL_SEARCH_FACTOR = 4  # a search of all boards may take so many times as long as the last one
UNLIMITED = 1 << 40
Search = Callable[..., list[Any]]  # as ValueSearcher.search, with the numbers of a plan


class Valuer(NamedTuple):
    """The search of a game, and that over all throws, if it has one."""

    search: Search
    throws: ExpectimaxSearcher | None = None


def has_learned_values(game: Game) -> bool:
    """Return whether there are learned values for a game."""
    return (game.folder / VALUES_FILE).exists()


def values_digest(game: Game) -> str:
    """Return eight digits of the SHA-256 of all values learned for a game, "" where there are none."""
    files = [game.folder / name for name in (VALUES_FILE, VARIANT_VALUES_FILE)]
    learned = b"".join(file.read_bytes() for file in files if file.exists())
    return hashlib.sha256(learned).hexdigest()[:8] if learned else ""


def search(
    position: Position,
    seconds: float,
    luck: Random,
    simulations: int = UNLIMITED,
    wait: float = 0.0,
    prefer_exact: bool = False,
    **plan: Any,
) -> tuple[list[MoveStats], bool]:
    """Return the evaluation of each legal move by a search, best first, and whether that is exact.

    `won` of a move is its value, from 0 to 1. `plan` has the numbers of `engine.search.learned_values`'
    Lookahead. The search ends after `seconds` (infinity for no clock) or `simulations`; an expectimax search
    has at most so many boards a level. `prefer_exact`: search all boards where few were left out, if that is
    then exact. Without a clock the result depends on `luck` alone.

    The first search of a game in a process compiles its code in the background. Until that is done the result
    is []; waiting for it costs thinking time only after `wait` seconds. Raise BadValues if there are no
    learned values, ModuleNotFoundError if Numba is missing.
    """
    valuer, left = _valuers.get_and_time_left(position, seconds, wait)
    if valuer is None:
        return [], False
    end = perf_counter() + left
    with _valuers.lock:
        if valuer.throws:
            from smallchange.engine.search.learned_values import Lookahead

            lookahead = Lookahead(**plan)
            width = min(simulations, lookahead.width)
            if width > 0:
                return _search_wider_and_wider(
                    valuer.throws, position, lookahead.depth, end, width, prefer_exact
                )
        budget = batches_until(end, simulations, FIRST_BATCH)
        return valuer.search(position.s, plan, luck.getrandbits(63), budget, simulations), False


def _search_wider_and_wider(
    valuer: ExpectimaxSearcher, position: Position, depth: int, end: float, max_width: int, prefer_exact: bool
) -> tuple[list[MoveStats], bool]:
    """Search with more and more boards a level, until it is exact, wide enough, or out of time."""
    width = min(FIRST_BATCH, max_width)
    while True:
        start = perf_counter()
        found, exact = valuer.search_moves(position.s, width, depth)
        took = perf_counter() - start
        left = end - perf_counter()
        widening = min(MAX_WIDENING, left * TIME_MARGIN / took)
        if exact or width >= max_width or widening < 1.5:
            break
        width = min(max_width, int(width * widening))
    if prefer_exact and not exact and valuer.left_out <= FEW_LEFT_OUT and left > FULL_SEARCH_FACTOR * took:
        full, exact = valuer.search_moves(position.s, depth=depth)
        found = full if exact else found
    return found, exact


def choose(position: Position, legal: Sequence[str], seconds: float, luck: Random, **plan: Any) -> str:
    """Return the best move found, or the rule of thumb's move while there is none."""
    if len(legal) == 1:
        return legal[0]
    found, _ = search(position, seconds, luck, **plan)
    return best_token(found, position, legal, seconds, luck)


def best_move(
    position: Position, seconds: float, luck: Random, wait: float = 0.0, **plan: Any
) -> MoveEvaluation | None:
    """Return the best move found. Return None if code is still being compiled."""
    found, exact = search(position, seconds, luck, wait=wait, prefer_exact=True, **plan)
    if not found:
        return None
    return MoveEvaluation(None, position.game.tokens[found[0].action], found[0].won, exact)


def evaluate_move(
    position: Position, token: str, seconds: float, luck: Random, wait: float = 0.0, **plan: Any
) -> MoveEvaluation | None:
    """Evaluate a move and the best move by one search.

    Return None if code is still being compiled after `wait` seconds.
    """
    found, exact = search(position, seconds, luck, wait=wait, prefer_exact=True, **plan)
    if not found:
        return None
    tokens = position.game.tokens
    chosen = next(look for look in found if tokens[look.action] == token)
    odds = chosen.won if chosen.visits or chosen.mean else None  # None: the search did not look at it
    return MoveEvaluation(odds, tokens[found[0].action], found[0].won, exact)


def warm_up(position: Position) -> None:
    """Start compiling in the background."""
    _valuers.get(position, 0.0)


def provide(game: Game, search: Search) -> None:
    """Give a game a search that was compiled elsewhere."""
    _valuers.add(game, Valuer(search))


def _make(position: Position) -> Valuer:
    from smallchange.engine.search.expectimax import ExpectimaxSearcher, value_searcher
    from smallchange.engine.search.learned_values import Lookahead

    made = value_searcher(position.game)

    def search(s: Any, plan: Mapping[str, int], *how: Any) -> list[MoveStats]:
        return made.search(s, Lookahead(**plan), *how)

    if isinstance(made, ExpectimaxSearcher):  # compiles, or loads what was compiled
        made.search_moves(position.s, 1, 1)
        return Valuer(search, made)
    search(position.s, {}, 0, lambda done: 1 - done)
    return Valuer(search)


_valuers = CompileCache(_make)
