"""Two or more variants of a game, or policies, compared on the same deals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any

import pyarrow as pa

from smallchange.bots.policy import Policy, PolicyLike, policy_name, seat_policies
from smallchange.core.errors import BadPolicy
from smallchange.core.game import Game, game_of
from smallchange.core.variants import without_idle_options

from .backends import check_workers, distribute
from .comparisons import Difference, Mean
from .experiment_grid import Cell, Portion
from .play_portion import Column, play
from .result_store import table
from .result_tables import Sheet, mean, rate, variant
from .results import Sample, samples_in

__all__ = ["Alternative", "Comparison", "compare", "compare_alternatives"]

LEAST_GAMES, MOST_GAMES = 1_000, 1_024_000
Job = tuple[int, Portion]  # the place of an alternative, and games of it


@dataclass(frozen=True)
class Alternative:
    """A variant of a game, a policy for each seat, and a name for both."""

    game: Game
    policy: tuple[Policy, ...]
    name: str = ""

    @property
    def title(self) -> str:
        """The name, or the options and policies in a few words."""
        return self.name or f"{variant(self.game.non_default_options)}, {policy_name(self.policy)}"

    def cell(self, seed: int, n: int) -> Cell:
        """Return the n games of a seed."""
        return Cell(self.game.id, tuple(self.game.non_default_options.items()), self.policy, seed, n)


@dataclass(frozen=True)
class Comparison:
    """The samples of all alternatives, and the differences between the first and each other on the same deals."""

    alternatives: list[Alternative]
    samples: list[Sample]
    differences: list[Difference]
    seed: int

    @property
    def sheets(self) -> list[Sheet]:
        """The figures as two tables."""
        return [self._each(), self._differences()]

    def _each(self) -> Sheet:
        rows = []
        for alternative, sample in zip(self.alternatives, self.samples, strict=True):
            score = mean(Mean.of(sample.scores[:, 0]), sign=False)
            rows.append([alternative.title, rate(sample.win_rate()), score, f"{sample.steps.mean():.1f}"])
        first = self.samples[0].game.seats[0]
        head = ["", f"{first} wins, %", f"score of {first}", "steps"]
        return Sheet(
            "Each", "In brackets the 95 % interval (Wilson), after ± half of it (Student's t).", head, rows
        )

    def _differences(self) -> Sheet:
        rows = []
        for alternative, found in zip(self.alternatives[1:], self.differences, strict=True):
            row = [alternative.title, mean(found.points, 100), f"{100 * found.alone:.2f}"]
            rows.append([*row, mean(found.score), mean(found.steps, digits=1)])
        head = ["", "points of 100", "± if the deals were not the same", "score", "steps"]
        title = f"More than {self.alternatives[0].title}, on the same deals"
        return Sheet(title, "A draw is half a point.", head, rows)

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        each = [
            {
                "name": alternative.title, "options": alternative.game.non_default_options,
                "policy": policy_name(alternative.policy), "won": asdict(sample.win_rate()),
                "score": asdict(Mean.of(sample.scores[:, 0])), "steps": float(sample.steps.mean()),
            }
            for alternative, sample in zip(self.alternatives, self.samples, strict=True)
        ]  # fmt: skip
        differences = [asdict(found) for found in self.differences]
        about = {"game": self.samples[0].game.id, "games": self.samples[0].n, "seed": self.seed}
        return about | {"alternatives": each, "differences": differences}

    def __str__(self) -> str:
        return "\n\n".join(f"{sheet.title}\n{sheet.plain()}\n{sheet.note}" for sheet in self.sheets)

    def _repr_html_(self) -> str:
        return "".join(sheet._repr_html_() for sheet in self.sheets)


def compare(
    game: Game | str,
    first: PolicyLike,
    second: PolicyLike,
    until: float = 0.01,
    seed: int = 1,
    workers: int | None = None,
) -> Comparison:
    """Let two policies play the same deals until their difference is known well enough.

    In a game for two they play against each other, each deal from both sides. `until` is half the width of the 95 %
    interval, in points a game (a win is 1, a draw half a point). The number of games of each side doubles from 1,000
    on, to 1,024,000 at most. A policy is as for `simulate`, a function too. BadPolicy as `compare_alternatives`
    raises it, ValueError for an `until` that is not above 0.
    """
    if not until > 0:
        raise ValueError(f"until is above 0, not {until!r:.60}")
    game = game_of(game)
    if len(game.seats) == 1:
        seated = [(seat_policies(each, game), "") for each in (first, second)]
    else:
        one, other = Policy.of(first), Policy.of(second)
        orders = (one, other), (other, one)
        seated = [(seat_policies(order, game), f"{order[0]} against {order[1]}") for order in orders]
    pair = _different([Alternative(game, *each) for each in seated])
    known, n = 0, LEAST_GAMES
    played: list[list[pa.Table]] = [[], []]
    while True:
        for tables, more in zip(played, _play(pair, seed, known, n, workers), strict=True):
            tables += more
        found = _compare(pair, played, seed)
        if n >= MOST_GAMES or found.differences[0].points.half <= until:
            return found
        known, n = n, 2 * n


def compare_alternatives(
    alternatives: Sequence[Alternative],
    n: int,
    seed: int = 1,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Let each alternative play the games 0 .. n - 1 of a seed, and compare each with the first.

    Equal numbers are equal deals: each physical object shows the same, in the order in which it is asked.
    `workers` are threads where all play compiled, else processes; functions are asked in this process.
    BadPolicy for fewer than two different alternatives, or if a game has no such bot.
    """
    alternatives = _different(alternatives)
    return _compare(alternatives, _play(alternatives, seed, 0, n, workers, progress), seed)


def _different(alternatives: Sequence[Alternative]) -> list[Alternative]:
    """Return the alternatives without options that change nothing. BadPolicy if two are the same."""
    alternatives = [replace(each, game=without_idle_options(each.game)) for each in alternatives]
    if len({(each.game, each.policy) for each in alternatives}) < max(2, len(alternatives)):
        names = "; ".join(alternative.title for alternative in alternatives)
        raise BadPolicy(f"a comparison needs two or more different variants or policies, not {names}")
    return alternatives


def _play(
    alternatives: Sequence[Alternative],
    seed: int,
    first: int,
    n: int,
    workers: int | None,
    progress: Callable[[int], None] | None = None,
) -> list[list[pa.Table]]:
    """Play the games first .. n - 1 of each alternative, and return tables of them, in order."""
    jobs = [
        (place, Portion(cell, at, min(cell.pieces.step, n - at)))
        for place, alternative in enumerate(alternatives)
        for cell in [alternative.cell(seed, n)]
        for at in range(first, n, cell.pieces.step)
    ]
    tables: dict[tuple[int, int], pa.Table] = {}
    done = 0
    for (place, portion), columns in _played(jobs, check_workers(workers)):
        tables[place, portion.first] = table(portion, columns)
        done += portion.n
        if progress is not None:
            progress(done)
    ordered = sorted(tables)
    return [[tables[key] for key in ordered if key[0] == place] for place in range(len(alternatives))]


def _played(jobs: Sequence[Job], workers: int) -> Iterator[tuple[Job, dict[str, Column]]]:
    """Yield the portions as they are played, in this process where it can."""
    cells = {portion.cell for _, portion in jobs}
    if any(policy.function for cell in cells for policy in cell.policy):
        yield from map(_work, jobs)
    elif all(isinstance(plan, int) for cell in cells for plan in cell.plans()):
        for cell in cells:
            play(Portion(cell, 0, 1))  # compiled once, not by each thread
        pool = ThreadPoolExecutor(workers, "games")
        try:
            yield from pool.map(_work, jobs)
        finally:
            pool.shutdown(cancel_futures=True)
    else:
        yield from distribute(_work, jobs, workers=workers)


def _work(job: Job) -> tuple[Job, dict[str, Column]]:
    return job, play(job[1])[0]


def _compare(alternatives: list[Alternative], played: Sequence[Sequence[pa.Table]], seed: int) -> Comparison:
    """Compare the games of each alternative with those of the first."""
    samples = [samples_in(pa.concat_tables(tables))[0] for tables in played]
    pairs = [(sample, Difference.of(sample, samples[0])) for sample in samples[1:]]
    return Comparison(alternatives, samples, [found for _, found in pairs if found], seed)
