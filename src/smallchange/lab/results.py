"""The results of an experiment, read back: samples that can be compared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from smallchange.core.errors import BadExperiment
from smallchange.core.game import Game
from smallchange.core.options import Value
from smallchange.core.variants import without_idle_options

from .result_store import NOT_OURS, TIMES, games_in, seconds_in
from .statistics import Rate

__all__ = ["Results", "Sample", "read_results"]

SAID: dict[str, Any] = {  # what a report needs of what is said
    **dict.fromkeys(("title", "command", "experiment"), str),
    "games": int,
    "seeds": list,
    **dict.fromkeys(("rules", "policies", "versions"), dict),
}
NUMBERS = 40  # bits of a deal's number that hold the game's; the seed's place stands above


@dataclass(frozen=True, eq=False)
class Sample:
    """The games of one game, its chosen options and policies, over all seeds.

    Arrays of n: `deal`, seed and number in one, ascending: equal ones are the same throws in all samples;
    `winner`, a seat or -1; `steps`; `outcome`, places in `outcomes`; and `scores` of n by seats.
    """

    game: Game
    policy: str
    deal: Any
    winner: Any
    steps: Any
    scores: Any
    outcome: Any
    outcomes: list[str]
    written: str = ""  # its options in the file, as JSON
    name: str = ""  # of the variant, where the experiment gave it one

    def __repr__(self) -> str:
        return f"<Sample of {self.game}, {self.policy}: {self.n} games>"

    @property
    def n(self) -> int:
        """The number of games."""
        return len(self.steps)

    @property
    def options(self) -> dict[str, Value]:
        """Those that differ from their defaults."""
        return self.game.non_default_options

    @property
    def same_policy(self) -> bool:
        """Return whether all players have the same policy."""
        return "," not in self.policy

    @cached_property
    def wins(self) -> list[int]:
        """Games won, by seat."""
        return [int((self.winner == seat).sum()) for seat in range(len(self.game.seats))]

    def win_rate(self, seat: int = 0) -> Rate:
        """Return the share of games that a seat won, with its 95 % interval."""
        return Rate.of(self.wins[seat], self.n)

    def points(self, seat: int = 0) -> Any:
        """By game: 1 for a win of a seat, 1/2 for nobody's in a game for two, else 0."""
        halves = 0.5 if len(self.game.seats) > 1 else 0.0
        return np.where(self.winner == seat, 1.0, np.where(self.winner < 0, halves, 0.0))


@dataclass(frozen=True)
class Results:
    """A file's results: its metadata, its samples in the experiment's order, and their seconds, if known."""

    metadata: Mapping[str, Any]
    samples: list[Sample]
    seconds: Mapping[tuple[str, str, str], float]  # by game, options as JSON, and policy

    def of(self, id: str) -> list[Sample]:
        """Return the samples of a game, those of a variant one after the other."""
        found = [sample for sample in self.samples if sample.game.id == id]
        variants = list(dict.fromkeys(sample.game for sample in found))
        return sorted(found, key=lambda sample: variants.index(sample.game))

    def seed_and_number(self, sample: Sample, row: int) -> tuple[int, int]:
        """Return the seed of a game of a sample, and its number under that seed."""
        place, number = divmod(int(sample.deal[row]), 1 << NUMBERS)
        return self.metadata["seeds"][place], number

    @property
    def games(self) -> list[str]:
        """The ids of the games that were played, in order of appearance."""
        return list(dict.fromkeys(sample.game.id for sample in self.samples))

    def _repr_html_(self) -> str:
        """Return the picture for a notebook: the odds of each game's variants."""
        from .result_tables import odds  # it imports this module

        return "".join(odds(self, id)._repr_html_() for id in self.games)

    def cpu_seconds(self, sample: Sample) -> float | None:
        """Seconds of processor time for a sample."""
        return self.seconds.get((sample.game.id, sample.written or json.dumps(sample.options), sample.policy))


def read_results(path: str | Path) -> Results:
    """Read the results in a file that `smallchange experiment` wrote. BadExperiment for another file."""
    path = Path(path)
    table, metadata = games_in(path)
    for name, kind in SAID.items():
        if not isinstance(metadata.get(name), kind):
            raise BadExperiment(f"{path} {NOT_OURS}: it does not say its {name}")
    if not len(table) or any(column.null_count for column in table.columns):
        raise BadExperiment(f"{path} {NOT_OURS}: it has no games, or some that are not whole")
    if len(table) != metadata["games"]:
        raise BadExperiment(f"{path} is damaged: it has {len(table):,} games, not {metadata['games']:,}")
    try:
        samples = samples_in(table)
    except ValueError as wrong:  # of a game, its options or its scores
        raise BadExperiment(f"{path} {NOT_OURS}: {wrong}") from wrong
    samples = [replace(sample, name=_name(metadata, sample)) for sample in _distinct(samples)]
    return Results(metadata, samples, seconds_in(path.with_suffix(TIMES)))


def _name(metadata: Mapping[str, Any], sample: Sample) -> str:
    """Return the name that the experiment gave to a sample's variant; "" for none."""
    for named in metadata.get("names", []):
        if without_idle_options(Game(named["game"], named["options"])) == sample.game:
            return str(named["name"])
    return ""


def _distinct(samples: list[Sample]) -> list[Sample]:
    """Return the longest sample of each variant and policy: older files have a variant under several options.

    All of them met the same deals, and options without effect change no game.
    """
    longest: dict[tuple[Game, str], Sample] = {}
    for sample in samples:
        key = sample.game, sample.policy
        if key not in longest or longest[key].n < sample.n:
            longest[key] = sample
    return list(longest.values())


def samples_in(table: Any) -> list[Sample]:
    """Return the samples of a table of games, in order of appearance."""
    table = table.unify_dictionaries()
    columns = {name: _column(table, name) for name in table.column_names}
    keys, which = _cells([columns[name] for name in ("game", "options", "policy")])
    _, seeds = np.unique(np.asarray(columns["seed"]), return_inverse=True)
    deals = (seeds << NUMBERS) + np.asarray(columns["number"])
    order = np.lexsort((deals, which))
    ends = np.cumsum(np.bincount(which, minlength=len(keys)))[:-1]
    rows = np.split(order, ends)
    return [_sample(columns, deals, *pair) for pair in zip(keys, rows, strict=True)]


def _column(table: Any, name: str) -> Any:
    """Return a column as one array."""
    chunks = table[name].chunks
    return chunks[0] if len(chunks) == 1 else table[name].combine_chunks()


def _cells(columns: list[Any]) -> tuple[list[tuple[str, ...]], Any]:
    """Return the cells in order of appearance, and the cell of each row."""
    codes = [np.asarray(column.indices) for column in columns]
    sizes = [len(column.dictionary) for column in columns]
    kinds = np.ravel_multi_index(codes, sizes)
    _, first, which = np.unique(kinds, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.argsort(order)
    return [tuple(column[int(first[i])].as_py() for column in columns) for i in order], rank[which]


def _sample(columns: dict[str, Any], deals: Any, key: tuple[str, ...], rows: Any) -> Sample:
    id, options, policy = key
    chosen = json.loads(options)
    if not isinstance(chosen, dict):
        raise ValueError(f"options are a table, not {options}")
    game = without_idle_options(Game(id, chosen))
    seats = len(game.seats)
    scores = np.asarray(columns["scores"].take(rows).flatten()).reshape(len(rows), seats)
    winner, steps = (np.asarray(columns[name])[rows] for name in ("winner", "steps"))
    outcome = columns["outcome"]
    labels = outcome.dictionary.to_pylist()
    return Sample(
        game, policy, deals[rows], winner, steps, scores, np.asarray(outcome.indices)[rows], labels, options
    )
