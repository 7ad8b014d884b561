"""A game's functions for its solver, compiled."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from smallchange.engine import record_type, records  # which says what to install where NumPy is lacking

# isort: split
import numpy as np

from smallchange.core.game import Game
from smallchange.engine.compile.build import EntryPoints, build_module

from .ranked_games import index_of


class Kit:
    """The compiled solver of one game, and the records it works on."""

    kernel_modules: tuple[str, ...] = ("solver_interface", "table_verification")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.index: Any = index_of(game)
        self.boards: Any = records(game.board)
        self._state_type = record_type(game.state_type)

    @cached_property
    def _module(self) -> EntryPoints:
        return build_module(self.game, "", self.kernel_modules)

    @property
    def text(self) -> str:
        """The rules, the index and the solver in one text, which is compiled."""
        return self._module.text

    @property
    def code(self) -> EntryPoints:
        """The module with the compiled entry points."""
        return self._module

    def states(self) -> Any:
        """Two states of one's own to work on."""
        return np.zeros(2, self._state_type)

    def out(self) -> Any:
        """Return a new list of actions to work on."""
        return np.zeros(self.game.rules.MOST + 1, np.int64)
