"""The strength of each bot of a game: whole base games by the bots as they are."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from statistics import fmean, stdev
from time import process_time

from smallchange import bots
from smallchange.bots.engines.evaluation import outcome_points
from smallchange.bots.levels import Level, Measurement, identities
from smallchange.core.game import Game
from smallchange.core.match import Match, first_choice
from smallchange.lab.statistics import Z95, Rate

from .processes import in_processes

COMPILE_MOVE_S = 120.0  # for the move that compiles a bot


@dataclass(frozen=True)
class Job:
    """Game number `i` of a seed: a bot, its opponent ("" in a game for one), and the seconds for a move."""

    game: str
    bot: str
    against: str
    seed: int
    i: int
    seconds: float


@dataclass(frozen=True)
class BotResult:
    """A bot in one game: points, score, seconds of processor time, and moves that were choices."""

    points: float
    score: int
    seconds: float
    moves: int


def opponent(game: Game, levels: dict[str, Level], name: str) -> str:
    """Return the bot that another is measured against: the one before it, `random` for `greedy`.

    Return "" in a game for one, and for the weakest bot, which is not measured.
    """
    order = [other for other in levels if other != "greedy" or name == "greedy"]
    place = order.index(name)
    return order[place - 1] if len(game.seats) > 1 and place else ""


def measure_level(
    game: Game,
    levels: dict[str, Level],
    name: str,
    n: int,
    seed: int,
    seconds: float = bots.MOVE_TIME_S,
    workers: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> Measurement | None:
    """Play n games by a bot and return how it did; None for the weakest bot of a game for two.

    In a game for one every bot plays the same deals. In a game for two it plays the bot before it, half of
    the games on each side. The same seed gives the same games whatever the workers, as long as no move takes
    all the seconds.
    """
    against = opponent(game, levels, name)
    if len(game.seats) > 1 and not against:
        return None
    results = []
    jobs = [Job(game.id, name, against, seed, i, seconds) for i in range(n)]
    for result in in_processes(play_game, jobs, workers):
        results.append(result)
        progress(len(results))
    share, low, high = interval([result.points for result in results])
    ms = 1000 * sum(result.seconds for result in results) / max(1, sum(result.moves for result in results))
    words = ["python", "-m", "research", "calibrate", game.id, "levels"]
    words += [name, "-n", str(n), "--seed", str(seed)]
    return Measurement(
        n,
        round(share, 4),
        round(low, 4),
        round(high, 4),
        float(f"{ms:.2g}"),
        game.version,
        seed,
        shlex.join(words),
        against,
        None if against else round(fmean(result.score for result in results), 2),
        identities(game, name, against),
    )


def interval(points: list[float]) -> tuple[float, float, float]:
    """Return the mean of points and its 95 % interval: Wilson's for wins and losses, else a normal one."""
    n, mean = len(points), fmean(points)
    if set(points) <= {0.0, 1.0} or n < 2 or stdev(points) == 0:
        rate = Rate.of(round(sum(points)), n)
        return rate.p, rate.low, rate.high
    half = Z95 * stdev(points) / n**0.5
    return mean, max(0.0, mean - half), min(1.0, mean + half)


def play_game(job: Job) -> BotResult:
    """Play one game. Two games in a row have the same deal, with the seats exchanged."""
    game = Game(job.game)
    match = Match(game, Random(f"{job.seed} {job.i // len(game.seats)}").randbytes(16))
    seat = game.seats[job.i % len(game.seats)]
    luck = Random(f"{job.seed} {job.i} thinks")
    players = {
        player: bots.bot(job.bot if player == seat else job.against or job.bot, job.seconds, luck)
        for player in game.seats
    }
    _compile(job.game)
    seconds, moves = defaultdict[str, float](float), Counter[str]()
    while not match.over:
        if match.settle():
            continue
        player = match.position.actor or ""
        choice = len(match.position.legal()) > 1
        start = process_time()
        token = players[player](match.position)
        seconds[player] += process_time() - start
        moves[player] += choice
        match.play(token)
    score, points = match.position.score(seat), outcome_points(match.position, seat)
    assert score is not None  # the game is over
    assert points is not None
    return BotResult(points, score, seconds[seat], moves[seat])


@lru_cache
def _compile(id: str) -> None:
    """Let every bot of a game make a move, so that no search is cut short by compiling."""
    position = first_choice(Game(id))
    for name in bots.names(position.game):
        bots.bot(name, COMPILE_MOVE_S, Random(1))(position)
