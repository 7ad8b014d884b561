"""A ladder: which player is how strong at a game."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from smallchange import bots
from smallchange.bots.policy import Policy
from smallchange.core.errors import BadPolicy
from smallchange.core.game import Game, game_of
from smallchange.core.variants import without_idle_options

from .comparisons import Mean
from .experiment import run
from .experiment_grid import Cell, Experiment
from .ratings import Rating, ratings
from .result_tables import Sheet, mean, odds, percent, players
from .results import Results, Sample, read_results

__all__ = ["Ladder", "ladder", "usual"]


@dataclass(frozen=True)
class Ladder:
    """The players, weakest first as they were named, the games they played, and the tables."""

    game: Game
    policies: list[str]
    results: Results
    ratings: list[Rating]  # none in a game for one
    sheets: list[Sheet]

    def to_json(self) -> dict[str, Any]:
        """Return the players with their ratings, or with their results in a game for one, as plain data."""
        about = {"game": self.game.id, "options": self.game.non_default_options, "rules": self.game.version}
        if self.ratings:
            rated = zip(self.policies, self.ratings, strict=True)
            return about | {"players": [{"player": name} | asdict(rating) for name, rating in rated]}
        rows = []
        for sample in self.results.samples:
            won = asdict(sample.win_rate())
            score = float(sample.scores[:, 0].mean())
            rows.append({"player": sample.policy, "games": sample.n, "won": won, "score": score})
        return about | {"players": rows}

    def _repr_html_(self) -> str:
        return "".join(sheet._repr_html_() for sheet in self.sheets)


def usual(game: Game) -> list[str]:
    """Every bot of a game, one name for those that are the same."""
    names: dict[str, str] = {}
    for name in bots.names(game):
        names.setdefault(Policy(name).fingerprint(game), name)
    return list(names.values())


def ladder(
    game: Game | str,
    policies: list[str],
    n: int,
    seed: int = 1,
    out: str | Path | None = None,
    command: str = "",
    backend: str = "processes",
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Ladder:
    """Let the policies play, each against each in both orders, or all the same deals of a game for one.

    n games of each pair or, for one, of each policy. With `out` the games are kept there, and a ladder that
    was killed goes on; the other arguments are those of `experiment.run`. BadPolicy says who cannot play.
    """
    game, policies = game_of(game), [str(Policy.parse(word)) for word in policies]
    experiment = games_of(game, policies, n, seed)
    with tempfile.TemporaryDirectory() as folder:
        file = out or Path(folder) / "ladder.parquet"
        run(experiment, file, command, backend, workers, progress)
        results = read_results(file)
    if len(game.seats) == 1:
        sheets = [odds(results, game.id), players(results, game.id)]
        return Ladder(game, policies, results, [], [sheet for sheet in sheets if sheet])
    points = table_of_points(results.samples, policies)
    rated = ratings(points)
    return Ladder(
        game, policies, results, rated, [_standings(policies, rated, points), _pairs(policies, points)]
    )


def games_of(game: Game, policies: list[str], n: int, seed: int) -> Experiment:
    """Return the experiment of a ladder."""
    parsed = [Policy.parse(word) for word in policies]
    if len(set(parsed)) < max(2, len(parsed)):
        raise BadPolicy(f"a ladder needs at least two different players, not {', '.join(policies) or 'none'}")
    for policy in parsed:
        policy.fingerprint(game)  # or the game has no such bot
    chosen = tuple(without_idle_options(game).non_default_options.items())
    seated: list[tuple[tuple[Policy, ...], int]] = [((policy,), n) for policy in parsed]
    if len(game.seats) > 1:
        pairs = combinations(parsed, 2)
        seated = [half for a, b in pairs for half in (((a, b), (n + 1) // 2), ((b, a), n // 2))]
    cells = (Cell(game.id, chosen, who, seed, games) for who, games in seated if games)
    return Experiment(f"Ladder of {game.id}", tuple(cells))


def table_of_points(samples: list[Sample], policies: list[str]) -> list[list[float]]:
    """points[i][j] that player i made against player j."""
    points = [[0.0] * len(policies) for _ in policies]
    for sample in samples:
        who = [policies.index(word) for word in sample.policy.split(",")]
        for seat in (0, 1):
            points[who[seat]][who[1 - seat]] += float(sample.points(seat).sum())
    return points


def _standings(policies: list[str], rated: list[Rating], points: list[list[float]]) -> Sheet:
    made = np.array(points)
    games = made.sum(axis=1) + made.sum(axis=0)
    order = sorted(range(len(policies)), key=lambda i: -rated[i].elo)
    rows = []
    for i in order:
        found = Mean(rated[i].elo, rated[i].low, rated[i].high, int(games[i]))
        rows.append(
            [policies[i], mean(found, digits=0), f"{games[i]:,.0f}", percent(made[i].sum() / games[i])]
        )
    note = "Elo, the mean of all being 0, ± half the 95 % interval; who is 100 higher makes 64 points of 100."
    return Sheet("Ratings", note, ["player", "rating", "games", "points of 100"], rows)


def _pairs(policies: list[str], points: list[list[float]]) -> Sheet:
    rows = []
    for i, name in enumerate(policies):
        row = [name]
        for j in range(len(policies)):
            games = points[i][j] + points[j][i]
            row.append("" if i == j else percent(points[i][j] / games))
        rows.append(row)
    return Sheet("Who against whom", "Points of 100 that the player of the row made.", ["", *policies], rows)
