"""Expectimax search over all throws, from Python, and the kind of look-ahead for a game's learned values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from smallchange.core.game import Game
from smallchange.engine.compile.compiled_game import Games
from smallchange.engine.compile.records import to_record, words_of
from smallchange.engine.kernels.expectimax_dice import DiceLesson, DiceSearch
from smallchange.engine.kernels.expectimax_graph import (
    COUNTERS,
    LEFT_OUT,
    MOVE_COLUMNS,
    NODE_COLUMNS,
    NODES_USED,
    BoardGraph,
)
from smallchange.engine.kernels.playouts import SEARCH

from .learned_values import Lookahead, ValueSearcher
from .mcts import MoveStats
from .value_weights import Weights

MAX_BOARDS = 1 << 17  # of a search: 30 MB, and 36 MB the steps between them; the system gives them as written
MAX_MOVES = 10 * MAX_BOARDS
MAX_LEVELS = 64
MAX_WIDTH = 4096  # boards of a level: 42 MB


def value_searcher(game: Game, weights: Weights | None = None, compiled: bool = True) -> ValueSearcher:
    """Return the learned values of a game, with the search that fits it. BadValues if there are none."""
    if game.dice_moves:
        return ExpectimaxSearcher(game, weights, compiled)
    return ValueSearcher(game, weights, compiled)


class ExpectimaxSearcher(ValueSearcher):
    """A game for one with a net and a search over all throws."""

    kernel_modules: tuple[str, ...] = (*ValueSearcher.kernel_modules, "expectimax_dice")

    def __init__(self, game: Game, weights: Weights | None = None, compiled: bool = True) -> None:
        super().__init__(game, weights, compiled)
        keys = game.dice_moves
        if keys is None:
            raise ModuleNotFoundError(f"{game.id} has no ai/dice_moves.py")
        boards = np.zeros(MAX_BOARDS, self.state_type)
        actions, dice, faces = (np.zeros(keys.MAX_DICE_MOVES, np.int64) for _ in range(3))
        graph = BoardGraph(
            boards=boards,
            words=words_of(boards),
            nodes=np.zeros((MAX_BOARDS, NODE_COLUMNS), np.int64),
            keys=np.zeros(MAX_BOARDS, np.int64),
            values=np.zeros(MAX_BOARDS),
            rolled_values=np.zeros(MAX_BOARDS),
            slots=np.zeros(2 * MAX_BOARDS, np.int32),
            moves=np.zeros((MAX_MOVES, MOVE_COLUMNS), np.int64),
            counters=np.zeros(COUNTERS, np.int64),
            level_ends=np.zeros(MAX_LEVELS, np.int64),
            actions=actions,
            dice=dice,
            faces=faces,
            order=np.zeros(MAX_BOARDS),
        )
        self._dice_search = DiceSearch(
            net=self.net,
            graph=graph,
            tables=np.zeros((2, MAX_WIDTH, keys.FACES**keys.DICE), np.float32),
            choices=np.zeros((2, (keys.FACES + 1) ** keys.DICE), np.float32),
            values=np.zeros(game.rules.MOST + 1),
        )

    def search_moves(
        self, s: Any, width: int = MAX_WIDTH, depth: int = MAX_LEVELS
    ) -> tuple[list[MoveStats], bool]:
        """Return a player's legal moves from a state, best first, and whether their values are exact.

        width: boards of a level, at most MAX_WIDTH; a look's visits are the boards of the whole search.
        """
        to_record(s, self._roots[0])
        out = self._row(np.int64)
        search = self._dice_search
        n = self._module.search_throws(self.boards, self._roots, min(width, MAX_WIDTH), depth, out, search)
        boards = int(search.graph.counters[NODES_USED])
        found = [
            MoveStats(int(a), boards, 1000 * value, value)
            for a, value in zip(out[:n], search.values[:n].tolist(), strict=True)
        ]
        return sorted(found, key=lambda move: -move.mean), not search.graph.counters[LEFT_OUT]

    @property
    def left_out(self) -> float:
        """Return the share of the boards found by the last search that it did not expand."""
        counters = self._dice_search.graph.counters
        return float(counters[LEFT_OUT] / counters[NODES_USED])

    def play_matches(
        self, policy: Sequence[int | Lookahead], seed: int, first: int, n: int
    ) -> tuple[Games, int]:
        plan = policy[0]
        if not isinstance(plan, Lookahead) or plan.width == 0:
            return super().play_matches(policy, seed, first, n)
        return self._play(seed, first, n, plan)

    def learn_by_search(self, seed: int, first: int, n: int, lesson: DiceLesson, plan: Lookahead) -> Any:
        """Play games by the search, and learn the values of boards from it; return the scores."""
        return self._play(seed, first, n, plan, lesson)[0].scores[:, 0]

    def dice_lesson(self, learning_rate: float, batch: int = 1) -> DiceLesson:
        """Return how to learn from searches: with this rate, a step of the net after each `batch` games."""
        return DiceLesson(learning_rate, batch, self._gradients, self._adam)

    def _play(
        self, seed: int, first: int, n: int, plan: Lookahead, lesson: DiceLesson | None = None
    ) -> tuple[Games, int]:
        batch = self._new_batch(seed, first, n)
        moves = self._module.play_by_dice_search(
            self.boards, batch, np.array([SEARCH]), min(plan.width, MAX_WIDTH), plan.depth,
            self._dice_search, self._new_scratch(), lesson or self.dice_lesson(0.0),
        )  # fmt: skip
        return Games(batch.states, batch.scores, batch.steps, n), int(moves)
