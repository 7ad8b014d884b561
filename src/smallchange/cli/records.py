"""Look at records, check them, prove their luck."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from smallchange import record
from smallchange.draw.svg import picture_of
from smallchange.draw.text import screen
from smallchange.errors import BadRecord
from smallchange.match import Match
from smallchange.notation import parsed

from .options import FILE_OR_DASH, WholeNumber, apart, counted, lang, reading, write

ANY = click.Path(path_type=Path, readable=False)  # what cannot be read is told when it is its turn


def contents(file: Path) -> str:
    """The text of a file, or of standard input for "-"."""
    with reading(file):
        return (sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()).decode("utf-8-sig")


@contextmanager
def named(file: Path) -> Iterator[None]:
    """A record is read within; what is wrong with it is said with the name of its file."""
    try:
        yield
    except BadRecord as wrong:
        raise BadRecord(f"{file}: {wrong}") from wrong


def match_of(file: Path) -> Match:
    """The match of a file that has one record."""
    with named(file):
        return record.read_any(one(file))


def one(file: Path) -> str:
    """The text of a file that has one record."""
    texts = _records(contents(file))
    if len(texts) > 1:
        raise BadRecord(f"{len(texts)} records, one a line: only `smallchange check` takes several")
    return texts[0][1]


def _records(text: str) -> list[tuple[int, str]]:
    """One record, whatever its lines, or a record on each line; with the numbers of their first lines."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return lines if len(lines) > 1 and any(_is_record(line) for _, line in lines) else [(1, text)]


def _is_record(line: str) -> bool:
    """Is this a whole record in JSON?"""
    try:
        said = parsed(line)
    except BadRecord:
        return False
    return isinstance(said, dict) and "game" in said


@click.command()
@click.argument("file", metavar="RECORD", type=FILE_OR_DASH)
@click.option("--at", "ply", type=WholeNumber(0), help="After this many steps [default: all].")
@click.option("--svg", type=FILE_OR_DASH, metavar="FILE", help="Draw it as SVG, in the place of FILE.")
@click.option("--png", type=FILE_OR_DASH, metavar="FILE", help="Draw it as PNG, in the place of FILE.")
@lang
def show(file: Path, ply: int | None, svg: Path | None, png: Path | None, lang: str) -> None:
    """The position of RECORD, and what happened last."""
    if svg and svg == png:
        raise click.UsageError(f"--svg and --png would both be written to {svg}")
    for picture, option in ((svg, "--svg"), (png, "--png")):
        if picture:
            apart(picture, file, option)
    match = until(match_of(file), ply)
    if svg or png:
        _draw(match, svg, png, lang)
    else:
        _tell(match, lang)


def until(match: Match, ply: int | None) -> Match:
    """The match as it stood after so many steps, those of --at; as it is without."""
    if ply is None:
        return match
    if ply > len(match):
        raise click.UsageError(f"the record has {counted(len(match), 'step')}; --at {ply} is beyond them")
    return match.until(ply)


def _draw(match: Match, svg: Path | None, png: Path | None, lang: str) -> None:
    drawn = picture_of(match.position, lang)
    try:
        if svg:
            write(svg, drawn.encode())
        if png:
            from smallchange.draw.png import png as painted

            write(png, painted(drawn))
    except ImportError as lacking:
        raise click.ClickException(str(lacking)) from lacking


def _tell(match: Match, lang: str) -> None:
    game, position = match.game, match.position
    click.echo(screen(game.face.table(game.board, position.s), lang))
    if len(match):
        before = match.until(len(match) - 1).position
        click.echo(f"{len(match)}. {before.says(match.steps[-1].token)[lang]} [{match.steps[-1].token}]")
    said = match.ending if match.over else game.words.asks(game.board, position.s)
    click.echo(said[lang])


@click.command()
@click.argument("files", metavar="RECORD...", nargs=-1, required=True, type=ANY)
def check(files: tuple[Path, ...]) -> None:
    """Check every step of each RECORD against the rules: text, JSON, or JSON lines with a game each."""
    failed = False
    for file in files:
        try:
            with named(file):
                matches = _matches(contents(file))
        except BadRecord as wrong:
            click.echo(wrong, err=True)
            failed = True
        except click.ClickException as wrong:
            wrong.show()
            failed = True
        else:
            said = f"{counted(len(matches), 'game')}, {counted(sum(map(len, matches)), 'step')}"
            click.echo(f"{file}: {said}, all as the rules have it")
    if failed:
        sys.exit(1)


def _matches(text: str) -> list[Match]:
    """The match of each record."""
    lines = _records(text)
    if len(lines) == 1:
        return [record.read_any(text)]
    matches = []
    for number, line in lines:
        try:
            matches.append(record.read_any(line))
        except BadRecord as wrong:
            raise BadRecord(f"line {number}: {wrong}") from wrong
    return matches


@click.command()
@click.argument("file", metavar="RECORD", type=FILE_OR_DASH)
def verify(file: Path) -> None:
    """Prove the luck of a finished game: every byte as it was written, every throw as the deal gives it.

    In JSON every value, however it is spaced.
    """
    with named(file):
        match = record.verify(one(file))
    drawn = sum(step.actor == "chance" for step in match)
    told = f"{drawn} chance steps of {len(match)} are what the deal gives"
    sealed = "; the deal was sealed before the first step" if match.envelope else ""
    practice = "; practice: its luck may have been known before" if match.practice else ""
    click.echo(f"{file}: verified: {told}{sealed}{practice}")
