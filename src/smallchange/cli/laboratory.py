"""Experiments, reports and ladders."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

import click

from smallchange.core.errors import BadExperiment
from smallchange.core.game import Game

from .options import (
    FILE,
    NOTHING_KEPT_WITHOUT_OUT,
    OUT,
    RESUMABLE,
    OutFile,
    WholeNumber,
    check_replaced,
    count_text,
    json_flag,
    per_game,
    print_json,
    progress_bar,
    report_interrupt,
    report_read_errors,
    report_write_errors,
    require_extra,
    say,
    seed_option,
    workers_option,
    write,
)


def _results(ctx: click.Context, param: click.Parameter, file: Path | None) -> Path | None:
    """Refuse results whose name does not end with .parquet: files beside them are named after them."""
    if file is not None and file.suffix != ".parquet":
        raise click.BadParameter(f"results are a file NAME.parquet, not {str(file)!r}")
    return file


backend = click.option(
    "--backend",
    default="processes",
    show_default=True,
    help="processes here; or dask: a cluster, here or @ADDRESS.",
)
workers = workers_option("Processes [default: one a core].")


@contextmanager
def laboratory() -> Iterator[None]:
    """Turn missing packages, files and clusters into errors of one line."""
    try:
        with require_extra("lab"):
            yield
    except BrokenProcessPool as broken:
        raise click.ClickException(
            "a worker was killed; what it had not finished is played when you run the command again"
        ) from broken
    except OSError as wrong:
        raise click.ClickException(str(wrong)) from wrong


def _toml(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise BadExperiment("this is no TOML: it is not UTF-8") from wrong


@click.command()
@click.argument("file", type=FILE)
@click.option(
    "-o", "--out", type=OUT, callback=_results,
    help="The results, NAME.parquet [default: FILE's name with .parquet, here].",
)  # fmt: skip
@click.option(
    "--keep", metavar="best:N", help="Write the best matches of each cell as records beside them, or worst:N."
)
@backend
@workers
@json_flag
def experiment(
    file: Path, out: Path | None, keep: str | None, backend: str, workers: int | None, as_json: bool
) -> None:
    """Play a grid of games, options, policies and seeds, written in FILE as TOML, into a Parquet file.

    If it is stopped, run it again to resume. docs/laboratory.md describes the TOML.
    """
    with laboratory():
        from smallchange.lab.kept_matches import check_keep, keep_matches

        if keep:
            check_keep(keep)
        from smallchange.lab import experiment as lab
        from smallchange.lab.experiment_grid import read

        try:
            with report_read_errors(file):
                definition = read(_toml(file))
        except BadExperiment as wrong:
            raise click.ClickException(f"{file}: {wrong}") from wrong
        for variant in definition.idle:
            click.echo(f"note: no effect on this board, counted as the same variant: {variant}", err=True)
        target = out or Path(file.with_suffix(".parquet").name)
        command = shlex.join(["smallchange", "experiment", file.name])
        with report_write_errors(target), report_interrupt(), progress_bar("games", definition.n) as progress:
            done = lab.run(definition, target, command, backend, workers, progress)
            kept, matches = keep_matches(target, keep) if keep else (None, 0)
    if as_json:
        about = {
            "file": str(target),
            "games": done.n,
            "cells": len(definition.cells),
            "played_now": done.games_played,
        }
        records = {"kept": str(kept), "matches": matches} if kept else {}
        print_json(
            about | {"seconds": round(done.seconds, 3), "by_the_clock": definition.depends_on_clock} | records
        )
        return
    clock = (
        "; some players look at the clock: no second run is quite the same"
        if definition.depends_on_clock
        else ""
    )
    there = f"{count_text(done.n, 'game')} in {count_text(len(definition.cells), 'cell')}"
    click.echo(f"{target}: {there}, {done.games_played:,} of them played now")
    if kept:
        click.echo(f"{kept}: {count_text(matches, 'record')}, one a line")
    draw = shlex.join(["smallchange", "report", str(target)])
    click.echo(f"{done.seconds:.1f} s of processor time in all{clock}; {draw} draws it")


@click.command()
@click.argument("results", type=FILE)
@click.option(
    "-o",
    "--out",
    type=OutFile("HTML", ".html"),
    help="The page, - for standard output [default: RESULTS' name, .html].",
)
def report(results: Path, out: Path | None) -> None:
    """Draw the RESULTS of an experiment as one self-contained HTML page with tables and charts."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # where it keeps its own is nobody's concern
    with laboratory():
        from smallchange.lab.report import report as drawn
        from smallchange.lab.results import read_results

        page = drawn(read_results(results)).encode()
        target = out or results.with_suffix(".html")
        check_replaced(target, ".html", "-o")
    write(target, page)
    if str(target) != "-":
        click.echo(f"{target}: {len(page) / 1e3:,.0f} kB")


@per_game
@click.option("--bots", help="The bots, separated by commas [default: every bot of the game].")
@click.option(
    "-n", "--games", "n", type=WholeNumber(1, 1_000_000), default=200, show_default=True,
    help="Games of each pair; in a game for one, of each bot.",
)  # fmt: skip
@seed_option()
@click.option(
    "-o", "--out", type=OUT, callback=_results,
    help="Keep the games, as an experiment's results, NAME.parquet.",
)  # fmt: skip
@backend
@workers
@json_flag
def ladder(
    game: Game, bots: str | None, n: int, seed: int, out: Path | None, backend: str, workers: int | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Rate the bots of a game: each against each, or in a game for one all on the same deals."""
    with laboratory():
        from smallchange.lab import ladder as lab

        names = lab.usual(game) if bots is None else [n.strip() for n in bots.split(",") if n.strip()]
        words = ["smallchange", "ladder", game.id, *game.arguments, "--bots", ",".join(names)]
        command = shlex.join([*words, "-n", str(n), "--seed", str(seed)])
        schedule = lab.games_of(game, names, n, seed)
        place = out or Path(gettempdir())
        with (
            report_write_errors(place),
            report_interrupt(RESUMABLE if out else NOTHING_KEPT_WITHOUT_OUT),
            progress_bar("games", schedule.n) as progress,
        ):
            done = lab.ladder(game, names, n, seed, out, command, backend, workers, progress)
    if as_json:
        print_json(
            done.to_json()
            | {
                "games": schedule.n,
                "seed": seed,
                "by_the_clock": schedule.depends_on_clock,
                "command": command,
            }
        )
        return
    click.echo(f"{game!r}, {count_text(schedule.n, 'game')}, seed {seed}")
    for sheet in done.sheets:
        click.echo(f"\n{sheet.title}\n{sheet.plain()}")
        say(sheet.note)
    clock = "; some players look at the clock: not quite the same" if schedule.depends_on_clock else ""
    click.echo(f"\nagain: {command}{clock}")
