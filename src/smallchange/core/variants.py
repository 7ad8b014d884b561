"""Variants: options of a game that change nothing on the chosen board, and the variant without them.

An option has no effect when the board built with its default is the same board. No game lists such
options; they follow from the boards that its `model.build` makes.
"""

from __future__ import annotations

from functools import lru_cache

from .errors import BadOption
from .game import Game


@lru_cache(1024)
def without_idle_options(game: Game) -> Game:
    """Return the same variant with the default of every option that changes nothing on its board.

    Two games that are played alike, option by option, are equal then.
    """
    for option in game.offered:
        if game.options[option.name] == option.default:
            continue
        try:
            plainer = Game(game.id, game.options | {option.name: option.default})
        except BadOption:  # another option goes only with this one
            continue
        if plainer.board == game.board:
            return without_idle_options(plainer)
    return game


def idle_options(game: Game) -> list[str]:
    """Return the names of the chosen options that change nothing on the board, in the order of the game."""
    kept = without_idle_options(game).non_default_options
    return [name for name in game.non_default_options if name not in kept]
