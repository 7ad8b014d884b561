"""Experiments: a grid of games, options, policies and seeds, on all cores, taken up again after a kill.

>>> from smallchange import games
>>> from smallchange.lab.experiment_grid import read
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
from smallchange.core.atomic_files import replacing
from smallchange.core.errors import BadExperiment
from smallchange.core.game import Game

from .backends import check_workers, distribute, parse_backend
from .experiment_grid import Experiment, Portion
from .play_portion import Column, play
from .result_store import NOT_OURS, PARTS, TIMES, Store, clear, foreign, read_metadata, seconds_in

__all__ = ["Run", "run"]

PACKAGES = ("numba", "numpy", "pyarrow")


@dataclass(frozen=True)
class Run:
    """The outcome of an experiment: its file, its number of games, and how many were played now."""

    results: Path
    n: int
    games_played: int
    seconds: float  # of processor time, for all of its games


def run(
    experiment: Experiment,
    out: str | Path,
    command: str = "",
    backend: str = "processes",
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Run:
    """Play the remaining games, and write the results to `out`, a Parquet file.

    Beside it there are a folder of parts, by which a run that was killed is taken up again, and a file of the
    seconds each cell took. `backend` and `workers` as for `backends.distribute`. `progress` is called with the
    number of games that are there. The results do not depend on backend, workers or interruptions, unless a
    player looks at the clock.
    """
    out = Path(out)
    parse_backend(backend)  # or there is none such
    check_workers(workers)
    if foreign(out):
        raise BadExperiment(f"{out} {NOT_OURS}: remove it and run the command again, or name another file")
    portions = experiment.portions()
    metadata = about(experiment, portions, command)
    times = out.with_suffix(TIMES)
    if (spent := seconds_in(times)) and read_metadata(out) == metadata:
        return Run(out, experiment.n, 0, sum(spent.values()))
    store = Store(out.with_suffix(PARTS))
    clear(out.parent.glob(f"{escape(out.stem)}.*.part"))
    seconds = {portion: took for portion in portions if (took := store.seconds(portion)) is not None}
    there = sum(portion.n for portion in seconds)
    played = 0
    left = [portion for portion in portions if portion not in seconds]
    for portion, columns, took in _play_portions(left, backend, workers):
        store.add(portion, columns, took)
        seconds[portion] = took
        played += portion.n
        if progress is not None:
            progress(there + played)
    store.merge(portions, out, metadata)
    _write_times(times, experiment, seconds)
    return Run(out, experiment.n, played, sum(seconds.values()))


def _play_portions(
    portions: list[Portion], backend: str, workers: int | None
) -> Iterator[tuple[Portion, dict[str, Column], float]]:
    if portions:
        jobs = ((portion, portion.digest) for portion in portions)
        yield from distribute(_work, jobs, backend, workers)


def _work(job: tuple[Portion, str]) -> tuple[Portion, dict[str, Column], float]:
    portion, digest = job
    if portion.digest != digest:
        raise BadExperiment(
            "a worker has another program, or other tables of solved positions, than this side"
        )
    return portion, *play(portion)


def _names(experiment: Experiment) -> list[dict[str, Any]]:
    return [
        {"game": id, "options": dict(options), "name": name}
        for (id, options), name in experiment.names.items()
    ]


def about(experiment: Experiment, portions: list[Portion], command: str) -> dict[str, Any]:
    """Return the metadata of the results: everything needed to get them again."""
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
        **({"names": _names(experiment)} if experiment.names else {}),
        "seeds": sorted({cell.seed for cell in experiment.cells}),
        "by_the_clock": experiment.depends_on_clock,
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
    """Return the digest of the tablebase that players use, by game with its options."""
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
