"""The bands of deals by difficulty: the odds of the best bot at the start of many deals."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from statistics import fmean

from smallchange.bots.deals import EASY, HARD, MEDIUM, deal_odds
from smallchange.core.commitment import DEAL_BYTES
from smallchange.core.game import Game

SHARE = 0.3  # of deals that are hard, and of those that are easy
MIN_DEALS = 3  # one in each band


def measure_bands(game: Game, n: int, seed: int, progress: Callable[[int], None] = lambda _: None) -> str:
    """Measure the odds of n deals, and return the text of deal_bands.json.

    Raise ValueError for a game for two, and for fewer than MIN_DEALS deals.
    """
    if len(game.seats) > 1:
        raise ValueError(f"{game.id} is a game for two: deals have a difficulty in games for one")
    if n < MIN_DEALS:
        raise ValueError(f"bands are measured on {MIN_DEALS} deals or more, not {n}")
    luck, found = Random(seed), list[float]()
    for done in range(n):
        progress(done)
        found.append(deal_odds(game, luck.randbytes(DEAL_BYTES)))
    found.sort()
    first, last = round(SHARE * n), n - round(SHARE * n)
    low, high = (round((found[i - 1] + found[i]) / 2, 4) for i in (first, last))
    parts = {EASY: found[last:], MEDIUM: found[first:last], HARD: found[:first]}
    bands = {
        "low": low,
        "high": high,
        "mean": {name: round(fmean(odds), 3) for name, odds in parts.items()},
        "n": n,
        "command": f"smallchange calibrate {game.id} deals -n {n} --seed {seed}",
    }
    return json.dumps({"rules": game.version, "bands": bands}, indent=1) + "\n"
