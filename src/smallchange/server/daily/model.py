"""The deal of the day as plain data for pages and the API."""

from __future__ import annotations

from typing import NamedTuple

from smallchange.core.game import Game
from smallchange.i18n.text import Text


class DailyCard(NamedTuple):
    """The deal of a day as a visitor stands at it.

    `match` is their table, None before they begin; `verdict` how it ended, None before. `place` counts from 1, and is 0
    for who has none; `entries` is the number of places, and `worse` of those who did worse. `finished` is the number of
    all who finished in time, and `counts`: the visitor is one of them. `par` is how the best bot ended, None as long as
    that is not told.
    """

    day: int
    game: Game
    match: str | None = None
    verdict: Text | None = None
    place: int = 0
    entries: int = 0
    worse: int = 0
    par: Text | None = None
    finished: int = 0
    counts: bool = False

    @property
    def others(self) -> int:
        """The number of others who have a place."""
        return self.entries - (self.place > 0)


class DailyPlace(NamedTuple):
    """A row of the standings of a day: the table, its player's name, how it ended, and whether it is one's own.

    `place` is 0 for who has none.
    """

    place: int
    match: str
    name: str
    verdict: Text
    own: bool


class DailyStandings(NamedTuple):
    """The standings of a game on a day that has closed, the best first.

    `par` is how the best bot ended, at the table `par_match`.
    """

    game: Game
    entries: int
    places: tuple[DailyPlace, ...]
    par: Text | None
    par_match: str
