"""Print a game for those who have no piecepack."""

from __future__ import annotations

from pathlib import Path

import click

from smallchange.core.game import Game
from smallchange.core.print_sheets import print_sheet

from .options import OutFile, lang, per_game, write


@per_game
@click.option(
    "-o",
    "--out",
    required=True,
    type=OutFile("HTML", ".html"),
    metavar="FILE",
    help="Write here; - is standard output.",
)
@lang
def sheet(game: Game, out: Path, lang: str) -> None:
    """Write a page to print: the board, pieces to cut out, a score sheet and the rules (HTML for A4 or letter).

    Open it in a browser and print it there, on paper or into a PDF.
    """
    write(out, print_sheet(game, lang).encode())
