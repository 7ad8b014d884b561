"""How a simple player does in the base game of a game for one, as `odds.py` measured it.

The lobby tells a game's difficulty by it, the end of a game how often that player does better. A game for
two has no such figures: its difficulty is the opponent's.
"""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from smallchange.game import Game

MEASURED = "odds.json"  # in a game's folder


class Odds(NamedTuple):
    """Of n games, those won, and by score how many had it; more is better. `command` plays them again, under
    this version of the rules."""

    n: int
    won: int
    scores: dict[str, int]
    rules: int
    command: str

    def better(self, score: int) -> int:
        """How many games had a higher score."""
        return sum(n for had, n in self.scores.items() if int(had) > score)


@cache
def odds(id: str) -> Odds | None:
    """What was measured of a game; None if nothing was, or under other rules."""
    game = Game(id)
    file = game.folder / MEASURED
    found = Odds(**json.loads(file.read_text(encoding="utf-8"))) if file.exists() else None
    return found if found and found.rules == game.version else None
