"""Two or more variants of a game, or policies, compared on the same deals."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from smallchange.bots.policy import Policy, PolicyLike, policy_name, seat_policies
from smallchange.core.errors import BadPolicy
from smallchange.core.game import Game, game_of
from smallchange.core.variants import without_idle_options

from .comparisons import Difference, Mean
from .experiment import run
from .experiment_grid import Cell, Experiment
from .result_tables import Sheet, mean, rate, variant
from .results import Sample, read_results

LEAST_GAMES, MOST_GAMES = 1_000, 1_024_000


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
    """Let two policies play seat 0 of the same deals until their difference is known well enough.

    `until` is half the width of its 95 % interval, in points a game (a win is 1, a draw half a point). The number of
    games doubles from 1,000 on, to 1,024,000 at most. In a game for two both meet `greedy`.
    BadPolicy as `compare_alternatives` raises it, ValueError for an `until` that is not above 0.
    """
    if not until > 0:
        raise ValueError(f"until is above 0, not {until!r:.60}")
    game = game_of(game)
    others = ["greedy"] * (len(game.seats) - 1)
    pair = [Alternative(game, seat_policies([each, *others], game)) for each in (first, second)]
    n = LEAST_GAMES
    while True:
        found = compare_alternatives(pair, n, seed, workers)
        if n >= MOST_GAMES or found.differences[0].points.half <= until:
            return found
        n *= 2


def compare_alternatives(
    alternatives: Sequence[Alternative],
    n: int,
    seed: int = 1,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Let each alternative play the games 0 .. n - 1 of a seed, and compare each with the first.

    Equal numbers are equal deals: each physical object shows the same, in the order in which it is asked.
    BadPolicy for fewer than two different alternatives, or if a game has no such bot.
    """
    alternatives = [replace(each, game=without_idle_options(each.game)) for each in alternatives]
    cells = [alternative.cell(seed, n) for alternative in alternatives]
    if len({cell.key for cell in cells}) < max(2, len(cells)):
        names = "; ".join(alternative.title for alternative in alternatives)
        raise BadPolicy(f"a comparison needs two or more different variants or policies, not {names}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "comparison.parquet"
        run(Experiment("Comparison", tuple(cells)), file, "", "processes", workers, progress)
        found = {(sample.game, sample.policy): sample for sample in read_results(file).samples}
    samples = [found[alternative.game, policy_name(alternative.policy)] for alternative in alternatives]
    pairs = [(sample, Difference.of(sample, samples[0])) for sample in samples[1:]]
    return Comparison(alternatives, samples, [found for _, found in pairs if found], seed)
