"""Solve a game, and prove the solution."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from smallchange.core.errors import BadTable
from smallchange.core.game import Game

from .options import (
    OUT,
    WholeNumber,
    peak_memory,
    per_game,
    progress_bar,
    report_interrupt,
    report_read_errors,
    report_write_errors,
    require_extra,
    workers_option,
)
from .solve_chance import solve_with_chance

SAMPLE = 100_000  # positions of a large table that are checked
LARGE = 1_000_000_000  # bytes of memory of which a solve says beforehand that it takes them

if TYPE_CHECKING:
    from smallchange.tablebase import Table


@per_game
@click.option(
    "-o", "--out", type=OUT, help="The file of the table [default: among the tables that bots look for]."
)
@click.option(
    "--verify",
    is_flag=True,
    help="Check every entry against those one step later; on a large board, a sample of them. With chance, keep both "
    "bounds of every value too, 16 bytes a position, for another checker.",
)
@click.option(
    "--budget",
    type=WholeNumber(1),
    metavar="MB",
    help="Write only a part of the table, near the end of the game, of this many MB.",
)
@click.option("--memory", type=WholeNumber(1), metavar="MB", help="Refuse a solve that needs more memory.")
@click.option("--disk", type=WholeNumber(1), metavar="MB", help="Refuse a solve that needs more disk.")
@workers_option("Threads [default: one a core].", None, "--threads")
@click.option("--json", "as_json", is_flag=True, help="Print the counts of positions as JSON.")
def solve(
    game: Game,
    out: Path | None,
    verify: bool,
    budget: int | None,
    memory: int | None,
    disk: int | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Solve a game: the value of every position, as a table on disk.

    A table that exists is reused, unless it holds less than is asked for. If a solve is stopped, run it
    again to resume. Limits on the length of play are ignored: endless play is a draw. With chance each value
    lies between two bounds, which are proved. Of a game whose positions have no numbers, those that come up are
    listed, in a file of text that names the value of each.
    """
    threads = workers or os.cpu_count() or 1
    if game.sources:
        if budget:
            raise click.UsageError("--budget is for games without chance")
        solve_with_chance(game, out, verify, (in_bytes(memory), in_bytes(disk)), threads, as_json)
        return
    if game.ranking is None:
        if budget:
            raise click.UsageError("--budget is for games whose positions are numbered")
        solve_listed(game, out, verify, as_json)
        return
    with require_extra("fast"):
        from smallchange.tablebase import make_table as make
        from smallchange.tablebase import tables_folder
        from smallchange.tablebase.ranked_games import all_positions, left_out
        from smallchange.tablebase.table_files import file_name
    file = out or tables_folder() / file_name(game)
    began = time.perf_counter()
    with report_read_errors(file):
        table = _open_existing(file, game) if file.exists() else None
    wanted_positions = make.affordable(game, in_bytes(budget)) if budget else all_positions(game)
    if table is None or (table.positions < wanted_positions and not budget):
        needs = make.requirements(game, in_bytes(budget))
        if needs.memory > LARGE:
            click.echo(
                f"{needs.positions:,} positions need at most {needs.memory / 1e9:.1f} GB of memory and "
                f"{needs.disk / 1e9:.1f} GB of disk",
                err=True,
            )
        with report_write_errors(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            with report_interrupt(), progress_bar("solving") as progress:
                table = make.make_table(
                    file, game, threads, in_bytes(budget), progress, in_bytes(memory), in_bytes(disk)
                )
        click.echo(f"solved in {time.perf_counter() - began:.1f} s", err=as_json)
    if not as_json:
        click.echo(f"{file}: {table.positions:,} positions, {file.stat().st_size / 1e6:,.1f} MB")
        for name in left_out(game):
            click.echo(f"left out: {name}; `smallchange exact` gives the odds of a position with it")
    if verify:
        prove(table, threads, as_json)
    start = game.start()
    if as_json:
        click.echo(json.dumps(report(table, time.perf_counter() - began)))
    elif start in table:
        value = table.value(start)
        steps = f" in {value.plies} steps" if value.plies else ""
        click.echo(f"start: {start.actor} to move, a {value.outcome}{steps}")


def solve_listed(game: Game, out: Path | None, verify: bool, as_json: bool) -> None:
    """Make the solution of a game for two without chance from its rules, or open it."""
    with require_extra("fast"):
        from smallchange.tablebase import listed_positions, tables_folder
        from smallchange.tablebase.check_solution import faults
        from smallchange.tablebase.table_files import table_name
    file = out or tables_folder() / f"{table_name(game, game.non_default_options)}.solution"
    began = time.perf_counter()
    if file.exists():
        with report_read_errors(file):
            solution = listed_positions.read_solution(file)
        if solution.game != game:
            raise click.ClickException(f"{file} is a solution of {solution.game!r}, not of {game!r}")
    else:
        with report_interrupt(), progress_bar("solving") as progress:
            solution = listed_positions.solve(game, progress)
        with report_write_errors(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            listed_positions.write_solution(solution, file)
        click.echo(f"solved in {time.perf_counter() - began:.1f} s", err=as_json)
    counts = Counter(winner for winner, _ in solution.values.values())
    winner, plies = solution.values[game.start().key()]
    if not as_json:
        won = ", ".join(f"{n:,} {who}" for who, n in counts.items())
        click.echo(f"{file}: {len(solution.values):,} positions ({won})")
    if verify:
        for fault in faults(file):
            raise BadTable(fault)
        click.echo("proved: each value follows from those one step later", err=as_json)
    if as_json:
        about = {"game": game.id, "options": game.non_default_options, "positions": len(solution.values)}
        click.echo(json.dumps(about | {"won": counts, "start": winner, "plies": plies}))
    else:
        end = "a draw" if winner == "draw" else f"{winner} wins in {plies} steps"
        click.echo(f"start: {game.start().actor} to move, {end}")


def report(table: Table, seconds: float) -> dict[str, object]:
    """Return the contents of a table, for a program: positions for one player to move; the other has as many.

    "start" is the value for the player who begins, "win", "draw" or "loss", with "plies" where they are known,
    or None where the table does not hold the start. "ended" are positions beside the others: the player to move is
    blocked, which ends the game.
    """
    from smallchange.tablebase.position_counts import counts_of

    counts, start = counts_of(table), table.game.start()
    value = table.value(start) if start in table else None
    return {
        "game": table.game.id,
        "options": table.game.non_default_options,
        "positions": counts.won + counts.drawn + counts.lost,
        "won": counts.won,
        "drawn": counts.drawn,
        "lost": counts.lost,
        "ended": counts.ended,
        "start": value and value.outcome,
        "plies": value and value.plies,
        "digest": table.header["digest"],
        "seconds": round(seconds, 3),
        "peak_memory_mb": round(peak_memory() / 1e6, 1),
    }


def _open_existing(file: Path, game: Game) -> Table:
    from smallchange.tablebase import open_table

    try:
        table = open_table(file)
    except BadTable as wrong:
        raise BadTable(
            f"{wrong}; remove it and run the command again, or name another file with --out"
        ) from wrong
    if not table.admits(game):
        raise click.ClickException(f"{file} is a table of {table.game!r}, not of {game!r}")
    return table


def in_bytes(megabytes: int | None) -> int | None:
    return megabytes * 1_000_000 if megabytes else None


def prove(table: Table, threads: int, quiet: bool) -> None:
    """Check a table against the rules, and print the result of the proof."""
    from smallchange.tablebase import PliesTable
    from smallchange.tablebase.verify import check_sample, verify

    began = time.perf_counter()
    if not isinstance(table, PliesTable):
        with progress_bar("checking") as progress:
            counts = check_sample(table, SAMPLE, progress)
        click.echo(
            f"checked in {time.perf_counter() - began:.1f} s: the values of {SAMPLE:,} positions at random agree "
            f"with their steps; {counts['win']:,} won, {counts['draw']:,} drawn, {counts['loss']:,} lost",
            err=quiet,
        )
        return
    with progress_bar("proving") as progress:
        proved = verify(table, threads, progress=progress)
    none = f", {proved.none:,} that cannot come up" if proved.none else ""
    click.echo(
        f"proved in {time.perf_counter() - began:.1f} s: {proved.won:,} won, {proved.drawn:,} drawn, "
        f"{proved.lost:,} lost{none}; the longest takes {proved.farthest} steps",
        err=quiet,
    )
