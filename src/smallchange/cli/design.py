"""The command that searches for boards."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from smallchange.core.game import Game
from smallchange.core.options import Drawing

from .laboratory import backend, laboratory, workers
from .options import (
    OUT,
    WholeNumber,
    check_replaced,
    count_text,
    json_flag,
    per_game,
    print_json,
    progress_bar,
    report_interrupt,
    report_write_errors,
    seed_option,
    write,
)

if TYPE_CHECKING:
    from smallchange.lab.design import Archive, Finalist, Search

PICTURES_EVERY = 8  # generations between two writings of the page


@per_game
@click.option(
    "-n",
    "--boards",
    type=WholeNumber(1, 10_000_000),
    default=1_000,
    show_default=True,
    help="Boards to judge.",
)
@click.option(
    "-o", "--out", type=OUT, metavar="NAME.html",
    help="The page; NAME.boards.jsonl and NAME.json stand beside it [default: GAME-boards.html].",
)  # fmt: skip
@click.option(
    "--bot",
    default="tree:8",
    show_default=True,
    help="Judges every board: a level or tree:N, better than greedy.",
)
@click.option(
    "--games", type=WholeNumber(2, 1_000_000), default=100, show_default=True,
    help="Games of the bot on each board.",
)  # fmt: skip
@click.option(
    "--symmetry", type=click.Choice(("none", "mirror", "turn")), default="none", show_default=True,
    help="mirror: left as right; turn: the same upside down.",
)  # fmt: skip
@click.option(
    "--columns", type=WholeNumber(1, 40), help="Most characters of a line [default: 8; on hexes 13]."
)
@click.option("--rows", type=WholeNumber(1, 20), help="Most lines [default: 8; on hexes 6].")
@click.option(
    "--finalists", type=WholeNumber(0, 1000), default=12, show_default=True,
    help="Best boards to judge anew on fresh deals.",
)  # fmt: skip
@click.option("--better", default="tree:100", show_default=True, help="A better bot, for the finalists.")
@click.option(
    "--fresh-games",
    type=WholeNumber(2, 10_000_000),
    default=1_000,
    show_default=True,
    help="Games of each finalist.",
)
@seed_option()
@backend
@workers
@json_flag
def design(
    game: Game, boards: int, out: Path | None, finalists: int, backend: str, workers: int | None, as_json: bool,
    **asked: Any,
) -> None:  # fmt: skip
    """Search for boards: of each difficulty and length the one that rewards skill most.

    Boards change at random from the best of each kind so far, beginning with the one of the options (MAP-Elites). If
    it is stopped, run it again to resume; with more --boards it goes on. NAME.html shows the archive as it grows, with
    the best boards to play on; NAME.json has every cell and the finalists.
    """
    page = out or Path(f"{game.id}-boards.html")
    if page.suffix != ".html":
        raise click.UsageError(f"the page is a file NAME.html, not {str(page)!r}")
    check_replaced(page, ".html", "-o")
    command = shlex.join(["smallchange", "design", game.id, *game.arguments, *_words(boards, asked)])
    with laboratory():
        from smallchange.lab import design as lab

        search = _search(game, **asked)
        log = page.with_suffix(".boards.jsonl")
        with report_write_errors(log), report_interrupt(), progress_bar("boards", boards) as progress:

            def report(n: int, archive: Archive) -> None:
                progress(n)
                if n // lab.GENERATION % PICTURES_EVERY == 0:
                    _write(page, search, archive, [], command)

            archive = lab.design(search, boards, log, backend, workers, report)
            found = lab.finalists(search, archive, finalists, asked["better"], asked["fresh_games"], workers)
            _write(page, search, archive, found, command)
    judged, curse = len(archive.keys), _mean_loss(found)
    if as_json:
        about = {"file": str(page), "boards": judged, "cells": len(archive.elites), "finalists": len(found)}
        print_json(about | {"gap_lost": curse})
        return
    click.echo(
        f"{page}: {count_text(judged, 'board')} judged, {count_text(len(archive.elites), 'cell')} filled"
    )
    if found:
        click.echo(
            f"{count_text(len(found), 'finalist')} on fresh deals: the gap of skill is {100 * curse:.1f} points less "
            "than in the search, which chose the lucky ones"
        )


def _search(
    game: Game,
    bot: str,
    games: int,
    seed: int,
    symmetry: str,
    columns: int | None,
    rows: int | None,
    **_: Any,
) -> Search:
    """Return the search that was asked for."""
    from smallchange.lab.design import Search

    hexes = any(isinstance(option, Drawing) and option.canvas.hexes for option in game.offered)
    wide, high = columns or (13 if hexes else 8), rows or (6 if hexes else 8)
    return Search(game, bot, games, seed=seed, symmetry=symmetry, columns=wide, rows=high)


def _words(boards: int, asked: Mapping[str, Any]) -> list[str]:
    """Return the words that ask for the same again."""
    words = ["-n", str(boards)]
    for name, value in asked.items():
        words += [] if value is None else [f"--{name.replace('_', '-')}", str(value)]
    return words


def _mean_loss(found: list[Finalist]) -> float:
    """Return how much less the gap of the finalists is on fresh deals, in the mean."""
    return sum(each.searched.gap - each.fresh.gap for each in found) / len(found) if found else 0.0


def _write(page: Path, search: Search, archive: Archive, found: list[Finalist], command: str) -> None:
    """Write the page, and the archive as JSON."""
    from smallchange.lab.design_report import design_page

    cells = [{"cell": cell} | asdict(board) for cell, board in sorted(archive.elites.items())]
    document = {"search": search.to_json(), "cells": cells, "finalists": [asdict(each) for each in found]}
    write(page.with_suffix(".json"), (json.dumps(document, indent=1) + "\n").encode())
    write(page, design_page(search, archive, found, command).encode())
