"""Bots. Each is a module here with one function, found by looking:

    choose(position, legal, seconds, luck) -> token

It is given a copy of the public position, the legal tokens, the seconds it may think, and a source of
random numbers; there is nothing else to know.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from smallchange.game import Position

SECONDS = 0.25  # what a bot may think unless told otherwise


def names() -> list[str]:
    """The bots there are, sorted."""
    return sorted(p.stem for p in Path(__file__).parent.glob("*.py") if not p.stem.startswith("_"))


def bot(name: str, seconds: float = SECONDS, luck: Random | None = None) -> Callable[[Position], str]:
    """The bot of this name, as a function from a position to the token it plays.

    Raises ValueError if there is none. Without `luck` its ties fall differently each time.
    """
    if name not in names():
        raise ValueError(f"unknown bot {name!r}; the bots are: {', '.join(names())}")
    module: Any = import_module(f"{__name__}.{name}")
    source = luck or Random()

    def play(position: Position) -> str:
        token: str = module.choose(position.copy(), position.legal(), seconds, source)
        return token

    return play
