"""Whole games by the million under simple policies, counted.

>>> import smallchange
>>> from smallchange.lab.simulate import simulate
>>> game = smallchange.game(smallchange.games()[0])
>>> simulate(game, 2000, seed=1) == simulate(game, 2000, seed=1, workers=2)
True
"""

from __future__ import annotations

import os
import secrets
import shlex
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from smallchange import fast
from smallchange.errors import BadPolicy
from smallchange.game import Game
from smallchange.options import Value
from smallchange.state import OVER

from .measure import Rate, Spread
from .outcomes import Outcomes

POLICIES = {"random": fast.RANDOM, "greedy": fast.GREEDY}
PATIENCE = 0.1  # seconds that a batch of games should take, and so about what Ctrl-C waits for
FIRST, MOST = 16, 1 << 16  # games in a batch
LONGEST = 10_000_000  # steps of one game: none comes near


@dataclass(frozen=True)
class Simulation:
    """What came of n games. Equal where the same games were played, however fast.

    `policy` has a name for each seat, with commas. `win_rate` and `score` are one each for a game of
    one player, else one for each player by name. `complete` is False where it was interrupted: then
    n is the number of games played until then, the first ones of the seed.
    """

    game: str
    version: int
    options: dict[str, Value]
    policy: str
    n: int
    seed: int
    workers: int = field(compare=False)
    seconds: float = field(compare=False)
    games_per_s: float = field(compare=False)
    steps_per_s: float = field(compare=False)
    mean_steps: float
    longest: int
    outcomes: dict[str, int]
    win_rate: Rate | dict[str, Rate]
    score: Spread | dict[str, Spread]
    command: str
    complete: bool = True

    def to_json(self) -> dict[str, Any]:
        """Plain data for json.dumps."""
        return asdict(self)

    def to_rows(self) -> list[list[str | int | float]]:
        """The outcome table with a heading, for csv.writer: outcome, games, share, and its 95 % interval."""
        rows: list[list[str | int | float]] = [["outcome", "games", "share", "low", "high"]]
        for label, games in self.outcomes.items():
            rate = Rate.of(games, self.n)
            rows.append([label, games, rate.p, rate.low, rate.high])
        return rows


def simulate(
    game: Game,
    n: int,
    policy: str | Sequence[str] = "random",
    seed: int | None = None,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play n games to their ends.

    `policy`: "random" or "greedy", one for all seats or one for each ("greedy,random"). `seed`: from 0 to
    2^64 - 1, by default a fresh one; the same seed gives the same games, whatever `workers` is (threads;
    by default one a core). `progress` is called with the number of games done. Ctrl-C ends it early, with
    what has been played. ValueError where an argument is not as said here.
    """
    plan = _plan(policy, len(game.seats))
    if not isinstance(n, (int, np.integer)) or n < 1:
        raise ValueError(f"n must be a whole number from 1 on, not {n!r:.80}")
    if workers is not None and workers < 1:
        raise ValueError(f"there must be at least 1 worker, not {workers}")
    seed = secrets.randbits(32) if seed is None else fast.seeded(seed)
    workers = workers or cores()
    way = fast.compiled(game)
    way.play_games(plan, seed, 0, 1, LONGEST)  # compiles where it must, before the clock starts
    tally = _Tally(game)
    start = perf_counter()
    try:
        for games in _batches(way, plan, seed, n, workers):
            tally.add(games)
            if progress is not None:
                progress(tally.n)
    except KeyboardInterrupt:
        if not tally.n:
            raise
    return tally.simulation(plan, seed, workers, perf_counter() - start, n)


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _plan(policy: str | Sequence[str], seats: int) -> list[int]:
    names = [name.strip() for name in policy.split(",")] if isinstance(policy, str) else list(policy)
    if len(names) not in (1, seats) or any(name not in POLICIES for name in names):
        who = f", for all or for each of {seats} players with commas between" if seats > 1 else ""
        raise BadPolicy(
            f"the policy must be one of {', '.join(POLICIES)}{who}; not {','.join(names)!r} "
            f"(levels are measured by `smallchange experiment` and `smallchange ladder`)"
        )
    return [POLICIES[name] for name in (names * seats if len(names) == 1 else names)]


def _batches(way: fast.Way, plan: list[int], seed: int, n: int, workers: int) -> Iterator[fast.Games]:
    """The games 0 .. n - 1 in order, played by threads, in batches that grow to take PATIENCE each."""

    def play(first: int, size: int) -> tuple[int, fast.Games, float]:
        start = perf_counter()
        games = way.play_games(plan, seed, first, size, LONGEST)
        return first, games, perf_counter() - start

    waiting: deque[Future[tuple[int, fast.Games, float]]] = deque()
    asked, size = 0, FIRST
    pool = ThreadPoolExecutor(workers, "games")
    try:
        while asked < n or waiting:
            while asked < n and len(waiting) <= workers:
                waiting.append(pool.submit(play, asked, min(size, n - asked)))
                asked = min(n, asked + size)
            first, games, seconds = waiting.popleft().result()
            if games.ended < len(games.steps):
                late = first + int((games.states["turn"] != OVER).argmax())
                raise RuntimeError(f"a game did not end within {LONGEST} steps: seed {seed}, number {late}")
            size = max(1, min(MOST, int(len(games.steps) * min(4, PATIENCE / max(seconds, 1e-6)))))
            yield games
    finally:
        pool.shutdown(cancel_futures=True)


class _Tally:
    """What is kept of the games: counts only."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.n = self.steps = self.longest = 0
        self.outcomes = Outcomes(game)
        self.scores: list[Counter[int]] = [Counter() for _ in game.seats]

    def add(self, games: fast.Games) -> None:
        self.n += len(games.steps)
        self.steps += int(games.steps.sum())
        self.longest = max(self.longest, int(games.steps.max()))
        self.outcomes.add(games)
        for seat, counted in enumerate(self.scores):
            values, times = np.unique(games.scores[:, seat], return_counts=True)
            for value, n in zip(values.tolist(), times.tolist(), strict=True):
                counted[value] += n

    def simulation(self, plan: list[int], seed: int, workers: int, seconds: float, wanted: int) -> Simulation:
        game, n, seats = self.game, self.n, self.game.seats
        names = {number: name for name, number in POLICIES.items()}
        policy = names[plan[0]] if len(set(plan)) == 1 else ",".join(names[p] for p in plan)
        rates = {player: Rate.of(self.outcomes.wins[player], n) for player in seats}
        spreads = {player: Spread.of(counted) for player, counted in zip(seats, self.scores, strict=True)}
        return Simulation(
            game=game.id,
            version=game.version,
            options=dict(game.options),
            policy=policy,
            n=n,
            seed=seed,
            workers=workers,
            seconds=seconds,
            games_per_s=n / seconds,
            steps_per_s=self.steps / seconds,
            mean_steps=self.steps / n,
            longest=self.longest,
            outcomes=dict(self.outcomes.counts.most_common()),
            win_rate=rates if len(seats) > 1 else rates[seats[0]],
            score=spreads if len(seats) > 1 else spreads[seats[0]],
            command=command(game, n, policy, seed),
            complete=n == wanted,
        )


def command(game: Game, n: int, policy: str, seed: int) -> str:
    """The words that play the same games again at the prompt.

    >>> import smallchange
    >>> game = smallchange.game(smallchange.games()[0])
    >>> command(game, 100, "greedy,random", 7).replace(game.id, "GAME")
    'smallchange simulate GAME -n 100 --policy greedy,random --seed 7'
    """
    words = ["smallchange", "simulate", game.id, *game.arguments, "-n", str(n)]
    return shlex.join([*words, "--policy", policy, "--seed", str(seed)])
