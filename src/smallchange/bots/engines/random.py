"""Any legal move, all equally likely."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from smallchange.core.game import Position
from smallchange.i18n.text import Text

ABOUT = Text("any legal move")


def choose(position: Position, legal: Sequence[str], seconds: float, luck: Random) -> str:
    """Return one of the legal moves; `seconds` are not needed."""
    return luck.choice(legal)
