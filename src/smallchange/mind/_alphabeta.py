"""Alpha-beta search for games for two without chance, with tables of solved positions where there are any."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from random import Random
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from smallchange.game import Game, Position
from smallchange.solve import Table
from smallchange.text import Text

from . import greedy
from ._solved import own_table, sound, table_of
from .levels import lacking

if TYPE_CHECKING:
    from smallchange.fast.deepen import Deepener, Found

ABOUT = Text("alpha-beta search, and tables of solved positions", "アルファベータ探索と、解かれた局面の表")
FIRST = 500  # positions looked at before the clock is
PATIENCE = 0.02  # seconds between looks at the clock
DEEP = 60  # steps ahead at most
SCORN = 100  # what it gives for a draw not to be one; docs/lab-log.md says why


class Engine(NamedTuple):
    """What a game is searched with."""

    deepener: Deepener
    table: Table | None


_engines: dict[Game, Future[Engine]] = {}
_makers = ThreadPoolExecutor(1, "compiling")
_one_at_a_time = Lock()


def fits(game: Game) -> bool:
    """Can this engine play the game?"""
    return len(game.seats) == 2 and not game.sources


def choose(
    position: Position,
    legal: Sequence[str],
    seconds: float,
    luck: Random,
    most: int = 1 << 40,
    deepest: int = DEEP,
    scorn: int = SCORN,
) -> str:
    """The best step found: of those that a table calls best, or calls no loss, the one the search prefers.

    At most so many positions are looked at, and so many steps ahead. The rule of thumb chooses while the
    search is still being compiled.
    """
    if len(legal) == 1:
        return legal[0]
    engine = _made(position.game, seconds)
    table = engine.table if engine else table_of(position.game)
    steps = sound(position, legal, table) if table else list(legal)
    if len(steps) == 1:
        return steps[0]
    found = looks(position, seconds, luck, most, deepest, scorn, steps)
    return position.game.tokens[found.action] if found else greedy.choose(position, steps, seconds, luck)


def looks(
    position: Position,
    seconds: float,
    luck: Random,
    most: int = 1 << 40,
    deepest: int = DEEP,
    scorn: int = SCORN,
    steps: Sequence[str] = (),
) -> Found | None:
    """What the search finds within the seconds, of these steps only if any are given.

    None if there is no time, or while the search is still being compiled, which goes on beside the game.
    ModuleNotFoundError says what to install where it cannot be.
    """
    start = perf_counter()
    engine = _made(position.game, seconds)
    if engine is None or seconds <= 0:
        return None

    def enough(seen: int) -> int:
        spent = perf_counter() - start
        if seen == 0 or spent >= seconds:
            return min(most, FIRST) if spent < seconds else 0
        return max(0, min(most - seen, 1 + int(seen / spent * min(PATIENCE, (seconds - spent) / 2))))

    actions = [position.game.actions[token] for token in steps or position.legal()]
    luck.shuffle(actions)
    with _one_at_a_time:
        return engine.deepener.search(position.s, enough, actions, deepest, scorn)


def _made(game: Game, seconds: float) -> Engine | None:
    """The engine of a game, made once in this process by a thread of its own; None if that takes longer."""
    with _one_at_a_time:
        if game not in _engines:
            if lacking():
                raise ModuleNotFoundError(lacking())
            _engines[game] = _makers.submit(_make, game)
    try:
        return _engines[game].result(max(0.0, seconds))
    except TimeoutError:
        return None


def _make(game: Game) -> Engine:
    from smallchange.fast.deepen import Deepener
    from smallchange.solve.book import as_book

    table = table_of(game) or own_table(game)
    start = game.start()
    asked = table and start not in table  # else every step is chosen from the table anyway
    deepener = Deepener(game, as_book(table) if table and asked else None)
    deepener.search(start.s, lambda seen: 1 - seen)  # compiles, or loads what was compiled
    return Engine(deepener, table)
