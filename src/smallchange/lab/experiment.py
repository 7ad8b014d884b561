"""Experiments: a grid of games, options, policies and seeds, on all cores, taken up again after a kill.

>>> from smallchange import games
>>> from smallchange.lab.grid import read
>>> read(f'n = 30\\n[[grid]]\\ngame = "{games()[0]}"\\npolicies = ["greedy", "random"]').n
60
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from glob import escape
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import smallchange
from smallchange.errors import BadExperiment
from smallchange.files import replacing
from smallchange.game import Game

from .backends import named, spread
from .grid import Experiment, Portion
from .play import Column, play
from .store import NOT_OURS, PARTS, TIMES, Store, clear, foreign, said_in, seconds_in

PACKAGES = ("numba", "numpy", "pyarrow")


@dataclass(frozen=True)
class Run:
    """What became of an experiment: its file, how many games it has, and how many were played now."""

    results: Path
    n: int
    played: int
    seconds: float  # of processor time, for all of its games


def run(
    experiment: Experiment,
    out: str | Path,
    command: str = "",
    backend: str = "loky",
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Run:
    """Play what is still to be played, and write the results to `out`, a Parquet file.

    Beside it there are a folder of parts, by which a run that was killed is taken up again, and a file of the
    seconds each cell took. `backend` and `workers` as for `backends.spread`. `progress` is called with the
    number of games that are there. The results do not depend on backend, workers or interruptions, unless a
    player looks at the clock.
    """
    out = Path(out)
    named(backend)  # or there is none such
    if workers is not None and workers < 1:
        raise ValueError(f"there must be at least 1 worker, not {workers}")
    if foreign(out):
        raise BadExperiment(f"{out} {NOT_OURS}: remove it and call this again, or name another file")
    portions = experiment.portions()
    said = about(experiment, portions, command)
    times = out.with_suffix(TIMES)
    if (spent := seconds_in(times)) and said_in(out) == said:
        return Run(out, experiment.n, 0, sum(spent.values()))
    store = Store(out.with_suffix(PARTS))
    clear(out.parent.glob(f"{escape(out.stem)}.*.part"))
    seconds = {portion: took for portion in portions if (took := store.seconds(portion)) is not None}
    there = sum(portion.n for portion in seconds)
    played = 0
    left = [portion for portion in portions if portion not in seconds]
    for portion, columns, took in _played(left, backend, workers):
        store.add(portion, columns, took)
        seconds[portion] = took
        played += portion.n
        if progress is not None:
            progress(there + played)
    store.merge(portions, out, said)
    _write_times(times, experiment, seconds)
    return Run(out, experiment.n, played, sum(seconds.values()))


def _played(
    portions: list[Portion], backend: str, workers: int | None
) -> Iterator[tuple[Portion, dict[str, Column], float]]:
    if portions:
        asked = ((portion, portion.digest) for portion in portions)
        yield from spread(_work, asked, backend, workers)


def _work(asked: tuple[Portion, str]) -> tuple[Portion, dict[str, Column], float]:
    portion, digest = asked
    if portion.digest != digest:
        raise BadExperiment(
            "a worker has another program, or other tables of solved positions, than this side"
        )
    return portion, *play(portion)


def about(experiment: Experiment, portions: list[Portion], command: str) -> dict[str, Any]:
    """What is written into the results: everything by which they can be had again."""
    games = sorted({cell.game for cell in experiment.cells})
    digest = hashlib.sha256()
    for portion in portions:
        digest.update(portion.digest.encode())
    return {
        "title": experiment.title,
        "command": command,
        "experiment": experiment.text,
        "games": experiment.n,
        "rules": {id: Game(id).version for id in games},
        "policies": {id: _policies(experiment, id) for id in games},
        "tables": _tables(experiment),
        "seeds": sorted({cell.seed for cell in experiment.cells}),
        "by_the_clock": experiment.timed,
        "versions": {
            "smallchange": smallchange.__version__,
            "python": platform.python_version(),
            **{name: found for name in PACKAGES if (found := _version(name))},
        },
        "digest": digest.hexdigest(),
    }


def _policies(experiment: Experiment, id: str) -> dict[str, str]:
    """Each policy of a game, and in words all that it is."""
    found = {policy for cell in experiment.cells if cell.game == id for policy in cell.policy}
    return {str(policy): policy.about(Game(id)) for policy in sorted(found, key=str)}


def _tables(experiment: Experiment) -> dict[str, str]:
    """The digest of the table of solved positions that players go by, by game with its options."""
    found: dict[str, str] = {}
    for cell in experiment.cells:
        game = Game(cell.game, dict(cell.options))
        found |= {repr(game): table for policy in cell.policy if (table := policy.table(game))}
    return found


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _write_times(path: Path, experiment: Experiment, seconds: dict[Portion, float]) -> None:
    """Seconds of processor time by cell: they differ from run to run, so they are no part of the results."""
    rows = []
    for cell in experiment.cells:
        row = {"game": cell.game, "options": dict(cell.options), "policy": cell.who, "seed": cell.seed}
        rows.append({**row, "n": cell.n, "seconds": sum(seconds[portion] for portion in cell.portions())})
    with replacing(path) as file:
        file.write(json.dumps({"cells": rows}, indent=1).encode())
