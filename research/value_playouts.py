"""Whole games from one position by learned values, from Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from smallchange.engine.compile.records import to_record
from smallchange.engine.search.learned_values import ValueSearcher

TO_THE_END = 1 << 40  # turns: no game has so many


class ValuePlayouts(ValueSearcher):
    """A game whose seats all play by the net, each turn by its best end."""

    kernel_modules: tuple[str, ...] = (*ValueSearcher.kernel_modules, "research.kernels.value_playouts")

    def play_outs(self, s: Any, seat: int, seed: int, first: int, n: int, turns: int = TO_THE_END) -> Any:
        """Return the results for a seat of the games number first .. of a seed from a state: float64[n], 0 to 1.

        A game meets the same throws by number from whatever state it begins, so that moves can be compared in pairs.
        """
        to_record(s, self._roots[0])
        results = np.zeros(n)
        self._module.play_outs(
            self.boards, self._roots, seat, turns, first, self._word(seed), self._search, results
        )
        return results
