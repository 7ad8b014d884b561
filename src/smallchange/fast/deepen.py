"""Alpha-beta search from Python: a search that goes deeper and deeper in small portions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from smallchange.game import Game

from . import alphabeta as at
from .layout import to_record, words_of
from .ways import Way, built
from .weave import DRIVERS

SLOT_BYTES = 16  # of what is remembered of a position
MEMORY = SLOT_BYTES << 19  # 8 MB
DEEP = 60  # steps ahead at most
AGES = 1 << 14


class Book(NamedTuple):
    """A table of solved positions as `stored.py` reads it."""

    codes: Any  # uint8, read only
    bits: int
    meaning: Any  # int64
    rare: Any  # uint32
    rare_values: Any  # int16


class Found(NamedTuple):
    """The best step, what it is worth to the player to move, the depth finished, and positions looked at."""

    action: int
    value: int
    depth: int
    seen: int

    @property
    def plies(self) -> int | None:
        """Steps until the soonest win (positive) or the latest loss (negative); None if neither is near."""
        steps = at.WIN - abs(self.value)
        if steps > self.depth:
            return None
        return steps if self.value > 0 else -steps


def fits(game: Game) -> bool:
    """Is it a game for two without chance?"""
    return len(game.seats) == 2 and not game.sources


class Deepener(Way):
    """A game's rules with an alpha-beta search, and room for one search at a time.

    `memory` is what the table of positions may take, in bytes; the largest power of two within it is used.
    """

    def __init__(
        self, game: Game, book: Book | None = None, compiled: bool = True, memory: int = MEMORY
    ) -> None:
        if not fits(game):
            raise ValueError(f"{game.id} is not a game for two without chance")
        if memory < 2 * SLOT_BYTES:
            raise ValueError(f"a table takes at least {2 * SLOT_BYTES} bytes of memory, not {memory:,}")
        drivers = (*DRIVERS, "digest.py", "stored.py", "alphabeta.py", "index.py", "worth.py")
        module = built(game, "alphabeta", drivers, compiled=compiled, checked=False)
        super().__init__(game, *module, compiled)
        self._states, spare = np.zeros(DEEP + 2, self.state_type), np.zeros(1, self.state_type)
        self._outs = np.zeros((DEEP + 2, game.rules.MOST + 1), np.int64)
        self._frames, self._used = np.zeros((DEEP + 2, at.FRAME), np.int64), np.zeros(at.USED, np.int64)
        self._slots = np.zeros((1 << (memory // SLOT_BYTES).bit_length() - 1, 2), np.int64)
        hopes = np.zeros((2, game.rules.ACTIONS), np.int64)
        own = (words_of(spare)[0], spare, self._outs, self._frames, self._used, self._slots, hopes)
        self._room = (self.boards, self._states, *own, *(book or no_book()))

    def search(
        self,
        s: Any,
        enough: Callable[[int], int],
        steps: Sequence[int] = (),
        deepest: int = DEEP,
        scorn: int = 0,
    ) -> Found:
        """Search from a state, plain or a record, at a player's step; of `steps` only, if any are given.

        Of equally good steps the first in order is found. A draw is worth -scorn. `enough` is asked again and
        again how many positions to look at, given how many were; 0 ends. Earlier searches are of no
        consequence.
        """
        to_record(s, self._states[0])
        roots = list(steps) or self.actions(self._states[0])
        self._outs[0, : len(roots)] = roots
        used = self._used
        used[at.AGE] = used[at.AGE] % (AGES - 1) + 1
        if used[at.AGE] == 1:
            self._slots[:] = 0
        used[at.DRAW] = -scorn if self._states[0].turn == 0 else scorn
        used[at.DEEPEST] = max(1, min(deepest, DEEP))
        self._module._look_ahead(*self._room, len(roots), 0)
        while used[at.PHASE] != at.END and (n := enough(int(used[at.SEEN]))) > 0:
            self._module._look_ahead(*self._room, 0, n)
        return self._found()

    def _found(self) -> Found:
        """What was found so far; not a loss while there are steps that were not looked at as deep."""
        step, value, depth, seen = self._used[[at.FOUND, at.WORTH, at.DONE, at.SEEN]].tolist()
        steps, tried = self._frames[0, [at.STEPS, at.NEXT]].tolist()
        if self._used[at.PHASE] != at.END and value < -at.NEARLY and tried < steps:
            step, value = int(self._outs[0, tried]), -at.NEARLY
        return Found(step, value, depth, seen)


def no_book() -> Book:
    """A table that holds nothing."""
    codes = np.zeros(0, np.uint8)
    codes.setflags(write=False)
    return Book(codes, 1, np.zeros(0, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.int16))
