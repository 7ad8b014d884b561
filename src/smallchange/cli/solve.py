"""Solve a game, and prove what was solved."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from smallchange.errors import BadTable
from smallchange.game import Game

from .options import FILE, WholeNumber, bar, kept, needing, per_game, reading, writing

if TYPE_CHECKING:
    from smallchange.solve import Table


@per_game
@click.option(
    "--out", type=FILE, help="The file of the table [default: among the tables that bots look for]."
)
@click.option("--verify", is_flag=True, help="Prove every entry against those one step on.")
@click.option(
    "--budget",
    type=WholeNumber(1),
    metavar="MB",
    help="Solve only the positions with few pieces, as many as fit in this many MB.",
)
@click.option("--threads", type=WholeNumber(1), default=os.cpu_count(), show_default="all cores")
def solve(game: Game, out: Path | None, verify: bool, budget: int | None, threads: int) -> None:
    """Solve a game for two without chance: the value of every position, as a table on disk.

    A table that is there already is not made again, unless more is asked for than it holds. A solve that was
    stopped goes on when it is called again. Limits on the length of play are left out: play without an end is
    a draw.
    """
    with needing("fast"):
        from smallchange.solve import make, tables_folder
        from smallchange.solve.found import file_name
        from smallchange.solve.numbering import all_positions, left_out
    file = out or tables_folder() / file_name(game)
    with reading(file):
        table = _opened(file, game) if file.exists() else None
    asked = make.affordable(game, _bytes(budget)) if budget else all_positions(game)
    if table is None or table.positions < asked <= make.MOST:
        with writing(file):
            table = _made(file, game, budget, threads)
    click.echo(f"{file}: {table.positions:,} positions, {file.stat().st_size / 1e6:,.1f} MB")
    for name in left_out(game):
        click.echo(f"left out: {name}; `smallchange exact` gives the odds of a position with it")
    if verify:
        _prove(table, threads)
    start = game.start()
    if start in table:
        value = table.value(start)
        steps = f" in {value.plies} steps" if value.plies else ""
        click.echo(f"start: {start.actor} to move, a {value.outcome}{steps}")


def _opened(file: Path, game: Game) -> Table:
    from smallchange.solve import open_table

    try:
        table = open_table(file)
    except BadTable as wrong:
        raise BadTable(f"{wrong}; remove it and call this again, or name another file with --out") from wrong
    if not table.admits(game):
        raise click.ClickException(f"{file} is a table of {table.game!r}, not of {game!r}")
    return table


def _made(file: Path, game: Game, budget: int | None, threads: int) -> Table:
    from smallchange.solve.make import affordable, make_table

    affordable(game, _bytes(budget))  # or it says why not
    begun = time.perf_counter()
    file.parent.mkdir(parents=True, exist_ok=True)
    with kept(), bar("solving") as said:
        table = make_table(file, game, threads, _bytes(budget), said)
    click.echo(f"solved in {time.perf_counter() - begun:.1f} s")
    return table


def _bytes(megabytes: int | None) -> int | None:
    return megabytes * 1_000_000 if megabytes else None


def _prove(table: Table, threads: int) -> None:
    from smallchange.solve.verify import verify

    begun = time.perf_counter()
    with bar("proving") as said:
        proved = verify(table, threads, said=said)
    none = f", {proved.none:,} that cannot come up" if proved.none else ""
    click.echo(
        f"proved in {time.perf_counter() - begun:.1f} s: {proved.won:,} won, {proved.drawn:,} drawn, "
        f"{proved.lost:,} lost{none}; the longest takes {proved.farthest} steps"
    )
