"""Solve a game with chance, and prove the bounds of its values."""

from __future__ import annotations

import json
import shutil
import time
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from smallchange.core.errors import BadTable
from smallchange.core.game import Game

from .options import (
    peak_memory,
    progress_bar,
    report_interrupt,
    report_read_errors,
    report_write_errors,
    require_extra,
)

if TYPE_CHECKING:
    from smallchange.tablebase.chance_solver import ChanceSolver

DIGITS = Decimal("1e-12")  # of a bound that is printed


def solve_with_chance(
    game: Game,
    out: Path | None,
    verify: bool,
    limits: tuple[int | None, int | None],
    threads: int,
    as_json: bool,
) -> None:
    """Make the table of a game with chance, or open it; `limits` are of memory and disk, in bytes."""
    with require_extra("fast"):
        from smallchange.tablebase.chance_solver import ChanceSolver
        from smallchange.tablebase.chance_table import open_values, values_file
    file, began = out or values_file(game), time.perf_counter()
    folder = file.with_name(file.name + ".bounds")
    solver = None
    if file.exists():
        with report_read_errors(file):
            table = open_values(file)
        if table.game != game:
            raise click.ClickException(f"{file} is a table of {table.game!r}, not of {game!r}")
    if not file.exists() or (verify and not folder.exists()):
        solver = ChanceSolver(game, folder, threads)
        solver.refuse_too_large(*limits)
        with report_write_errors(file), report_interrupt():
            file.parent.mkdir(parents=True, exist_ok=True)
            with progress_bar("solving") as progress:
                solver.solve(progress)
            solver.write_table(file)
        table = open_values(file)
        click.echo(f"solved in {time.perf_counter() - began:.1f} s", err=as_json)
    low, high = table.start_bounds
    if not as_json:
        click.echo(f"{file}: {table.positions:,} positions, {file.stat().st_size / 1e6:,.1f} MB")
        click.echo(f"each value lies within {table.error:.3g} of the one in the table")
    if verify:
        prove(solver or ChanceSolver(game, folder, threads), file, as_json)
    if as_json:
        about = {
            "game": game.id,
            "options": game.non_default_options,
            "positions": table.positions,
            "low": low,
            "high": high,
            "error": table.error,
            "digest": table.header["digest"],
            "seconds": round(time.perf_counter() - began, 3),
            "peak_memory_mb": round(peak_memory() / 1e6, 1),
        }
        click.echo(json.dumps(about))
    else:
        actor = game.start().actor
        seat = actor if actor in game.seats else game.seats[0]
        below = Decimal(low).quantize(DIGITS, ROUND_FLOOR)
        above = Decimal(high).quantize(DIGITS, ROUND_CEILING)
        click.echo(f"start: {seat} wins {below} to {above} of a game")
    if not verify and solver is not None:
        shutil.rmtree(folder)


def prove(solver: ChanceSolver, file: Path, quiet: bool) -> None:
    """Check that the bounds of every position follow from those one step later, and that they give the table."""
    began = time.perf_counter()
    with progress_bar("proving") as progress:
        unproved = solver.count_unproved(progress)
    if unproved:
        raise BadTable(f"the bounds of {unproved:,} positions do not follow from those one step later")
    if not solver.gives(file):
        raise BadTable(f"{file} is not the table that the bounds in {solver.folder} give")
    click.echo(
        f"proved in {time.perf_counter() - began:.1f} s: the bounds of all {solver.positions:,} positions follow "
        "from those one step later",
        err=quiet,
    )
