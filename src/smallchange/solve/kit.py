"""What a game gives to its solver, compiled."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from smallchange.fast import record_type, records  # which says what to install where NumPy is lacking

# isort: split
import numpy as np

from smallchange.fast.ways import built
from smallchange.game import Game

from .numbering import index_of

DRIVERS = ("index.py", "retrograde.py", "proof.py", "reach.py", "linger.py")


class Kit:
    """The compiled solver of one game, and the records it works on."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.index = index_of(game)
        self.boards = records(game.board)
        self._state_type = record_type(game.state_type)

    @cached_property
    def _built(self) -> tuple[str, Any]:
        return built(self.game, "", DRIVERS)

    @property
    def text(self) -> str:
        """The rules, the index and the solver in one text, which is compiled."""
        return self._built[0]

    @property
    def code(self) -> Any:
        """The module with the compiled entry points."""
        return self._built[1]

    def states(self) -> Any:
        """Two states of one's own to work on."""
        return np.zeros(2, self._state_type)

    def out(self) -> Any:
        """A list of actions of one's own to work on."""
        return np.zeros(self.game.rules.MOST + 1, np.int64)
