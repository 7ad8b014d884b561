"""Games against the greedy policy with their luck taken off, from Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from research.kernels.variance_reduction import AdjustedBatch, LuckRoom, Outcomes
from smallchange.engine.search.learned_values import Lookahead, ValueSearcher

MAX_OUTCOMES = 2048  # of chance between two turns


class AdjustedPlay(ValueSearcher):
    """A game one of whose seats plays by the net."""

    kernel_modules = ("playouts", "afterstate_search", "research.kernels.variance_reduction")

    def play_adjusted(
        self, seat: int, plan: Lookahead, seed: int, first: int, n: int
    ) -> tuple[Any, Any, int]:
        """Play the same games, one seat by the net against greedy opponents.

        Return results[n], 0 to 1 for the seat; the same with the luck of the throws taken off
        (`kernels/variance_reduction.py`); and the number of moves searched for.
        """
        begin, state = np.zeros(1, self.state_type), np.zeros(1, self.state_type)
        begin[0] = self.start()
        batch = AdjustedBatch(begin, np.zeros(n), np.zeros(n), self._word(seed), first)
        throws, replies = (
            Outcomes(np.zeros(MAX_OUTCOMES, self.state_type), np.zeros(MAX_OUTCOMES)) for _ in range(2)
        )
        luck, scratch = LuckRoom(state, throws, replies), self._new_scratch()
        moves = self._module.play_adjusted(
            self.boards, batch, seat, np.array(plan.row), self._search, luck, scratch
        )
        return batch.results, batch.adjusted, int(moves)
