"""The smallest variants of games, which are solved in a moment."""

from __future__ import annotations

import smallchange
from smallchange import Game
from smallchange.tablebase.ranked_games import all_positions


def smallest(id: str) -> Game:
    """Return the game with the options that leave the fewest positions, one option changed at a time."""
    game = smallchange.game(id)
    for option in game.offered:
        for value in getattr(option, "names", ()) or (getattr(option, "low", option.default),):
            other = Game(id, {**game.options, option.name: value})
            game = min(game, other, key=all_positions)
    return game
