"""What was measured of a game beforehand and lies in its folder.

How a simple player does in the base game of a game for one, as `odds.py` measured it: the lobby tells a
game's difficulty by it, the end of a game how often that player does better. A game for two has no such
figures: its difficulty is the opponent's. And how often the best bot wins variants, as docs/odds.md has it.
"""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from smallchange.game import Game
from smallchange.lab.measure import Rate
from smallchange.mind.levels import bots

MEASURED = "odds.json"
BEST = "best.json"  # bench/odds.py writes it


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


class Played(NamedTuple):
    """What came of n games of players that are alike: how often each won, and the command that plays them
    again."""

    n: int
    rates: dict[str, Rate]
    command: str


def best(game: Game) -> Played | None:
    """What was measured of the best bot with these options, in a game for two against itself; None if nothing
    was, or under other rules."""
    *_, level = bots(game).values()
    found = level.measured
    if found and found.rules == game.version and not found.against and not game.chosen:
        rate = Rate(found.share, found.low, found.high)  # of more games than are played of a variant
        return Played(found.n, {game.seats[0]: rate}, found.command)
    return _best(game.id).get(game)


@cache
def _best(id: str) -> dict[Game, Played]:
    base = Game(id)
    if not (file := base.folder / BEST).exists():
        return {}
    said = json.loads(file.read_text(encoding="utf-8"))
    found = {}
    for row in said["variants"] if said["rules"] == base.version else ():
        rates = {seat: Rate.of(wins, row["n"]) for seat, wins in zip(base.seats, row["wins"], strict=True)}
        found[Game(id, row["options"])] = Played(row["n"], rates, said["command"])
    return found
