"""What a game gives to its solver, compiled."""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any

import numpy as np

from smallchange.fast import record_type, records
from smallchange.fast.cache import load
from smallchange.fast.weave import HEAD, woven
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
    def text(self) -> str:
        """The rules, the index and the solver in one text, which is compiled."""
        checked = os.environ.get("SMALLCHANGE_CHECKED", "") not in ("", "0")
        head = HEAD.format(kit="primitives", checked=checked)
        return head + woven(self.game.folder, str(self.game.rules.__package__), checked, DRIVERS)

    @cached_property
    def code(self) -> Any:
        """The module with the compiled entry points."""
        return load(self.game.id, self.text)

    def states(self) -> Any:
        """Two states of one's own to work on."""
        return np.zeros(2, self._state_type)

    def out(self) -> Any:
        """A list of actions of one's own to work on."""
        return np.zeros(self.game.rules.MOST + 1, np.int64)
