"""How good any play can be at most: from play that knows every throw beforehand."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from smallchange.fast import Way, record_type
from smallchange.fast.cache import load
from smallchange.fast.exact import SCORE, WIN
from smallchange.fast.foresight import BY_MOVE, BY_OBJECT, SETTLED
from smallchange.fast.weave import DRIVERS, HEAD, woven
from smallchange.game import Game

from .measure import Rate

MANNERS = {"object": BY_OBJECT, "move": BY_MOVE}
CALLED = "_inlined = _inner\n"
STACK = 1 << 14
WON = 500


class Foresight(Way):
    """A game's rules with a look at all its throws."""

    def __init__(self, game: Game, most: int) -> None:
        checked = os.environ.get("SMALLCHANGE_CHECKED", "") not in ("", "0")
        text = HEAD.format(kit="primitives", checked=checked) + CALLED
        drivers = (*DRIVERS, "aim.py", "same.py", "tree.py", "exact.py", "foresight.py")
        text += woven(game.folder, game.rules.__package__, checked, drivers)
        super().__init__(game, text, load(f"{game.id}-foresight", text), compiled=True)
        self.most = most
        self._states = np.zeros(STACK, self.state_type)
        words = self._states.view(f"u{math.gcd(self._states.itemsize, 8)}").reshape(STACK, -1)
        self._asked = np.zeros((STACK, len(game.sources) + 1), np.int64)
        row = game.rules.MOST + 1
        self._room = (
            self._states,
            words,
            self._asked,
            np.zeros(1, self.state_type),
            np.zeros(row, np.int64),
            np.zeros(row, np.int64),
            np.zeros(len(game.seats) + len(game.sources), np.uint64),
            len(game.seats),
        )
        self._seen = np.zeros((1 << (2 * most).bit_length(), 2), np.int64)

    def best(self, seed: int, number: int, manner: int, goal: int = WIN) -> tuple[int, int, bool]:
        self._states[0] = self.start()
        self._asked[0] = 0
        self._seen[:] = 0
        key, best = np.zeros(2, np.int64), np.zeros(2, np.int64)
        why = self._module._foresee(
            self.boards, *self._room, np.uint64(seed), number, manner, goal, self._seen, self.most, key, best
        )
        return int(best[0]), int(best[1]), why == SETTLED
