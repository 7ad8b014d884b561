"""Experiments, and what they say."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

import click

from smallchange.errors import BadExperiment
from smallchange.game import Game

from .options import (
    FILE,
    KEPT,
    NOT_KEPT,
    WholeNumber,
    apart,
    bar,
    counted,
    kept,
    needing,
    per_game,
    reading,
    refuse,
    write,
    writing,
)

THERE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _results(ctx: click.Context, param: click.Parameter, file: Path | None) -> Path | None:
    """Their name ends alike, so that no two have the same parts and seconds beside them."""
    if file is not None and file.suffix != ".parquet":
        raise click.BadParameter(f"results are a file NAME.parquet, not {str(file)!r}")
    return file


backend = click.option(
    "--backend",
    default="loky",
    show_default=True,
    help="loky: processes here; dask or ray: a cluster, here or @ADDRESS.",
)
workers_option = click.option("--workers", type=WholeNumber(1, 1024), help="Processes [default: one a core].")


@contextmanager
def laboratory() -> Iterator[None]:
    """What is lacking or cannot be read, written or reached is said in one line."""
    try:
        with needing("lab"):
            yield
    except BrokenProcessPool as broken:
        raise click.ClickException(
            "a worker was killed; what it had not finished is played when you call this again"
        ) from broken
    except OSError as wrong:
        raise click.ClickException(str(wrong)) from wrong


def _toml(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise BadExperiment("this is no TOML: it is not UTF-8") from wrong


@click.command()
@click.argument("file", type=THERE)
@click.option(
    "-o", "--out", type=FILE, callback=_results,
    help="The results, NAME.parquet [default: FILE's name with .parquet, here].",
)  # fmt: skip
@backend
@workers_option
def experiment(file: Path, out: Path | None, backend: str, workers: int | None) -> None:
    """Play a grid of games, options, policies and seeds, written in FILE as TOML, into a Parquet file.

    Killed, it goes on where it was when it is called again. docs/laboratory.md has the TOML.
    """
    with laboratory():
        from smallchange.lab import experiment as lab
        from smallchange.lab.grid import read

        try:
            with reading(file):
                asked = read(_toml(file))
        except BadExperiment as wrong:
            raise click.ClickException(f"{file}: {wrong}") from wrong
        target = apart(out or Path(file.with_suffix(".parquet").name), file, "-o")
        command = shlex.join(["smallchange", "experiment", file.name])
        with writing(target), kept(), bar("games", asked.n) as said:
            done = lab.run(asked, target, command, backend, workers, said)
    clock = "; some players look at the clock: no second run is quite the same" if asked.timed else ""
    there = f"{counted(done.n, 'game')} in {counted(len(asked.cells), 'cell')}"
    click.echo(f"{target}: {there}, {done.played:,} of them played now")
    draw = shlex.join(["smallchange", "report", str(target)])
    click.echo(f"{done.seconds:.1f} s of processor time in all{clock}; {draw} draws it")


@click.command()
@click.argument("results", type=THERE)
@click.option(
    "-o", "--out", type=FILE, help="The page, - for standard output [default: RESULTS' name, .html]."
)
def report(results: Path, out: Path | None) -> None:
    """Draw the RESULTS of an experiment: one HTML page with tables and charts, which needs nothing else."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # where it keeps its own is nobody's concern
    with laboratory():
        from smallchange.lab.report import foreign
        from smallchange.lab.report import report as drawn
        from smallchange.lab.results import read_results

        target = apart(out or results.with_suffix(".html"), results, "-o")
        if foreign(target):
            refuse(target, "is no page of a report", "-o")
        page = drawn(read_results(results)).encode()
    write(target, page)
    if str(target) != "-":
        click.echo(f"{target}: {len(page) / 1e3:,.0f} kB")


@per_game
@click.option("--bots", help="Who plays, with commas between [default: every bot of the game].")
@click.option(
    "-n", "--games", "n", type=WholeNumber(1, 1_000_000), default=200, show_default=True,
    help="Games of each pair; alone, of each bot.",
)  # fmt: skip
@click.option("--seed", type=WholeNumber(0, (1 << 63) - 1), default=1, show_default=True)
@click.option(
    "-o", "--out", type=FILE, callback=_results,
    help="Keep the games, as an experiment's results, NAME.parquet.",
)  # fmt: skip
@backend
@workers_option
def ladder(
    game: Game, bots: str | None, n: int, seed: int, out: Path | None, backend: str, workers: int | None
) -> None:
    """Which bot is how strong: each against each with ratings, or all on the same deals of a game for one."""
    with laboratory():
        from smallchange.lab import ladder as lab

        names = lab.usual(game) if bots is None else [n.strip() for n in bots.split(",") if n.strip()]
        words = ["smallchange", "ladder", game.id, *game.arguments, "--bots", ",".join(names)]
        command = shlex.join([*words, "-n", str(n), "--seed", str(seed)])
        asked = lab.games_of(game, names, n, seed)
        place = out or Path(gettempdir())
        with writing(place), kept(KEPT if out else NOT_KEPT), bar("games", asked.n) as said:
            done = lab.ladder(game, names, n, seed, out, command, backend, workers, said)
    click.echo(f"{game!r}, {counted(asked.n, 'game')}, seed {seed}")
    for sheet in done.sheets:
        click.echo(f"\n{sheet.title}\n{sheet.plain()}\n{sheet.note}")
    clock = "; some players look at the clock: not quite the same" if asked.timed else ""
    click.echo(f"\nagain: {command}{clock}")
