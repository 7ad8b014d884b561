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
from typing import Any, NamedTuple

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


class Hint(NamedTuple):
    """A move, the share of play-outs after it that were won, and how many there were."""

    token: str
    odds: float
    playouts: int


def hint(position: Position, seconds: float = SECONDS, luck: Random | None = None) -> Hint | None:
    """What the tree search would do at a player's step of a solitaire game, and at what odds.

    The odds are those of the search's own play-outs, so rather too low than too high. None while the
    search is still being compiled: ask again. ModuleNotFoundError says what to install where it cannot be.
    """
    if len(position.game.seats) > 1 or position.s.turn < 0:
        raise ValueError("a hint can be given at a player's step of a game for one")
    from . import _search

    found = _search.looks(position, seconds, luck or Random())
    if not found:
        return None
    best = found[0]
    return Hint(position.game.tokens[best.action], best.won, best.visits)
