"""A net learned from nothing, or on from what another has learned; the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from smallchange.game import Game

from .expectimax import LEVELS, WIDEST, Expectimax, valuer
from .values import Valuer, scaled
from .weights import Weights, fresh

PORTION = 100  # games between two reports; the steps of the net get shorter
BOUNDS = {  # the least and the most that a number of the lessons can be
    "thumb": (0, 10**9),
    "games": (1, 10**9),
    "hidden": (1, 1024),
    "blend": (0, 1),
    "rate": (0, 1),
    "fade": (0, 1),
    "rash": (0, 1024),
    "foes": (0, 100),
    "looks": (0, 10**6),
    "batch": (1, PORTION),
    "scale": (1, 1000),
    "width": (1, WIDEST),
    "depth": (1, LEVELS),
}
FROM_NOTHING = ("thumb", "hidden", "blend", "scale")  # what says nothing where a net learns on


@dataclass(frozen=True)
class Lessons:
    """How to learn: games by the rule of thumb, then games by what was learned; see `learn.py`.

    hidden: units. blend: 1 to learn the chance of a win, 0 what the game aims at. rash: moves of 1024 that
    are random. foes: games of 100 in which one seat plays by the rule of thumb, so that its weak sides are
    learned too. looks: ahead from each state, from which to learn instead of from what comes of it. scale:
    how many times a feature that varies little is scaled up at most. width and depth: of the search that
    teaches, in games that can be searched over all throws.
    """

    thumb: int = 10_000
    games: int = 10_000
    hidden: int = 32
    blend: float = 0.0
    rate: float = 0.002
    fade: float = 0.8
    rash: int = 0
    foes: int = 0
    looks: int = 0
    batch: int = 4
    scale: float = 10.0
    width: int = 16
    depth: int = 6

    def __post_init__(self) -> None:
        """ValueError for a number that is out of bounds."""
        for name, (least, most) in BOUNDS.items():
            number = getattr(self, name)
            if not least <= number <= most:
                raise ValueError(f"{accepted(name)}, not {number}")
        if self.games < self.batch:
            raise ValueError(f"batch is no more than the games, {self.games}, not {self.batch}")


def accepted(name: str) -> str:
    """What a number of the lessons may be, in words.

    >>> accepted("games"), accepted("rate")
    ('games is a whole number from 1 to 1,000,000,000', 'rate is a number from 0 to 1')
    """
    least, most = BOUNDS[name]
    whole = "whole " * isinstance(getattr(Lessons, name), int)
    return f"{name} is a {whole}number from {least} to {most:,}"


def train(
    game: Game, plan: Lessons, seed: int, said: Callable[[int, float], None], begun: Weights | None = None
) -> Weights:
    """Learn, on from what was begun. `said` is called after every portion: the games played, the mean of
    what was got in them."""
    learner = _beginner(game, plan, seed) if begun is None else valuer(game, begun)
    for first in range(0, plan.games, PORTION):
        n = min(PORTION, plan.games - first)
        rate = plan.rate * (1 - 0.9 * first / plan.games)
        said(first + n, _lesson(learner, plan, seed + 1, first, n, rate))
    return learner.weights()


def _beginner(game: Game, plan: Lessons, seed: int) -> Valuer:
    """Who has learned from the rule of thumb alone."""
    learner = valuer(game, fresh(game, plan.hidden, seed, plan.blend))
    scaled(learner, seed, min(200, max(1, plan.thumb)), plan.scale)
    if not isinstance(learner, Expectimax):
        for first in range(0, plan.thumb, PORTION):
            n = min(PORTION, plan.thumb - first)
            learner.learn(seed, first, n, plan.rate, plan.fade, plan.batch, thumb=True)
    return learner


def _lesson(learner: Valuer, plan: Lessons, seed: int, first: int, n: int, rate: float) -> float:
    if isinstance(learner, Expectimax):
        got = learner.learn_throws(seed, first, n, rate, plan.width, plan.depth, plan.batch)
    else:
        got = learner.learn(
            seed, first, n, rate, plan.fade, plan.batch, rash=plan.rash, foes=plan.foes, looks=plan.looks
        )
    return float(got.mean())
