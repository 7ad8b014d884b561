"""In the browser: the places of games, all of them in the package."""

from __future__ import annotations


class Place:
    """The folder of a game, and the name under which Python imports it."""

    def __init__(self, id: str) -> None:
        from pathlib import Path

        name = id.replace("-", "_")
        self.folder = Path(f"/smallchange/games/{name}")
        self.package = f"smallchange.games.{name}"
        self.foreign = False


def find_place(id: str) -> Place:
    """Return the place of a game of the package."""
    return Place(id)


def games() -> list[str]:
    """Return no ids: nothing in the browser lists the games."""
    return []


def incomplete_games() -> dict[str, str]:
    """Return no games."""
    return {}


def is_playable(id: object) -> bool:
    """Return whether there is such a game, as there is for each id that a page names."""
    return isinstance(id, str)
