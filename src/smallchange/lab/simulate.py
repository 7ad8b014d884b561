"""Whole games counted: by the million under policies that run compiled, else as bots play them.

>>> import smallchange
>>> from smallchange.lab.simulate import simulate
>>> game = smallchange.game(smallchange.games()[0])
>>> simulate(game, 2000, seed=1) == simulate(game, 2000, seed=1, workers=2)
True
"""

from __future__ import annotations

import secrets
import shlex
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from numbers import Integral
from time import perf_counter
from typing import Any

import numpy as np

from smallchange import engine
from smallchange.bots.policy import Policy, PolicyLike, parse_policies, seat_policies
from smallchange.core.errors import RulesError
from smallchange.core.game import Game, game_of
from smallchange.core.options import Value
from smallchange.core.state import OVER
from smallchange.render.html_table import table_html

from .backends import check_workers, distribute
from .experiment_grid import Cell, Portion
from .outcomes import Outcomes
from .play_portion import play
from .statistics import Rate, Spread

__all__ = ["Simulation", "simulate"]

Columns = dict[str, list[Any]]  # games as `play_portion.play` returns them
BATCH_S = 0.1  # seconds that a batch of games should take, and so about what Ctrl-C waits for
FIRST, MOST = 16, 1 << 16  # games in a batch
LONGEST = 10_000_000  # steps of one game: none comes near


@dataclass(frozen=True)
class Simulation:
    """The outcome of n games. Simulations of the same games are equal, however fast they ran.

    `policy` is what was asked for: a name for each seat, with commas, or one for all. `win_rate` and `score` are those
    of each player by name, `rules` is the version of the rules. `complete` is False where it was interrupted: then
    n is the number of games played until then, the first ones of the seed. `by_the_clock`: a player looks at the
    clock, so the same seed may play other games.
    """

    game: str
    rules: int
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
    win_rate: dict[str, Rate]
    score: dict[str, Spread]
    command: str
    complete: bool = True
    by_the_clock: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain data for json.dumps."""
        return asdict(self)

    def to_rows(self) -> list[list[str | int | float]]:
        """Return the outcome table with a heading, for csv.writer: outcome, games, share, 95 % interval."""
        rows: list[list[str | int | float]] = [["outcome", "games", "share", "low", "high"]]
        for label, games in self.outcomes.items():
            rate = Rate.of(games, self.n)
            rows.append([label, games, rate.p, rate.low, rate.high])
        return rows

    def _repr_html_(self) -> str:
        """Return the table for a notebook: outcomes and win rates with their 95 % intervals."""
        counted = [("ended", *row) for row in self.to_rows()[1:]]
        won = [("wins", player, "", rate.p, rate.low, rate.high) for player, rate in self.win_rate.items()]
        rows = [
            [what, who, n, *(f"{share:.2%}" for share in shares)] for what, who, n, *shares in counted + won
        ]
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        title = " ".join(filter(None, [self.game, options, f"policy {self.policy}", f"n = {self.n:,}"]))
        return table_html(["", "", "games", "share", "from", "to"], rows, title, f"Seed {self.seed}.")


def simulate(
    game: Game | str,
    n: int,
    policy: PolicyLike | Sequence[PolicyLike] = "random",
    seed: int | None = None,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play n games to their ends.

    `policy`: a bot, a level with its milliseconds ("level5@250"), "tree:N", your own "MODULE:FUNCTION", or a
    function of a position, or of a position and luck, that returns a token; one for all seats or one for each
    ("greedy,random"). `random` and `greedy` run compiled, thousands of games a second; other players are asked move
    by move, in processes, a function in this one unless `workers` says how many. `seed`: from 0 to 2^64 - 1, by
    default a fresh one; the same seed gives the same games, whatever `workers` is (threads or processes; by default
    one a core), unless a player looks at the clock. `progress` is called with the number of games done. Ctrl-C ends
    it early, with the games played so far. BadPolicy for an unknown policy, ValueError where another argument is
    not as said here.
    """
    game = game_of(game)
    asked = parse_policies(policy)
    players = seat_policies(asked, game)
    n = check_games(n)
    seed = secrets.randbits(32) if seed is None else engine.check_seed(seed)
    is_here = any(player.function is not None for player in players)
    workers = 1 if is_here and workers is None else check_workers(workers)
    tally = _Tally(game)
    plan = _compiled_plan(players, game)
    if plan is not None:
        way = engine.compile_game(game)
        way.play_games(plan, seed, 0, 1, LONGEST)  # compiles where it must, before the clock starts
    start = perf_counter()
    try:
        if plan is None:
            batches: Iterator[Columns | engine.Games] = _bot_batches(players, game, seed, n, workers)
        else:
            batches = _batches(way, plan, seed, n, workers)
        for games in batches:
            if isinstance(games, dict):
                tally.add_columns(games)
            else:
                tally.add(games)
            if progress is not None:
                progress(tally.n)
    except KeyboardInterrupt:
        if not tally.n:
            raise
    return tally.simulation(asked, seed, workers, perf_counter() - start, n)


def check_games(n: object) -> int:
    """Return a number of games. ValueError if it is no whole number from 1 on."""
    if not isinstance(n, Integral) or n < 1:
        raise ValueError(f"n must be a whole number from 1 on, not {n!r:.80}")
    return int(n)


def _compiled_plan(players: Sequence[Policy], game: Game) -> list[int] | None:
    """Return the compiled policy of each seat; None if a player is not among POLICIES."""
    plans = [player.plan(game) for player in players]
    return (
        [plan for plan in plans if isinstance(plan, int)] if all(isinstance(p, int) for p in plans) else None
    )


def _bot_batches(
    players: tuple[Policy, ...], game: Game, seed: int, n: int, workers: int
) -> Iterator[Columns]:
    """Yield the games 0 .. n - 1 in order, played by processes, or in this one if there is one worker."""
    portions = list(Cell(game.id, tuple(game.non_default_options.items()), players, seed, n).portions())
    waiting: dict[int, Columns] = {}
    first = 0
    for number, columns in distribute(_play_numbered, enumerate(portions), workers=workers):
        waiting[number] = columns
        while first in waiting:
            yield waiting.pop(first)
            first += 1


def _play_numbered(numbered: tuple[int, Portion]) -> tuple[int, Columns]:
    return numbered[0], play(numbered[1])[0]


def _batches(
    way: engine.CompiledGame, plan: list[int], seed: int, n: int, workers: int
) -> Iterator[engine.Games]:
    """Yield the games 0 .. n - 1 in order, played by threads, in batches that grow to take BATCH_S each."""

    def play(first: int, size: int) -> tuple[int, engine.Games, float]:
        start = perf_counter()
        games = way.play_games(plan, seed, first, size, LONGEST)
        return first, games, perf_counter() - start

    waiting: deque[Future[tuple[int, engine.Games, float]]] = deque()
    planned, size = 0, FIRST
    pool = ThreadPoolExecutor(workers, "games")
    try:
        while planned < n or waiting:
            while planned < n and len(waiting) <= workers:
                waiting.append(pool.submit(play, planned, min(size, n - planned)))
                planned = min(n, planned + size)
            first, games, seconds = waiting.popleft().result()
            if games.ended < len(games.steps):
                late = first + int((games.states["turn"] != OVER).argmax())
                raise RulesError(f"a game did not end within {LONGEST} steps: seed {seed}, number {late}")
            size = max(1, min(MOST, int(len(games.steps) * min(4, BATCH_S / max(seconds, 1e-6)))))
            yield games
    finally:
        pool.shutdown(cancel_futures=True)


class _Tally:
    """The counts kept of the games."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.n = self.steps = self.longest = 0
        self.outcomes = Outcomes(game)
        self.scores: list[Counter[int]] = [Counter() for _ in game.seats]

    def add(self, games: engine.Games) -> None:
        self.n += len(games.steps)
        self.steps += int(games.steps.sum())
        self.longest = max(self.longest, int(games.steps.max()))
        self.outcomes.add(games)
        for seat, counted in enumerate(self.scores):
            values, times = np.unique(games.scores[:, seat], return_counts=True)
            for value, n in zip(values.tolist(), times.tolist(), strict=True):
                counted[value] += n

    def add_columns(self, games: Columns) -> None:
        """Count games that bots played, a column for each of `play_portion.COLUMNS`."""
        self.n += len(games["steps"])
        self.steps += sum(games["steps"])
        self.longest = max(self.longest, *games["steps"])
        self.outcomes.counts.update(games["outcome"])
        self.outcomes.wins.update(self.game.seats[seat] for seat in games["winner"] if seat >= 0)
        for scores in games["scores"]:
            for counted, score in zip(self.scores, scores, strict=True):
                counted[score] += 1

    def simulation(
        self, players: Sequence[Policy], seed: int, workers: int, seconds: float, wanted: int
    ) -> Simulation:
        game, n, seats = self.game, self.n, self.game.seats
        policy = ",".join(map(str, players))
        return Simulation(
            game=game.id,
            rules=game.version,
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
            win_rate={player: Rate.of(self.outcomes.wins[player], n) for player in seats},
            score={player: Spread.of(counted) for player, counted in zip(seats, self.scores, strict=True)},
            command=command(game, n, policy, seed),
            complete=n == wanted,
            by_the_clock=any(player.depends_on_clock(game) for player in players),
        )


def command(game: Game, n: int, policy: str, seed: int) -> str:
    """Return the command that plays the same games again.

    >>> import smallchange
    >>> game = smallchange.game(smallchange.games()[0])
    >>> command(game, 100, "greedy,random", 7).replace(game.id, "GAME")
    'smallchange simulate GAME -n 100 --policy greedy,random --seed 7'
    """
    words = ["smallchange", "simulate", game.id, *game.arguments, "-n", str(n)]
    return shlex.join([*words, "--policy", policy, "--seed", str(seed)])
