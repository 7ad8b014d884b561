"""Write matches in the forms of other programs: notation, moving pictures, tables of steps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from smallchange.core.errors import NoPiecepackGame
from smallchange.core.match import Match
from smallchange.core.match_pictures import animated_gif, animated_svg
from smallchange.core.piecepack_notation import portable_piecepack
from smallchange.extras import require

from .options import FILE_OR_DASH, Number, WholeNumber, check_replaced, lang, write
from .records import matches_in, read_text, report_with_name

FORMATS = ("svg", "gif", "ppn", "parquet", "csv")
TABLES = ("parquet", "csv")


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
    "--step-seconds", "step_s", type=Number(0.05, 60), default=1.2, show_default=True,
    help="Seconds that a player's step is shown.",
)  # fmt: skip
@lang
def export(
    file: Path, out: Path, form: str | None, first: int | None, last: int | None, step_s: float, lang: str
) -> None:
    """Write the match of RECORD as a moving picture, in Portable Piecepack Notation, or as a table of its steps.

    svg: plays by itself in a browser, without a script; it stands still if the reader prefers reduced motion.
    gif: the same for chats and slides. ppn: piecepackr reads, draws and animates it. parquet, csv: a row a step.

    RECORD may be JSON lines with a game each: a table has all of them, else each is a file, NAME-1 and so on.
    """
    form = form or out.suffix.removeprefix(".").lower()
    if form not in FORMATS:
        raise click.UsageError(
            f"name the form with --format, or by the ending of {out}: {', '.join(FORMATS)}"
        )
    with report_with_name(file):
        matches = matches_in(read_text(file))
    if form not in ("svg", "gif") and not (first is None and last is None):
        raise click.UsageError(f"{form} has all steps: --from and --to are for svg and gif")
    if form in TABLES:
        check_replaced(out, f".{form}", "-o")
        write(out, _table(matches, form))
        return
    if len(matches) > 1 and str(out) == "-":
        raise click.UsageError(f"{len(matches)} records would be as many files: name them with -o")
    targets = (
        [out] if len(matches) == 1 else [out.with_stem(f"{out.stem}-{i + 1}") for i in range(len(matches))]
    )
    for target in targets:
        check_replaced(target, f".{form}", "-o")
    for target, match in zip(targets, matches, strict=True):
        write(target, _form(match, form, first, last, lang, step_s))


def _table(matches: list[Match], form: str) -> bytes:
    """Return the steps of matches as a file of a table."""
    try:
        require("lab", "pyarrow")
    except ModuleNotFoundError as lacking:
        raise click.ClickException(str(lacking)) from lacking
    import pyarrow as pa
    from pyarrow import csv, parquet

    from smallchange.lab.step_table import step_table

    table, sink = step_table(matches), pa.BufferOutputStream()
    if form == "csv":
        csv.write_csv(table, sink)
    else:
        parquet.write_table(table, sink)
    return bytes(sink.getvalue().to_pybytes())


def _form(match: Match, form: str, first: int | None, last: int | None, lang: str, step_s: float) -> bytes:
    """Return a match as a moving picture or a notation."""
    shown: dict[str, Callable[[], bytes]] = {
        "svg": lambda: animated_svg(match, first, last, lang, step_s).encode(),
        "gif": lambda: animated_gif(match, first, last, lang, step_s),
        "ppn": lambda: _notation(match),
    }
    try:
        return shown[form]()
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from wrong
    except ImportError as lacking:
        raise click.ClickException(str(lacking)) from lacking


def _notation(match: Match) -> bytes:
    try:
        return portable_piecepack(match).encode()
    except NoPiecepackGame as wrong:
        raise click.ClickException(str(wrong)) from wrong
