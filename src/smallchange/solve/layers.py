"""A game solved layer after layer, on several threads, by the compiled code of `fast/retrograde.py`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from smallchange.fast.retrograde import ROWS

from .kit import Kit
from .lines import Lines, lined_up
from .parts import Parts

Said = Callable[[int, int], None]  # how much is done, of how much
HORIZON = 1 << 12  # no win may be farther away, in steps


def solve(kit: Kit, positions: int, threads: int, parts: Parts, said: Said = lambda *_: None) -> Any:
    """The values of the first `positions` positions, int16[positions], as `fast/retrograde.py` writes them.

    Every finished level is kept among the parts, and one that is there already is not solved again.
    """
    values = np.zeros(positions, np.int16)
    with ThreadPoolExecutor(threads) as pool:
        lines = lined_up(kit, positions, pool)
        worker = Worker(kit, lines, values)
        for n, level in enumerate(lines.levels):
            said(n, len(lines.levels))
            first, last = lines.bounds(n)
            here = lines.order[first:last]
            known = parts.recall(n, last - first)
            if known is not None:
                values[here] = known
                continue
            largest_first = sorted(level, key=lambda layer: layer[0] - layer[1])
            list(pool.map(worker.solve, largest_first))
            parts.keep(n, values[here])
    said(len(lines.levels), len(lines.levels))
    return values


class Worker:
    """Solves one layer at a time in each thread, on arrays that each thread has of its own."""

    def __init__(self, kit: Kit, lines: Lines, values: Any) -> None:
        self.kit = kit
        self.lines = lines
        self.values = values
        self.most = max(last - first for level in lines.levels for first, last in level)
        self.own = threading.local()

    def solve(self, layer: tuple[int, int]) -> None:
        """Solve a layer, given by its first and last + 1 in the order."""
        own = self.own.__dict__
        if not own:
            own.update(self._arrays())
        links = own["links"]
        lines = self.lines
        self.kit.code._solve_layer(
            self.kit.boards, own["states"], own["out"], lines.order, lines.slots, self.values, *layer,
            own["work"], own["steps"], own["back"], own["heads"], links,
        )  # fmt: skip
        if links[0, 0]:
            raise OverflowError(f"a win lies more than {HORIZON} steps ahead")

    def _arrays(self) -> dict[str, Any]:
        steps = self.most * self.kit.game.rules.MOST
        return {
            "states": self.kit.states(),
            "out": self.kit.out(),
            "work": np.zeros((ROWS, self.most + 1), np.int32),
            "steps": np.empty(steps, np.int32),
            "back": np.empty(steps, np.int32),
            "heads": np.zeros(HORIZON, np.int32),
            "links": np.zeros((2, 3 * self.most + 1), np.int32),
        }
