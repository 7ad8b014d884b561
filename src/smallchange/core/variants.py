"""Variants: options of a game that change nothing on the chosen board, and the variant without them.

An option has no effect when the board built with its default is the same board. Nor has a number its own when
the number before it, towards the default, makes the same board. No game lists such options; they follow from
the boards that its `model.build` makes.
"""

from __future__ import annotations

from functools import lru_cache

from .errors import BadOption
from .game import Game
from .options import Drawing, Whole


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
    return _with_least_numbers(game)


def _with_least_numbers(game: Game) -> Game:
    """Return the game with each number as near to its default as the same board allows."""
    for option in game.offered:
        if isinstance(option, Whole):
            value = int(game.options[option.name])
            while value != option.default:
                value += 1 if value < option.default else -1
                nearer = Game(game.id, game.options | {option.name: value})
                if nearer.board != game.board:
                    break
                game = nearer
    return game


def idle_options(game: Game) -> list[str]:
    """Return the names of the chosen options that change nothing on the board, in the order of the game."""
    kept = without_idle_options(game).non_default_options
    return [name for name in game.non_default_options if name not in kept]


def idle_cause(game: Game, name: str) -> str | None:
    """Return the name of the other chosen option because of which an option has no effect.

    None where there is no single one, or where it is the drawing of the board.
    """
    for option in game.offered:
        if option.name == name or isinstance(option, Drawing) or option.name not in game.non_default_options:
            continue
        try:
            plainer = Game(game.id, game.options | {option.name: option.default})
        except BadOption:
            continue
        if name not in idle_options(plainer):
            return option.name
    return None
