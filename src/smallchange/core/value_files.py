"""The files of the learned values of a game (`engine/search/value_weights.py`)."""

from __future__ import annotations

from pathlib import Path

from .game import Game

FILE = "values.json"


def installed_file(game: Game) -> Path:
    """Return where the values of a game lie: by an option that has its own, or else by the game alone."""
    chosen = (game.folder / f"values-{name}={value}.json" for name, value in game.non_default_options.items())
    return next((file for file in chosen if file.exists()), game.folder / FILE)
