"""The same rules in three ways of running: plain, on records interpreted, on records compiled."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from smallchange.game import Game
from smallchange.state import Fields

from .cache import load
from .drivers import GREEDY, LONGEST, RANDOM
from .layout import record_type, records, to_plain
from .weave import DRIVERS, HEAD, HERE, woven

CALLED = "_inlined = _inner\n"  # a start: rules put in at so many places would take long to compile
PUBLIC = ("legal", "odds", "source", "play", "score", "promise")


class Way:
    """A game's rules over records. `legal`, `odds`, .. are the functions of its `rules.py`."""

    legal: Any
    odds: Any
    source: Any
    play: Any
    score: Any
    promise: Any

    def __init__(self, game: Game, text: str, module: ModuleType, compiled: bool) -> None:
        self.game = game
        self.text = text
        self.compiled = compiled
        self._word: Any = np.uint64 if compiled else int  # of a seed
        self._module = module
        self._seats = len(game.seats)
        for name in PUBLIC:
            setattr(self, name, getattr(module, f"_call_{name}"))
        self.boards = records(game.board)
        self.board: Any = self.boards[0]
        self.state_type = record_type(game.state_type)

    def record(self, plain: Fields) -> Any:
        """A state record of its own with the values of a plain state."""
        return records(plain)[0]

    def start(self) -> Any:
        """A state record of its own, before the first step."""
        states = np.zeros(1, self.state_type)
        self._module._first_state(self.boards, states)
        return states[0]

    def plain(self, s: Any) -> Fields:
        """The plain object of a state record."""
        return to_plain(self.game.state_type, s)

    def actions(self, s: Any) -> list[int]:
        """The legal actions of a state record at a player's step, ascending."""
        out = self._row(np.int64)
        return [int(a) for a in out[: self.legal(self.board, s, out)]]

    def chances(self, s: Any) -> tuple[list[int], list[int]]:
        """The possible actions of a state record at a chance step, ascending, and their weights."""
        out, weights = self._row(np.int64), self._row(np.int64)
        n = self.odds(self.board, s, out, weights)
        return [int(a) for a in out[:n]], [int(w) for w in weights[:n]]

    def play_games(self, policy: list[int], seed: int, first: int, n: int, limit: int = LONGEST) -> Games:
        """Play n games, numbers first.. of `seed`, under a policy (RANDOM, GREEDY) for each seat.

        ValueError where an argument is not as said here.
        """
        if len(policy) != self._seats:
            raise ValueError(f"a policy for each of {self._seats} seats is needed, not {len(policy)}")
        if any(p not in (RANDOM, GREEDY) for p in policy):
            raise ValueError(f"a policy is RANDOM ({RANDOM}) or GREEDY ({GREEDY}); not {policy}")
        seed = seeded(seed)
        if first < 0:
            raise ValueError(f"the first game's number must be 0 or more, not {first}")
        (states, scores, steps), spare = self._games(n), np.zeros(1, self.state_type)
        out, weights, streams, _ = self._chance()
        ended = self._module._play_games(
            self.boards, states, scores, steps, np.array(policy), self._word(seed), first, limit,
            spare, out, weights, streams,
        )  # fmt: skip
        return Games(states, scores, steps, int(ended))

    def perft(self, s: Any, depth: int) -> int:
        """The number of sequences of exactly `depth` steps from a state record; 1 for none at all."""
        if depth < 1:
            return 1
        states = np.zeros(depth, self.state_type)
        states[0] = s
        outs = np.zeros((depth, self.game.rules.MOST + 1), np.int64)
        sizes, places = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
        return int(
            self._module._count_lines(self.boards, states, outs, self._row(np.int64), sizes, places, depth)
        )

    def _games(self, n: int) -> tuple[Any, Any, Any]:
        """The first states of n games, and where their scores and steps will be: states[n], scores[n, seats],
        steps[n]."""
        states = np.zeros(n, self.state_type)
        states[:] = self.start()
        return states, np.zeros((n, self._seats), np.int64), np.zeros(n, np.int64)

    def _chance(self) -> tuple[Any, Any, Any, int]:
        """Room for actions and their weights; a stream of luck for each seat and object; the seats."""
        streams = self._row(np.uint64, self._seats + len(self.game.sources))
        return self._row(np.int64), self._row(np.int64), streams, self._seats

    def _row(self, kind: Any, length: int = 0) -> Any:
        length = length or self.game.rules.MOST + 1
        return np.zeros(length, kind) if self.compiled else [0] * length


def seeded(seed: object) -> int:
    """A seed as Python's whole number. ValueError where it is no whole number from 0 to 2^64 - 1."""
    if not isinstance(seed, (int, np.integer)) or not 0 <= seed < 1 << 64:
        raise ValueError(f"the seed must be a whole number from 0 to 2^64 - 1, not {seed!r:.80}")
    return int(seed)


class Games(NamedTuple):
    """What came of n games played in bulk."""

    states: Any  # [n], the last of each
    scores: Any  # [n, seats]; 0 where a game has not ended
    steps: Any  # [n]
    ended: int  # how many ended within the limit


def compiled(game: Game, checked: bool | None = None) -> Way:
    """The rules compiled by Numba, kept on disk.

    `checked` raises IndexError where an index lies outside its array; by default the environment's
    SMALLCHANGE_CHECKED decides.
    """
    return Way(game, *built(game, "", DRIVERS, checked=checked), compiled=True)


def interpreted(game: Game) -> Way:
    """The very text that is compiled, run by Python over numpy records: slow, and strict."""
    return Way(game, *built(game, "", DRIVERS, compiled=False, checked=False), compiled=False)


def built(
    game: Game,
    kind: str,
    drivers: tuple[str, ...],
    start: str = "",
    compiled: bool = True,
    checked: bool | None = None,
) -> tuple[str, ModuleType]:
    """The text of a game's rules with these drivers, and its module: compiled, or run by Python.

    `kind` tells the module from others of the game, `start` stands before the rules. `checked` is as for
    `compiled`.
    """
    if checked is None:
        checked = os.environ.get("SMALLCHANGE_CHECKED", "") not in ("", "0")
    head = HEAD.format(kit="primitives" if compiled else "twins", checked=checked)
    text, name = head + start + _woven(game, drivers, checked), f"{game.id}-{kind}" if kind else game.id
    if compiled:
        return text, load(name, text)
    module = ModuleType(f"interpreted {name}")
    exec(compile(text, module.__name__, "exec"), module.__dict__)
    return text, module


def _woven(game: Game, drivers: tuple[str, ...], checked: bool) -> str:
    sources = sorted([*game.folder.glob("*.py"), *HERE.glob("*.py")])
    contents = tuple(path.read_bytes() for path in sources)
    return _woven_once(game.folder, game.rules.__package__, checked, drivers, contents)


@functools.lru_cache(64)
def _woven_once(
    folder: Path, package: str, checked: bool, drivers: tuple[str, ...], contents: tuple[bytes, ...]
) -> str:
    """A text need not be woven again while no source has changed."""
    return woven(folder, package, checked, drivers)
