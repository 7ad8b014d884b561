"""Write a match in the forms of other programs: notation, and moving pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from smallchange.core.errors import NoPiecepackGame
from smallchange.core.match import Match
from smallchange.core.match_pictures import animated_gif, animated_svg
from smallchange.core.piecepack_notation import portable_piecepack

from .options import FILE_OR_DASH, WholeNumber, check_distinct, lang, write
from .records import match_of

FORMATS = ("svg", "gif", "ppn")


@click.command()
@click.argument("file", metavar="RECORD", type=FILE_OR_DASH)
@click.option(
    "-o", "--out", required=True, type=FILE_OR_DASH, metavar="FILE", help="Write here; - is standard output."
)
@click.option("--format", "form", type=click.Choice(FORMATS), help="[default: the ending of FILE]")
@click.option(
    "--from", "first", type=WholeNumber(0), help="Begin after this many steps [default: the first choice]."
)
@click.option("--to", "last", type=WholeNumber(0), help="End after this many steps [default: all].")
@click.option(
    "--step-seconds", "step_s", type=click.FloatRange(0.05, 60), default=1.2, show_default=True,
    help="Seconds that a player's step is shown.",
)  # fmt: skip
@lang
def export(
    file: Path, out: Path, form: str | None, first: int | None, last: int | None, step_s: float, lang: str
) -> None:
    """Write the match of RECORD as a moving picture or in Portable Piecepack Notation.

    svg: plays by itself in a browser, without a script; it stands still if the reader prefers reduced motion.
    gif: the same for chats and slides. ppn: piecepackr reads, draws and animates it.
    """
    form = form or out.suffix.removeprefix(".").lower()
    if form not in FORMATS:
        raise click.UsageError(
            f"name the form with --format, or by the ending of {out}: {', '.join(FORMATS)}"
        )
    check_distinct(out, file, "--out")
    match = match_of(file)
    if form == "ppn" and not (first is None and last is None):
        raise click.UsageError("a notation has all steps: --from and --to are for svg and gif")
    shown: dict[str, Callable[[], bytes]] = {
        "svg": lambda: animated_svg(match, first, last, lang, step_s).encode(),
        "gif": lambda: animated_gif(match, first, last, lang, step_s),
        "ppn": lambda: _notation(match),
    }
    try:
        write(out, shown[form]())
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from wrong
    except ImportError as lacking:
        raise click.ClickException(str(lacking)) from lacking


def _notation(match: Match) -> bytes:
    try:
        return portable_piecepack(match).encode()
    except NoPiecepackGame as wrong:
        raise click.ClickException(str(wrong)) from wrong
