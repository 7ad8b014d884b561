"""Any legal move, each as likely as the others."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from smallchange.game import Position
from smallchange.text import Text

ABOUT = Text("any legal move", "できる手からランダムに選ぶ")


def choose(position: Position, legal: Sequence[str], seconds: float, luck: Random) -> str:
    """One of the legal moves; in no time, whatever the seconds."""
    return luck.choice(legal)
