"""Alpha-beta search for games for two without chance, with tables of solved positions where there are any."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from math import tanh
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.game import Game, Position
from smallchange.solve import Table
from smallchange.text import Text

from . import greedy
from ._ready import Judged, Ready, paced
from ._solved import patience, sound, table_for, table_of

if TYPE_CHECKING:
    from smallchange.fast.deepen import Deepener, Found

ABOUT = Text("alpha-beta search, and tables of solved positions", "アルファベータ探索と、解かれた局面の表")
FIRST = 500  # positions looked at before the clock is
SCORN = 100  # what it gives for a draw not to be one; docs/lab-log.md says why
THOROUGH = 5  # times as many positions are looked at to judge a move as to choose one
SURE = {"win": 1.0, "draw": 0.5, "loss": 0.0}


class Engine(NamedTuple):
    """What a game is searched with."""

    deepener: Deepener
    table: Table | None


def choose(
    position: Position,
    legal: Sequence[str],
    seconds: float,
    luck: Random,
    most: int = 1 << 40,
    deepest: int = 1 << 40,
    scorn: int = SCORN,
    wait: float = 0.0,
) -> str:
    """The best step found: of those that a table calls best, or calls no loss, the one the search prefers.

    At most so many positions are looked at, and so many steps ahead. The rule of thumb chooses while the
    search is still being compiled; waiting for it takes from the seconds what is more than `wait`.
    """
    if len(legal) == 1:
        return legal[0]
    engine, left = _engines.waited(position, seconds, wait)
    end = perf_counter() + left
    table = engine.table if engine else table_of(position.game)
    steps = sound(position, legal, table) if table else list(legal)
    if len(steps) == 1:
        return steps[0]
    found = looks(position, end - perf_counter(), luck, most, deepest, scorn, steps)
    return position.game.tokens[found.action] if found else greedy.choose(position, steps, seconds, luck)


def looks(
    position: Position,
    seconds: float,
    luck: Random,
    most: int = 1 << 40,
    deepest: int = 1 << 40,
    scorn: int = SCORN,
    steps: Sequence[str] = (),
) -> Found | None:
    """What the search finds within the seconds, of these steps only if any are given.

    None if there is no time, or while the search is still being compiled, which goes on beside the game.
    ModuleNotFoundError says what to install where it cannot be.
    """
    end = perf_counter() + seconds
    engine = _engines.engine(position, seconds)
    if engine is None or seconds <= 0:
        return None
    actions = [position.game.actions[token] for token in steps or position.legal()]
    luck.shuffle(actions)
    with _engines.lock:
        return engine.deepener.search(position.s, paced(end, most, FIRST), actions, deepest, scorn)


def hint(position: Position, seconds: float, luck: Random, wait: float = 0.0, **plan: Any) -> Judged | None:
    """The best step found, and its odds as in `judge`. None if code is still being compiled."""
    engine, left = _engines.waited(position, seconds, wait)
    if engine is None:
        return None
    end = perf_counter() + left
    if engine.table and position in engine.table:
        step = choose(position, position.legal(), left, luck, **plan)
        odds = _sure(engine.table, position, step)
        if odds is not None:
            return Judged(None, step, odds, exact=True)
    found = looks(position, end - perf_counter(), luck, scorn=0, **plan)
    if found is None:
        return None
    return Judged(None, position.game.tokens[found.action], odds_of(position.game, found.value))


def judge(
    position: Position, token: str, seconds: float, luck: Random, wait: float = 0.0, most: int = 1 << 40
) -> Judged | None:
    """What the search makes of a step and of the best one: both looked at as deep, or both from a table.

    Odds are those of the best bot against itself, a draw being half a win. None if code is still being
    compiled after `wait` seconds.
    """
    engine, left = _engines.waited(position, seconds, wait)
    if engine is None:
        return None
    game, end = position.game, perf_counter() + left
    if engine.table and position in engine.table:
        steps = sound(position, position.legal(), engine.table)
        best = token if token in steps else steps[0]
        odds, better = (_sure(engine.table, position, step) for step in (token, best))
        if odds is not None and better is not None:
            return Judged(odds, best, better, exact=True)
    found = looks(position, left, luck, THOROUGH * most, scorn=0)
    if found is None:
        return None
    best, better = game.tokens[found.action], odds_of(game, found.value)
    if token == best:
        return Judged(better, best, better)
    alone = looks(position, end - perf_counter(), luck, deepest=found.depth, scorn=0, steps=[token])
    return Judged(odds_of(game, alone.value) if alone else None, best, better)


def _sure(table: Table, position: Position, step: str) -> float | None:
    """The odds after a step by the table; None where long play, which it leaves out, may end the match
    before."""
    value = table.after(position, step)
    if value.plies and value.plies >= patience(position.game)(position.game.board, position.s):
        return None
    return SURE[value.outcome]


def odds_of(game: Game, value: int) -> float:
    """How many of the points the best bot gets against itself, on the average, where its search finds this
    value: 1 where it sees the win; bench/expected.py."""
    from smallchange.fast.alphabeta import NEARLY

    if abs(value) > NEARLY:
        return float(value > 0)
    return (1 + tanh(value / scale(game) / 2)) / 2


def scale(game: Game) -> int:
    """By how much more a position is worth where the odds are e to 1, not even."""
    number: int = import_module(".worth", game.rules.__package__).scale(game.board)
    return number


def prepare(position: Position) -> None:
    """Let the code get ready beside the game."""
    _engines.engine(position, 0.0)


def _make(position: Position) -> Engine:
    from smallchange.fast.deepen import Deepener
    from smallchange.solve.book import as_book

    game = position.game
    table, start = table_for(game), game.start()
    asked = table and start not in table  # else every step is chosen from the table anyway
    deepener = Deepener(game, as_book(table) if table and asked else None)
    deepener.search(start.s, lambda seen: 1 - seen)  # compiles, or loads what was compiled
    return Engine(deepener, table)


_engines = Ready(_make)
