"""What the searching bots share: compiled search, made ready beside the game, within the seconds given."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from random import Random
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from smallchange.game import Game, Position
from smallchange.text import Text

from . import greedy
from .levels import lacking

if TYPE_CHECKING:
    from smallchange.fast.search import Look, Searcher

ABOUT = Text("tree search", "木探索")
FIRST = 8  # play-outs before the clock is looked at
PATIENCE = 0.02  # seconds between looks at the clock

KEPT = 6  # games and variants whose room for searching is kept, some 40 MB each

_searchers: OrderedDict[Game, Future[Searcher]] = OrderedDict()
_makers = ThreadPoolExecutor(1, "compiling")
_one_at_a_time = Lock()


def looks(position: Position, seconds: float, luck: Random, most: int = 1 << 40, **plan: Any) -> list[Look]:
    """What is found of each legal move within the seconds, best first; at most so many play-outs.

    The first time a game is searched in a process its code is loaded, or even compiled. That goes on
    beside the game; until it is done nothing is found: []. ModuleNotFoundError where Numba is missing.
    """
    start = perf_counter()
    try:
        searcher = _made(position).result(max(0.0, seconds))
    except TimeoutError:
        return []
    from smallchange.fast.search import Plan

    def enough(done: int) -> int:
        spent = perf_counter() - start
        if done == 0 or spent >= seconds:
            return min(most, FIRST) if spent < seconds else 0
        return max(0, min(most - done, 1 + int(done / spent * min(PATIENCE, (seconds - spent) / 2))))

    with _one_at_a_time:
        return searcher.search(position.s, Plan(**plan), luck.getrandbits(63), enough)


def choose(
    position: Position, legal: Sequence[str], seconds: float, luck: Random, most: int = 1 << 40, **plan: Any
) -> str:
    """The move that was looked at most; the rule of thumb's while nothing is found yet."""
    if len(legal) == 1:
        return legal[0]
    found = looks(position, seconds, luck, most, **plan)
    if not found:
        return greedy.choose(position, legal, seconds, luck)
    return position.game.tokens[found[0].action]


def _made(position: Position) -> Future[Searcher]:
    """The searcher of a game, made once in this process by a thread of its own."""
    game = position.game
    with _one_at_a_time:
        if game not in _searchers:
            if lacking():
                raise ModuleNotFoundError(lacking())
            _searchers[game] = _makers.submit(_make, game, position.s.copy())
        _searchers.move_to_end(game)
        while len(_searchers) > KEPT:
            _searchers.popitem(last=False)
        return _searchers[game]


def _make(game: Game, s: Any) -> Searcher:
    from smallchange.fast.search import Plan, Searcher

    searcher = Searcher(game)
    searcher.search(s, Plan(), 0, lambda done: 1 - done)  # compiles, or loads what was compiled
    return searcher
