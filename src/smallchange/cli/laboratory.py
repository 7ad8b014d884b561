"""Experiments, and what they say."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

FILE = click.Path(dir_okay=False, path_type=Path)
THERE = click.Path(exists=True, dir_okay=False, path_type=Path)


@contextmanager
def laboratory() -> Iterator[None]:
    """What is lacking, or wrong with what was asked for, is said in one line."""
    try:
        yield
    except ModuleNotFoundError as lacking:
        if (lacking.name or "").startswith("smallchange"):
            raise
        raise click.ClickException(
            f"the laboratory needs {lacking.name}: pip install 'smallchange[{extra(lacking.name)}]'"
        ) from lacking
    except (ValueError, OSError) as wrong:
        raise click.ClickException(str(wrong)) from wrong


def extra(name: str | None) -> str:
    """The extra of ours that brings a package."""
    return {"distributed": "dask", "ray": "ray"}.get(name or "", "lab")


@contextmanager
def games_bar(n: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, and nothing elsewhere; called with the number of games that are there."""
    with click.progressbar(length=n, label="games", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield lambda there: bar.update(there - bar.pos)


@click.command()
@click.argument("file", type=THERE)
@click.option("-o", "--out", type=FILE, help="The results [default: FILE's name with .parquet, here].")
@click.option(
    "--backend",
    default="loky",
    show_default=True,
    help="loky: processes here; dask or ray: a cluster, here or @ADDRESS.",
)
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes [default: one a core].")
def experiment(file: Path, out: Path | None, backend: str, workers: int | None) -> None:
    """Play a grid of games, options, policies and seeds, written in FILE as TOML, into a Parquet file.

    Killed, it goes on where it was when it is called again. See smallchange/lab/grid.py for the TOML.
    """
    with laboratory():
        from smallchange.lab import experiment as lab
        from smallchange.lab.grid import read

        try:
            asked = read(file.read_text(encoding="utf-8"))
        except ValueError as wrong:
            raise click.ClickException(f"{file}: {wrong}") from wrong
        target = out or Path(file.with_suffix(".parquet").name)
        with games_bar(asked.n) as bar:
            done = lab.run(asked, target, f"smallchange experiment {file.name}", backend, workers, bar)
    clock = "; some players look at the clock: no second run is quite the same" if asked.timed else ""
    click.echo(f"{target}: {done.n:,} games in {len(asked.cells)} cells, {done.played:,} of them played now")
    click.echo(f"{done.seconds:.1f} s of processor time in all{clock}; smallchange report {target} draws it")


@click.command()
@click.argument("results", type=THERE)
@click.option("-o", "--out", type=FILE, help="The page [default: RESULTS' name with .html, beside it].")
def report(results: Path, out: Path | None) -> None:
    """Draw the RESULTS of an experiment: one HTML page with tables and charts, which needs nothing else."""
    with laboratory():
        from smallchange.lab.report import report as drawn
        from smallchange.lab.results import read_results

        target = out or results.with_suffix(".html")
        target.write_text(drawn(read_results(results)), encoding="utf-8")
    click.echo(f"{target}: {target.stat().st_size / 1e3:,.0f} kB")
