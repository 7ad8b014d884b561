"""The play rating: the level whose choices give away as much as those of a player, by the reviews of both.

`python -m research calibrate GAME given` measures the loss of each level. Between two levels the play rating lies as
far as the mean does between theirs. It says nothing about luck, so it tells the strength of play from few games.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from .levels import LEVELS, GivenAway, Level
from .mean_cost import MeanCost

MIN_MATCHES = 10  # reviewed matches, below which there is no play rating


class PlayRating(NamedTuple):
    """The mean odds that a player gave away per choice, and the level that gives away as much, 1 to 5.

    `low` and `high` are the levels at the ends of the mean's 95 % interval; all three are None for a game whose levels
    were not measured.
    """

    cost: MeanCost
    level: float | None
    low: float | None
    high: float | None


def play_rating(cost: MeanCost, bots: Mapping[str, Level], version: int) -> PlayRating | None:
    """Return the play rating of a player in a game with these bots; None for fewer than MIN_MATCHES matches."""
    if cost.matches < MIN_MATCHES:
        return None
    steps = measured_levels(bots, version)
    if not steps:
        return PlayRating(cost, None, None, None)
    return PlayRating(cost, *(level_of(mean, steps) for mean in (cost.mean, cost.high, cost.low)))


def measured_levels(bots: Mapping[str, Level], version: int) -> list[float]:
    """Return the mean odds that each level gives away per choice, from LEVELS[0] on.

    Return [] where one was not measured under this version of the rules. A level that gave away more than the one
    before it counts as giving away as much.
    """
    found: list[float] = []
    for name in LEVELS:
        given: GivenAway | None = bots[name].given if name in bots else None
        if given is None or given.rules != version:
            return []
        found.append(min([given.mean, *found]))
    return found


def level_of(mean: float, steps: list[float]) -> float:
    """Return the level that gives away this mean, by linear interpolation; the first or last beyond them.

    >>> [level_of(mean, [0.08, 0.04, 0.02, 0.01, 0.0]) for mean in (0.2, 0.06, 0.02, 0.0)]
    [1.0, 1.5, 3.0, 5.0]
    """
    if mean >= steps[0]:
        return 1.0
    for level, (worse, better) in enumerate(pairwise(steps), 1):
        if better <= mean < worse:
            return level + (worse - mean) / (worse - better)
    return float(len(steps))
