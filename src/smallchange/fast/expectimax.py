"""The search over all throws from Python, and which way of looking ahead a game's learned values have."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from smallchange.game import Game

from .boards import LEFT_OUT, NODE, NODES, STEP, USED
from .drivers import SEARCH
from .layout import to_record, words_of
from .search import Look
from .values import Lookahead, Valuer
from .ways import Games
from .weights import Weights

BOARDS = 1 << 17  # of a search: 30 MB, and 36 MB the steps between them; the system gives them as written
STEPS = 10 * BOARDS
LEVELS = 64
WIDEST = 4096  # boards of a level: 42 MB


def valuer(game: Game, weights: Weights | None = None, compiled: bool = True) -> Valuer:
    """The learned values of a game, with the search that fits it. BadValues where there are none."""
    if (game.folder / "keys.py").exists():
        return Expectimax(game, weights, compiled)
    return Valuer(game, weights, compiled)


class Expectimax(Valuer):
    """A game for one with a net and a search over all throws."""

    drivers = (*Valuer.drivers, "keys.py", "boards.py", "throws.py")

    def __init__(self, game: Game, weights: Weights | None = None, compiled: bool = True) -> None:
        super().__init__(game, weights, compiled)
        keys: Any = import_module(f"{game.rules.__package__}.keys")
        boards = np.zeros(BOARDS, self.state_type)
        nodes, steps = np.zeros((BOARDS, NODE), np.int64), np.zeros((STEPS, STEP), np.int64)
        slots, self._used = np.zeros(2 * BOARDS, np.int32), np.zeros(USED, np.int64)
        digests, ends = np.zeros(BOARDS, np.int64), np.zeros(LEVELS, np.int64)
        worth, dealt = np.zeros(BOARDS), np.zeros(BOARDS)
        graph = (boards, words_of(boards), nodes, digests, worth, dealt, slots, steps, self._used, ends)
        lists = (*(np.zeros(keys.WAYS, np.int64) for _ in range(3)), np.zeros(BOARDS))
        tables = np.zeros((2, WIDEST, keys.FACES**keys.DICE), np.float32)
        wide = np.zeros((2, (keys.FACES + 1) ** keys.DICE), np.float32)
        self._kit = (self.net, graph, lists, tables, wide)
        self._values = np.zeros(game.rules.MOST + 1)

    def unfold(self, s: Any, width: int = WIDEST, depth: int = LEVELS) -> tuple[list[Look], bool]:
        """Search from a state at a player's step: each legal move, best first; and is that exact?

        width: boards of a level, at most WIDEST; a look's visits are the boards of the whole search.
        """
        to_record(s, self._roots[0])
        out = self._row(np.int64)
        n = self._module._search_throws(
            self.boards, self._roots, min(width, WIDEST), depth, out, self._values, *self._kit
        )
        boards = int(self._used[NODES])
        values = self._values[:n].tolist()
        looks = [Look(int(a), boards, 1000 * value, value) for a, value in zip(out[:n], values, strict=True)]
        return sorted(looks, key=lambda look: -look.mean), not self._used[LEFT_OUT]

    @property
    def left_out(self) -> float:
        """Of the boards that the last search met, the share that it did not search on."""
        return float(self._used[LEFT_OUT] / self._used[NODES])

    def play_matches(
        self, policy: Sequence[int | Lookahead], seed: int, first: int, n: int
    ) -> tuple[Games, int]:
        plan = policy[0]
        if not isinstance(plan, Lookahead) or plan.width == 0:
            return super().play_matches(policy, seed, first, n)
        return self._play(seed, first, n, plan.width, plan.depth)

    def learn_throws(
        self, seed: int, first: int, n: int, rate: float, width: int, depth: int, batch: int
    ) -> Any:
        """Play games by the search, and learn from it what boards are worth: the scores."""
        return self._play(seed, first, n, width, depth, rate, batch)[0].scores[:, 0]

    def _play(
        self, seed: int, first: int, n: int, width: int, depth: int, rate: float = 0.0, batch: int = 1
    ) -> tuple[Games, int]:
        states, scores, steps = self._games(n)
        moves = self._module._play_throws(
            self.boards, states, scores[:, 0], steps, np.array([SEARCH]), min(width, WIDEST), depth,
            self._word(seed), first, self._chance(), self._spare, self._values, *self._kit, rate, batch,
            self._slopes, self._flat,
        )  # fmt: skip
        return Games(states, scores, steps, n), int(moves)
