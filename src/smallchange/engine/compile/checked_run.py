"""Play a few random games by new rules with every index and every value checked.

Compiled code checks no index: a wrong one reads or writes memory that belongs to something else. So rules that
have not been seen before are first run by Python, on a board and states that check. `cache.py` keeps the text of
rules that passed, and the boards: they are not run again on one of these.
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from types import SimpleNamespace
from typing import Any

from smallchange.core.errors import RulesError, RulesIndexError
from smallchange.core.game import Game
from smallchange.core.state import CHANCE, OVER, Fields, Range

from .codegen import HEAD, PLAYOUTS, GeneratedSource, generate_source
from .diagnostics import find_location

MAX_STEPS = 2_000  # of all games together
MAX_GAME_STEPS = 1_000


class CheckedRow(list[int]):
    """A row of numbers that refuses an index outside it and a number outside its range."""

    def __init__(self, name: str, numbers: list[int], low: int, high: int) -> None:
        super().__init__(numbers)
        self.name: str = name
        self.low: int = low
        self.high: int = high

    def __getitem__(self, i: Any) -> Any:
        if not 0 <= i < len(self):
            raise IndexError(f"the index {i} is outside {self.name}, which has {len(self)} numbers")
        return super().__getitem__(i)

    def __setitem__(self, i: Any, value: Any) -> None:
        if not 0 <= i < len(self):
            raise IndexError(f"the index {i} is outside {self.name}, which has {len(self)} numbers")
        if not self.low <= value <= self.high:
            raise OverflowError(f"{value} does not fit {self.name}, whose range is {self.low} to {self.high}")
        super().__setitem__(i, value)

    def copy(self) -> CheckedRow:
        return CheckedRow(self.name, self, self.low, self.high)


class CheckedFields:
    """A board or a state that refuses numbers outside the ranges of its fields."""

    _name: str
    _ranges: dict[str, Range]
    turn: int

    def __init__(self, name: str, fields: Fields) -> None:
        own = self.__dict__
        own["_name"], own["_ranges"] = name, fields.ranges
        for field, (low, high, length, _) in fields.ranges.items():
            value = getattr(fields, field)
            own[field] = CheckedRow(f"{name}.{field}", value, low, high) if length else value

    def __setattr__(self, field: str, value: Any) -> None:
        low, high, length, _ = self._ranges[field]
        if length or not low <= value <= high:
            raise OverflowError(f"{value} does not fit {self._name}.{field}, whose range is {low} to {high}")
        self.__dict__[field] = value

    def copy(self) -> CheckedFields:
        clone: CheckedFields = object.__new__(CheckedFields)
        for name, value in self.__dict__.items():
            clone.__dict__[name] = value.copy() if type(value) is CheckedRow else value
        return clone


class ResultError(ValueError):
    """A function of the rules gives a result that it must not give: its name, and the fault."""

    def __str__(self) -> str:
        return " ".join(self.args)


def _count_actions(function: str, n: int, most: int) -> int:
    """Return the number of actions that `legal` or `odds` gives. ResultError if there cannot be so many."""
    if not 1 <= n <= most:
        raise ResultError(function, f"gives {n} actions, not 1 to {most} (MOST)")
    return n


def check_rules(game: Game, kernel_modules: tuple[str, ...] = PLAYOUTS) -> None:
    """Refuse rules that fail in random games on the board of a game.

    So are the game's functions for search and learning that the kernels call. RulesError with file and line of
    the first failure; it is an IndexError too where an index is wrong.
    """
    play_checked(game, generate_source(game.folder, game.package, (*PLAYOUTS, *kernel_modules), checked=True))


def checked_part(game: Game) -> str:
    """Return all of a game that a first run depends on beside the text of its rules.

    Of one of ours it is the size of the board: the tests play it on boards of every kind.
    """
    is_ours = game.package.startswith("smallchange.games.")
    board = [] if is_ours else [getattr(game.board, name) for name in game.board.ranges]
    ranges = [*game.board.ranges.items(), *game.state_type.ranges.items()]
    return repr((game.rules.MOST, len(game.seats), len(game.sources), board, ranges))


def play_checked(game: Game, source: GeneratedSource, max_steps: int = MAX_STEPS) -> None:
    """Play random games, `max_steps` steps in all. RulesError as for `check_rules`."""
    functions: dict[str, Any] = {}
    exec(HEAD.format(runtime="runtime_python", checked=True), functions)
    functions["whole"] = int
    try:
        source.run(functions)
        rules = SimpleNamespace(**functions)
        luck = Random(0)
        while max_steps > 0:
            max_steps -= _play_game(game, rules, luck, min(max_steps, MAX_GAME_STEPS))
    except ResultError as wrong:
        place = next(d for d in source.definitions if d.name == wrong.args[0])
        raise RulesError(f"{place.label}:{place.node.lineno}: {wrong}") from None
    except Exception as wrong:
        location = find_location(wrong, source)
        if location is None:  # not of the rules
            raise
        error = RulesIndexError if isinstance(wrong, IndexError) else RulesError
        raise error(f"{location}: {wrong}") from wrong


def _play_game(game: Game, rules: Any, luck: Random, max_steps: int) -> int:
    """Play one random game; return the number of steps."""
    most = game.rules.MOST
    b, s = CheckedFields("b", game.board), CheckedFields("s", game.state_type())
    out = CheckedRow("out", [0] * most, -(1 << 63), (1 << 63) - 1)
    weights = CheckedRow("weights", [0] * most, 1, (1 << 31) - 1)
    rules.setup(b, s)
    for step in range(max_steps):
        if s.turn == OVER:
            for seat in range(len(game.seats)):
                rules.score(b, s, seat)
            return step + 1
        if s.turn == CHANCE:
            n = _count_actions("odds", rules.odds(b, s, out, weights), most)
            a = luck.choices(list(out)[:n], list(weights)[:n])[0]
            if not 0 <= rules.source(b, s) < len(game.sources):
                raise ResultError("source", "gives no index of one of the game's SOURCES")
            rules.play(b, s, a)
        else:
            n = _count_actions("legal", rules.legal(b, s, out), most)
            a = luck.choice(list(out)[:n])
            _call_search_functions(game, rules, b, s)
            t = s.copy()
            rules.play(b, t, a)
            rules.move_score(b, s, a, t)
            s = t
    return max_steps


def _call_search_functions(game: Game, rules: Any, b: CheckedFields, s: CheckedFields) -> None:
    """Call the game's functions for search and learning on a state at a player's step, if there are any."""
    for seat in range(len(game.seats)):
        for name in ("utility", "evaluate"):
            if hasattr(rules, name):
                getattr(rules, name)(b, s, seat)
        if hasattr(rules, "features"):
            size = sum(count_features(game))
            rules.features(b, s, seat, CheckedRow("out", [0] * size, -(1 << 15), (1 << 15) - 1))
    if hasattr(rules, "plies_to_draw"):
        rules.plies_to_draw(b, s)


def count_features(game: Game) -> tuple[int, int]:
    """Return the numbers of features and of flags that a game's `features.py` writes."""
    module = import_module(f"{game.package}.ai.features")
    return module.FEATURES, getattr(module, "FLAGS", 0)
