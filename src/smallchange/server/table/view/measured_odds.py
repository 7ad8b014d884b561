"""Measured odds of games, read from their folders.

For a game for one, `smallchange calibrate` measures how the simple bot does in the base game. The lobby shows
the game's difficulty by this, and the end of a game shows how often that bot scores better. A game for two
has no such figures: its difficulty is the opponent's. For some variants, the win rates of the best bot are
measured too, as in docs/odds.md.
"""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from smallchange.bots.levels import load_bots
from smallchange.core.game import Game
from smallchange.core.measurements import BASELINE_FILE, WIN_RATES_FILE, Rate
from smallchange.core.variants import without_idle_options


class Baseline(NamedTuple):
    """The simple bot's results in the base game of a game for one.

    Of `n` games, `won` were won. `scores` maps a score to the number of games with it; more is better.
    `command` plays the games again, under version `rules` of the rules.
    """

    n: int
    won: int
    scores: dict[str, int]
    rules: int
    command: str

    def better(self, score: int) -> int:
        """Return the number of games with a higher score."""
        return sum(n for had, n in self.scores.items() if int(had) > score)


@cache
def baseline(id: str) -> Baseline | None:
    """Return the baseline of a game; None if it was not measured, or under other rules."""
    game = Game(id)
    file = game.folder / BASELINE_FILE
    found = Baseline(**json.loads(file.read_text(encoding="utf-8"))) if file.exists() else None
    return found if found and found.rules == game.version else None


class WinRates(NamedTuple):
    """The win rate of each player in `n` games of equal players. `command` plays the games again."""

    n: int
    rates: dict[str, Rate]
    command: str


def best_bot_rates(game: Game) -> WinRates | None:
    """Return the win rates of the best bot with these options, in a game for two against itself.

    They are None if they were not measured, or under other rules.
    """
    game = without_idle_options(game)
    *_, level = load_bots(game).values()
    found = level.measured
    if found and found.rules == game.version and not found.against and not game.non_default_options:
        rate = Rate(found.share, found.low, found.high)  # of more games than are played of a variant
        return WinRates(found.n, {game.seats[0]: rate}, found.command)
    return _best(game.id).get(game)


@cache
def _best(id: str) -> dict[Game, WinRates]:
    """Return the measured win rates of the best bot, by variant."""
    base = Game(id)
    if not (file := base.folder / WIN_RATES_FILE).exists():
        return {}
    document = json.loads(file.read_text(encoding="utf-8"))
    found = {}
    for row in document["variants"] if document["rules"] == base.version else ():
        rates = {seat: Rate.of(wins, row["n"]) for seat, wins in zip(base.seats, row["wins"], strict=True)}
        found[Game(id, row["options"])] = WinRates(row["n"], rates, document["command"])
    return found
