"""Anchors: the fixed ratings of house bots, from the measured odds between the levels of a game.

A level that makes the share p of the points against the level before it stands SCALE * ln(p / (1 - p)) points above
it, which is 400 * log10(p / (1 - p)). That is the expected score of Glicko-2 solved for the difference, where both
ratings are certain. Source: step 3 of the paper named in `core/glicko2.py`, with g = 1. ZERO_LEVEL of every game stands
at START_RATING, where newcomers begin: so a rating says how strong a player is beside the levels of that game.

The interval of a measured share gives that of the difference. The errors of several steps are independent, because
each is measured by games of its own, so their variances add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log, sqrt
from typing import NamedTuple

from smallchange.bots.levels import LEVELS, Level, Measurement, load_bots
from smallchange.bots.mean_cost import Z95
from smallchange.core.game import Game
from smallchange.core.glicko2 import SCALE, START_RATING, Rating

ZERO_LEVEL = "level3"


class MeasuredStep(NamedTuple):
    """A level, and its measurement against the level before it."""

    level: str
    measured: Measurement


class Anchor(NamedTuple):
    """The fixed rating of a level: points, and their standard deviation against ZERO_LEVEL.

    `steps` are the measurements that lie between the two.
    """

    level: str
    points: float
    deviation: float
    steps: tuple[MeasuredStep, ...]

    @property
    def rating(self) -> Rating:
        """The rating that opponents are rated against. It never changes, so it has no volatility."""
        return Rating(self.points, self.deviation, 0.0)

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.points - Z95 * self.deviation

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.points + Z95 * self.deviation


def anchors(game: Game) -> dict[str, Anchor]:
    """Return the anchors of a game for two, the weakest first.

    A level without a measurement under the present rules has none, and none beyond it. There is none in a game for one.
    """
    return anchors_of(load_bots(game), game.version) if len(game.seats) == 2 else {}


def anchors_of(bots: Mapping[str, Level], version: int) -> dict[str, Anchor]:
    """Return the anchors of these bots, as they were measured under this version of the rules."""
    if ZERO_LEVEL not in bots:
        return {}
    zero = Anchor(ZERO_LEVEL, START_RATING, 0.0, ())
    middle = LEVELS.index(ZERO_LEVEL)
    below = list(_anchors_from(zero, LEVELS[:middle][::-1], bots, version, -1))
    above = list(_anchors_from(zero, LEVELS[middle + 1 :], bots, version, 1))
    return {anchor.level: anchor for anchor in (*below[::-1], zero, *above)} if below or above else {}


def _anchors_from(
    anchor: Anchor, levels: Sequence[str], bots: Mapping[str, Level], version: int, sign: int
) -> Iterator[Anchor]:
    """Yield the anchors of levels, each a step from the one before; `sign` is 1 upwards, and -1 downwards.

    They end at the first level without a measurement that counts.
    """
    for level in levels:
        weaker, stronger = (anchor.level, level) if sign > 0 else (level, anchor.level)
        found = measurement(bots[stronger], weaker, version)
        if found is None:
            return
        anchor = _next(anchor, level, MeasuredStep(stronger, found), sign)
        yield anchor


def measurement(stronger: Level, weaker: str, version: int) -> Measurement | None:
    """Return the measurement of a level against the level before it; None where there is none that counts.

    A share of which the interval reaches 0 or 1 gives no difference.
    """
    found = stronger.measured
    if found is None or found.rules != version or found.against != weaker:
        return None
    return found if 0 < found.low <= found.share <= found.high < 1 else None


def difference(share: float) -> float:
    """Return the points between two players, of whom the better one makes this share of the points.

    >>> round(difference(10 / 11), 2), difference(0.5)
    (400.0, 0.0)
    """
    return SCALE * log(share / (1 - share))


def _next(anchor: Anchor, level: str, step: MeasuredStep, sign: int) -> Anchor:
    """Return the anchor of the level one step above another, or below it for a `sign` of -1."""
    found = step.measured
    error = (difference(found.high) - difference(found.low)) / (2 * Z95)
    points = anchor.points + sign * difference(found.share)
    return Anchor(level, points, sqrt(anchor.deviation**2 + error**2), (*anchor.steps, step))
