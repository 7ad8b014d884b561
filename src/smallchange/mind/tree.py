"""Monte-Carlo tree search for as long as it may think. How strong it is: bench/README.md."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from smallchange.game import Position
from smallchange.text import Text

from . import _search

TITLE = Text("a player that looks ahead", "先を読む相手")


def choose(position: Position, legal: Sequence[str], seconds: float, luck: Random) -> str:
    return _search.choose(position, legal, seconds, luck)
