"""The bands of deals by difficulty: the odds of the best bot at the start of many deals."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from random import Random
from statistics import fmean

from smallchange.bots.deals import EASY, HARD, MEDIUM, deal_odds, stored_bands
from smallchange.core.commitment import DEAL_BYTES
from smallchange.core.game import Game
from smallchange.core.variants import without_idle_options

SHARE = 0.3  # of deals that are hard, and of those that are easy
MIN_DEALS = 3  # one in each band


def measure_bands(game: Game, n: int, seed: int, progress: Callable[[int], None] = lambda _: None) -> str:
    """Measure the odds of n deals of a variant, and return the text of deal_bands.json with its bands.

    The bands of other variants stay. Raise ValueError for a game for two, and for fewer than MIN_DEALS deals.
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
    command = [
        *("python", "-m", "research", "calibrate"),
        game.id,
        "deals",
        *game.arguments,
        "-n",
        str(n),
        "--seed",
        str(seed),
    ]
    bands = {
        "low": low,
        "high": high,
        "mean": {name: round(fmean(odds), 3) for name, odds in parts.items()},
        "n": n,
        "command": shlex.join(command),
    }
    options = without_idle_options(game).non_default_options
    rows = [row for row in stored_bands(game) if row["options"] != options]
    rows.append({"options": options, "bands": bands})
    rows.sort(key=lambda row: len(row["options"]) > 0)
    return json.dumps({"rules": game.version, "variants": rows}, indent=1) + "\n"
