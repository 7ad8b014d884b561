"""Alpha-beta search from Python: a search that goes deeper and deeper in small portions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from smallchange.core.game import Game
from smallchange.engine.compile.build import build_module
from smallchange.engine.compile.compiled_game import CompiledGame
from smallchange.engine.compile.records import to_record, words_of
from smallchange.engine.kernels import alphabeta as at
from smallchange.engine.kernels.tablebase_probe import TablebaseView

if TYPE_CHECKING:
    from smallchange.engine.compile.webassembly import Portable

ENTRY_BYTES = 16  # of the transposition table
DEFAULT_MEMORY_BYTES = ENTRY_BYTES << 19  # 8 MB
MAX_DEPTH = 60  # steps ahead
AGES = 1 << 14  # of the entries of the transposition table


class SearchResult(NamedTuple):
    """The best step, its value to the player to move, the depth completed, and the positions visited."""

    action: int
    value: int
    depth: int
    nodes: int

    @property
    def plies(self) -> int | None:
        """Steps until the soonest win (positive) or the latest loss (negative); None if neither is near."""
        steps = at.WIN - abs(self.value)
        if steps > self.depth:
            return None
        return steps if self.value > 0 else -steps


def is_supported(game: Game) -> bool:
    """Return whether alpha-beta search can play a game: one for two without chance."""
    return len(game.seats) == 2 and not game.sources


class AlphaBetaSearcher(CompiledGame):
    """A game's rules with an alpha-beta search, and room for one search at a time.

    `memory` is the limit of the transposition table, in bytes; the largest power of two within it is used.
    """

    def __init__(
        self,
        game: Game,
        tablebase: TablebaseView | None = None,
        compiled: bool = True,
        memory: int = DEFAULT_MEMORY_BYTES,
    ) -> None:
        if not is_supported(game):
            raise ValueError(f"{game.id} is not a game for two without chance")
        if memory < 2 * ENTRY_BYTES:
            raise ValueError(f"a table takes at least {2 * ENTRY_BYTES} bytes of memory, not {memory:,}")
        kernel_modules = ("playouts", "alphabeta")
        module = build_module(game, "alphabeta", kernel_modules, compiled=compiled, checked=False)
        super().__init__(game, module, compiled)
        spare = np.zeros(1, self.state_type)
        self._search = at.AlphaBeta(
            states=np.zeros(MAX_DEPTH + 2, self.state_type),
            actions=np.zeros((MAX_DEPTH + 2, game.rules.MOST + 1), np.int64),
            frames=np.zeros((MAX_DEPTH + 2, at.FRAME_COLUMNS), np.int64),
            counters=np.zeros(at.COUNTERS, np.int64),
            table=np.zeros((1 << (memory // ENTRY_BYTES).bit_length() - 1, 2), np.int64),
            history=np.zeros((2, game.rules.ACTIONS), np.int64),
            spare=spare,
            words=words_of(spare)[0],
        )
        self._tablebase = tablebase or empty_tablebase()

    def search(
        self,
        s: Any,
        budget: Callable[[int], int],
        steps: Sequence[int] = (),
        max_depth: int = MAX_DEPTH,
        contempt: int = 0,
    ) -> SearchResult:
        """Search from a state, plain or a record, at a player's step; of `steps` only, if any are given.

        Of equally good steps the first in order is found. A draw is worth -contempt. `budget` is called again
        and again with the number of positions visited, and returns how many more to visit; 0 ends the search.
        Earlier searches do not change the result.
        """
        states, counters = self._search.states, self._search.counters
        to_record(s, states[0])
        roots = list(steps) or self.actions(states[0])
        self._search.actions[0, : len(roots)] = roots
        counters[at.AGE] = counters[at.AGE] % (AGES - 1) + 1
        if counters[at.AGE] == 1:
            self._search.table[:] = 0
        counters[at.DRAW] = -contempt if states[0].turn == 0 else contempt
        counters[at.MAX_DEPTH] = max(1, min(max_depth, MAX_DEPTH))
        self._module.search_deeper(*self._arguments(len(roots), 0).values())
        while counters[at.PHASE] != at.END and (n := budget(int(counters[at.NODES]))) > 0:
            self._module.search_deeper(*self._arguments(0, n).values())
        return self._result()

    def _arguments(self, roots: int, n: int) -> dict[str, Any]:
        bundles = {"board": self.boards, "search": self._search, "tablebase": self._tablebase}
        return {**bundles, "roots": roots, "n": n}

    def to_webassembly(self) -> Portable:
        """Return the search as a module of WebAssembly."""
        from smallchange.engine.compile.webassembly import translate

        names = (
            "AGE", "BEST_STEP", "BEST_VALUE", "COUNTERS", "DRAW", "END", "FRAME_COLUMNS", "MAX_DEPTH",
            "MAX_EVALUATION", "NEXT", "NODES", "PHASE", "STEP_COUNT",
        )  # fmt: skip
        columns = {name: getattr(at, name) for name in names}
        more = {"columns": columns, "max_depth": MAX_DEPTH}
        return translate(self._module.module._search_deeper, self._arguments(0, 0), **more)

    def _result(self) -> SearchResult:
        """Return the result so far; no loss while there are steps that were not searched as deep."""
        counters = self._search.counters
        columns = [at.BEST_STEP, at.BEST_VALUE, at.DEPTH_DONE, at.NODES]
        step, value, depth, nodes = counters[columns].tolist()
        steps, next_move = self._search.frames[0, [at.STEP_COUNT, at.NEXT]].tolist()
        if counters[at.PHASE] != at.END and value < -at.MAX_EVALUATION and next_move < steps:
            step, value = int(self._search.actions[0, next_move]), -at.MAX_EVALUATION
        return SearchResult(step, value, depth, nodes)


def empty_tablebase() -> TablebaseView:
    """Return a view that holds no positions."""
    codes = np.zeros(0, np.uint8)
    codes.setflags(write=False)
    return TablebaseView(codes, 1, np.zeros(0, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.int16))
