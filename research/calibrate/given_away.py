"""The odds that each bot of a game gives away per choice, judged by the reviews of its games against itself."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from smallchange import bots
from smallchange.bots.levels import LEVELS, GivenAway, identities
from smallchange.bots.mean_cost import MeanCost, SeatCost
from smallchange.bots.review import review
from smallchange.core.game import Game
from smallchange.core.match import Match

from .processes import in_processes

AMPLE_S = 600.0  # for a move: the plan of a bot ends its search, not the clock


@dataclass(frozen=True)
class Job:
    """Game number `i` of a seed, played by one bot on every side."""

    game: str
    bot: str
    seed: int
    i: int


def measure_given_away(
    game: Game,
    name: str,
    n: int,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> GivenAway:
    """Play n base games by a bot against itself, and return the mean odds that it gave away per choice.

    The same seed gives the same figures, whatever the workers. Raise ValueError if it never had a choice.
    """
    costs = []
    for cost in in_processes(play_game, [Job(game.id, name, seed, i) for i in range(n)], workers):
        costs.append(cost)
        progress(len(costs))
    mean = MeanCost.of(costs)
    if mean is None:
        raise ValueError(f"{name} had no choice in {n} games of {game.id}")
    words = ["python", "-m", "research", "calibrate", game.id, "given"]
    words += [name, "-n", str(n), "--seed", str(seed)]
    given, low, high = (round(figure, 5) for figure in (mean.mean, mean.low, mean.high))
    bot = identities(game, name, LEVELS[-1])
    return GivenAway(n, mean.choices, given, low, high, game.version, seed, shlex.join(words), bot)


def play_game(job: Job) -> SeatCost:
    """Play and review a game; return the loss of both sides together, and the number of choices."""
    game = Game(job.game)
    match = Match(game, Random(f"{job.seed} {job.i}").randbytes(16))
    bot = bots.bot(job.bot, AMPLE_S, Random(f"{job.seed} {job.i} thinks"))
    while not match.over:
        if not match.settle():
            match.play(bot(match.position))
    return SeatCost.of(review(match))
