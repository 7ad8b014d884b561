"""The command that finds puzzles and checks them.

    python -m research puzzles GAME -n 100 -o GAME.jsonl

It made the puzzles of docs/trainer.md, which has the command of each file.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from random import Random

import click

from smallchange.cli.laboratory import laboratory
from smallchange.cli.options import (
    FILE,
    PerGame,
    WholeNumber,
    count_text,
    json_flag,
    per_game,
    print_json,
    progress_bar,
    report_interrupt,
    report_read_errors,
    report_write_errors,
    seed_option,
    workers_option,
)
from smallchange.core.game import Game
from smallchange.core.puzzle import puzzles_in

CHECK = "--check"  # in the place of a game: the command that checks a file


@click.command(
    CHECK, help="Check puzzles of FILE another way: all of them, or so many at random by --seed.", hidden=True
)
@click.argument("file", type=FILE)
@click.option("-n", "--number", "n", type=WholeNumber(1, 1_000_000), help="Puzzles to check [default: all].")
@seed_option()
@json_flag
def check_file(file: Path, n: int | None, seed: int, as_json: bool) -> None:
    """Check puzzles another way than they were found."""
    with laboratory():
        from research.puzzles.check import check_puzzle

    with report_read_errors(file):
        found = puzzles_in(file)
    chosen = Random(seed).sample(found, min(n or len(found), len(found)))
    false, close, done = list[str](), list[str](), 0
    with progress_bar("puzzles", len(chosen)) as progress:
        for number, puzzle in enumerate(chosen, 1):
            verdict = check_puzzle(puzzle)
            done += verdict.done
            false += [puzzle.text] * verdict.false
            close += [puzzle.text] * (verdict.close and not verdict.false)
            progress(number)
    if as_json:
        print_json({"puzzles": len(chosen), "checked": done, "false": false, "close": close})
    else:
        click.echo(
            f"{count_text(done, 'puzzle')} of {len(chosen):,} checked, {count_text(len(false), 'false key')}"
        )
        for kind, texts in (("false", false), ("close", close)):
            for text in texts:
                click.echo(f"{kind}: {text}")
    if false:
        raise click.exceptions.Exit(1)


class PuzzlesCommand(PerGame):
    """The command, which names no game where it checks a file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [CHECK[2:], *args[1:]] if args[:1] == [CHECK] else args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        return check_file if name == CHECK[2:] else super().get_command(ctx, name)


@partial(per_game, kind=PuzzlesCommand)
@click.option(
    "-n", "--number", "n", type=WholeNumber(1, 1_000_000), default=100, show_default=True,
    help="Puzzles to find.",
)  # fmt: skip
@click.option("-o", "--out", type=FILE, metavar="FILE.jsonl", help="The file [default: standard output].")
@seed_option()
@workers_option("Processes; the puzzles are the same whatever their number.", 1)
def puzzles(game: Game, n: int, out: Path | None, seed: int, workers: int) -> None:
    """Find puzzles of GAME: positions from games of bots whose best choice is at least 5 points ahead.

    A line of JSON each. The odds are exact where a table of solved positions or the last choices of a game allow it;
    else the margin is sure at 99.9 %. To check a file another way: python -m research puzzles --check FILE
    """
    with laboratory():
        from research.puzzles.search import find_puzzles

    themes, out = Counter[str](), None if str(out) == "-" else out
    with (
        report_write_errors(out or Path("-")),
        out.open("w", encoding="utf-8") if out else nullcontext(sys.stdout) as file,
        report_interrupt("What was found until now is in the file."),
        progress_bar("puzzles", n) as progress,
    ):
        for puzzle in find_puzzles(game, n, seed, workers, progress=progress):
            file.write(json.dumps(puzzle.to_json()) + "\n")
            file.flush()
            themes[puzzle.theme] += 1
    listed = ", ".join(f"{theme} {number}" for theme, number in themes.most_common())
    click.echo(f"{count_text(themes.total(), 'puzzle')} found: {listed or 'none'}", err=True)
