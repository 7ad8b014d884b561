"""The games whose positions are numbered for tables; they are found by looking."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from smallchange.errors import BadOption
from smallchange.game import Game, games
from smallchange.options import Whole


def solvable() -> list[str]:
    """The games that can be solved: those with an `index.py` in their folder."""
    return [id for id in games() if numbered(Game(id))]


def numbered(game: Game) -> bool:
    """Can it be solved?"""
    return (game.folder / "index.py").exists()


def index_of(game: Game) -> Any:
    """The module that numbers a game's positions; BadOption where there is none."""
    if not numbered(game):
        raise BadOption(f"{game.id} cannot be solved; the games that can are: {', '.join(solvable())}")
    return import_module(".index", game.rules.__package__)


def all_positions(game: Game) -> int:
    """How many positions there are with these options, as its index numbers them."""
    index = index_of(game)
    total: int = index.places(game.board, index.shelves(game.board))
    return total


def left_out(game: Game) -> list[str]:
    """Options that make no other positions, though they may make other values."""
    same, chosen = index_of(game).same, game.chosen
    others = {
        name: Game(game.id, {other: chosen[other] for other in chosen if other != name}) for name in chosen
    }
    return [name for name, other in others.items() if same(game.board, other.board)]


def smaller(game: Game) -> list[str]:
    """Options of which a smaller number makes fewer positions."""
    whole, chosen = all_positions(game), game.chosen
    least = {
        option.name: Game(game.id, {**chosen, option.name: option.low})
        for option in game.offered
        if isinstance(option, Whole)
    }
    return [name for name, other in least.items() if all_positions(other) < whole]
