"""Bots: `random`, `greedy`, and the levels that each game has in its folder (`levels.py`).

A bot plays by an engine, a module of `engines` with this function:

    choose(position, legal, seconds, luck, **plan) -> token

An engine gets a copy of the public position, the legal tokens, the seconds it may think (infinity for no
clock), and a source of random numbers. `plan` has the numbers that the level gives to the engine. An engine
that searches has `best_move`, `evaluate_move` and `warm_up` as well, and names in BUDGET the number of its
plan that limits a search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Any

from smallchange.core.errors import BadPolicy
from smallchange.core.game import Game, Position, game_of

from . import external_players
from .hints import Hint, hint, quick_hint
from .levels import (
    BASIC_BOTS,
    COMPILE_TIMEOUT_S,
    LEVELS,
    MOVE_TIME_S,
    Level,
    best_bot,
    install_advice,
    load_bots,
)

__all__ = [
    "COMPILE_TIMEOUT_S",
    "MOVE_TIME_S",
    "Hint",
    "Level",
    "best_bot",
    "bot",
    "has_bot",
    "hint",
    "install_advice",
    "level",
    "names",
    "quick_hint",
]


def names(game: Game | str | None = None) -> list[str]:
    """Return the names of a game's bots, or of all bots: random, greedy, then the levels, weakest first."""
    return [*load_bots(game)] if game else [*BASIC_BOTS, *LEVELS]


def has_bot(name: str, game: Game | str) -> bool:
    """Return whether a game has a bot of this name."""
    return name in load_bots(game)


def level(name: str, game: Game | str) -> Level:
    """Return the bot of this name in a game. Raise BadPolicy if it has none."""
    found = load_bots(game).get(name)
    if found is None:
        raise BadPolicy(f"unknown bot {name!r}; the bots of {game_of(game).id} are: {', '.join(names(game))}")
    return found


def bot(
    name: str,
    seconds: float = MOVE_TIME_S,
    luck: Random | None = None,
    wait: float = COMPILE_TIMEOUT_S,
    simulations: int | None = None,
    deal: bytes | None = None,
) -> Callable[[Position], str]:
    """Return the bot of this name, as a function from a position to the token it plays.

    Before its first move in a game it waits until its code is compiled, up to `wait` seconds; after that it
    plays by the rule of thumb until its code is ready. Without `luck` ties are broken differently each time.
    With the `deal` of a match they are broken by deal and position: the same deal with the same choices gives
    the same answers of bots that do not look at the clock.
    With equal luck it plays the same moves again only if `seconds` are ample for its plan; else the clock
    decides. With `simulations` it looks at no clock: it runs so many a move (of alpha-beta search: looks at
    so many positions), whatever its plan says.

    `name` may be any policy that `simulate` takes as a word, such as "tree:200", "level5@40" or "MODULE:FUNCTION",
    which says itself how much it thinks.

    Raise BadPolicy if there is no such bot, or if the game has none of this name. The function raises
    ValueError if no player is to move. A copy of it, also by pickle, has luck of its own, which goes on alike.
    """
    if isinstance(name, str) and _is_policy(name):
        if _policy(name).is_external:
            external_players.function(name)  # or there is none
    elif name not in names():
        raise BadPolicy(f"unknown bot {name!r}; the bots are: {', '.join(names())}")
    source = luck or (Random() if deal is None else None)
    return NamedBot(name, inf if simulations is not None else seconds, source, wait, simulations, deal)


@dataclass(frozen=True, slots=True, eq=False)
class NamedBot:
    """A bot as a function, with the arguments of `bot`."""

    name: str
    seconds: float
    luck: Random | None
    wait: float
    simulations: int | None
    deal: bytes | None

    def __call__(self, position: Position) -> str:
        if position.s.turn < 0:
            raise ValueError(f"a bot plays at a player's step; here {position.actor or 'nobody'} is next")
        luck = self.luck or deal_luck(self.deal, self.name, position)
        if _is_policy(self.name):
            return str(_policy(self.name).player(position.game, luck)(position.copy()))
        chosen = level(self.name, position.game).with_budget(self.simulations)
        return chosen.choose(position.copy(), self.seconds, luck, self.wait)


def _is_policy(name: str) -> bool:
    """Return whether a name says more than that of a bot: "tree:200", "level5@40", "MODULE:FUNCTION"."""
    return ":" in name or "@" in name


def _policy(word: str) -> Any:
    from .policy import Policy  # which needs NumPy

    return Policy.parse(word)


def deal_luck(deal: bytes | None, name: str, position: Position) -> Random:
    """Return the random numbers of a bot for one move: a function of the deal, the bot and the position."""
    return Random(f"{(deal or b'').hex()} {name} {position.key()}")
