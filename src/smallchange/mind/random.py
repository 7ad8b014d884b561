"""Any legal move, each as likely as the others."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from smallchange.game import Position

QUICK = True  # a server may ask it without a process of its own


def choose(position: Position, legal: Sequence[str], seconds: float, luck: Random) -> str:
    return luck.choice(legal)
