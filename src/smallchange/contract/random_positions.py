"""Positions after random steps, for tests of searches."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import smallchange
from smallchange import Position
from smallchange.core.game import Game


def player_position(id: str, seed: int, steps: int) -> Position:
    """Return the position at a player's step after this many random steps, or a few more."""
    luck = Random(seed)
    position = smallchange.game(id).start()
    while steps > 0 or position.actor == "chance":
        steps -= 1
        if position.actor is None:
            return player_position(id, seed + 1000, 20)
        position.play(luck.choice(list(position)))
    return position if position.actor else player_position(id, seed + 1000, 20)


def node_budget(n: int) -> Callable[[int], int]:
    """Return the function that tells a search how many of n nodes are left."""
    return lambda done: n - done


def position_after(game: Game, seed: int, steps: int) -> Position:
    """Return the position at a player's step after at most this many random steps."""
    luck = Random(seed)
    position = game.start()
    for _ in range(steps):
        after = position.played(luck.choice(position.legal()))
        if after.actor is None:
            break
        position = after
    return position
