"""Look at records, check them, prove their luck."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from smallchange.core import record
from smallchange.core.errors import BadRecord
from smallchange.core.match import Match
from smallchange.core.record_text import parse_json
from smallchange.render.svg import picture_of

from .options import (
    FILE_OR_DASH,
    OutFile,
    WholeNumber,
    count_text,
    json_flag,
    lang,
    print_json,
    report_read_errors,
    require_extra,
    say,
    write,
)
from .prompt import table_text

if TYPE_CHECKING:
    from smallchange.lab.fairness import Fairness

ANY_PATH = click.Path(path_type=Path, readable=False)  # an unreadable file is reported in its turn


def read_text(file: Path) -> str:
    """Return the text of a file, or of standard input for "-"."""
    with report_read_errors(file):
        read = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return read.decode("utf-8-sig").replace("\r\n", "\n")  # as Windows keeps a text


@contextmanager
def report_with_name(file: Path) -> Iterator[None]:
    """Put the name of a file before the fault of its record."""
    try:
        yield
    except BadRecord as wrong:
        raise BadRecord(f"{file}: {wrong}") from wrong


def match_of(file: Path) -> Match:
    """Return the match of a file that has one record."""
    with report_with_name(file):
        return record.read_any(single_record(file))


def single_record(file: Path) -> str:
    """Return the text of a file that has one record."""
    texts = _records(read_text(file))
    if len(texts) > 1:
        raise BadRecord(
            f"{len(texts)} records, one a line: only `smallchange check` and `export` take several"
        )
    return texts[0][1]


def _records(text: str) -> list[tuple[int, str]]:
    """One record, whatever its lines, or a record on each line; with the numbers of their first lines."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return lines if len(lines) > 1 and any(_is_record(line) for _, line in lines) else [(1, text)]


def _is_record(line: str) -> bool:
    """Return whether a line is a whole record in JSON."""
    try:
        document = parse_json(line)
    except BadRecord:
        return False
    return isinstance(document, dict) and "game" in document


@click.command()
@click.argument("file", metavar="RECORD", type=FILE_OR_DASH)
@click.option("--at", "ply", type=WholeNumber(0), help="After this many steps [default: all].")
@click.option("--svg", type=OutFile("SVG", ".svg"), metavar="FILE", help="Draw it as SVG.")
@click.option("--png", type=OutFile("PNG", ".png"), metavar="FILE", help="Draw it as PNG.")
@lang
def show(file: Path, ply: int | None, svg: Path | None, png: Path | None, lang: str) -> None:
    """Print the position of RECORD and its last step."""
    if svg and svg == png:
        raise click.UsageError(f"--svg and --png would both be written to {svg}")
    match = match_at(match_of(file), ply)
    if svg or png:
        _draw(match, svg, png, lang)
    else:
        _tell(match, lang)


def match_at(match: Match, ply: int | None) -> Match:
    """Return the match after `ply` steps, the number of --at; the whole match for None."""
    if ply is None:
        return match
    if ply > len(match):
        raise click.UsageError(f"the record has {count_text(len(match), 'step')}; --at {ply} is beyond them")
    return match.until(ply)


def _draw(match: Match, svg: Path | None, png: Path | None, lang: str) -> None:
    drawn = picture_of(match.position, lang)
    try:
        if svg:
            write(svg, drawn.encode())
        if png:
            from smallchange.render.png import png as painted

            write(png, painted(drawn))
    except ImportError as lacking:
        raise click.ClickException(str(lacking)) from lacking


def _tell(match: Match, lang: str) -> None:
    game, position = match.game, match.position
    click.echo(table_text(position, lang))
    if len(match):
        before = match.until(len(match) - 1).position
        say(f"{len(match)}. {before.describe(match.steps[-1].token)[lang]} [{match.steps[-1].token}]")
    sentence = match.ending if match.over else game.words.asks(game.board, position.s)
    say(sentence[lang])


@click.command()
@click.argument("files", metavar="RECORD...", nargs=-1, required=True, type=ANY_PATH)
@click.option("--luck", is_flag=True, help="Prove the luck too: every throw follows from the deal.")
@click.option(
    "--site", is_flag=True, help="RECORD is a dump of a site: prove its luck, and test all its throws too."
)
@json_flag
def check(files: tuple[Path, ...], luck: bool, site: bool, as_json: bool) -> None:
    """Check every step of each RECORD against the rules: text, JSON, or JSON lines with a game each.

    With --luck no byte of a finished game may have changed, and every throw follows from the deal; in JSON every value
    is compared, spaces do not matter. With --site RECORD has the games of a whole site, as `smallchange server dump`
    writes them; chi-square tests say how far the throws of each object are from those of a fair one.
    """
    failed = False
    for file in files:
        try:
            if site:
                _verify_site(file, as_json)
                continue
            with report_with_name(file):
                matches = matches_in(read_text(file), record.verify if luck else record.read_any)
        except BadRecord as wrong:
            click.echo(wrong, err=True)
            failed = True
        except click.ClickException as wrong:
            wrong.show()
            failed = True
        else:
            _report_checked(file, matches, luck, as_json)
    if failed:
        sys.exit(1)


def _report_checked(file: Path, matches: list[Match], luck: bool, as_json: bool) -> None:
    steps, drawn = sum(map(len, matches)), sum(step.actor == "chance" for match in matches for step in match)
    if luck and len(matches) == 1:
        _report_verified(file, matches[0], drawn, as_json)
    elif as_json:
        chance = {"chance_steps": drawn} if luck else {}
        print_json({"file": str(file), "games": len(matches), "steps": steps, **chance})
    elif luck:
        totals = f"{drawn:,} chance steps of {steps:,} are what the deals give"
        say(f"{file}: {count_text(len(matches), 'game')} verified: {totals}")
    else:
        say(
            f"{file}: {count_text(len(matches), 'game')}, {count_text(steps, 'step')}, all as the rules have it"
        )


def matches_in(text: str, read: Callable[[str], Match] = record.read_any) -> list[Match]:
    """Return the match of each record: of the one in a text, or of one on each line."""
    lines = _records(text)
    if len(lines) == 1:
        return [read(text)]
    matches = []
    for number, line in lines:
        try:
            matches.append(read(line))
        except BadRecord as wrong:
            raise BadRecord(f"line {number}: {wrong}") from wrong
    return matches


def _report_verified(file: Path, match: Match, drawn: int, as_json: bool) -> None:
    if as_json:
        sealed_before = bool(match.envelope)
        about = {"file": str(file), "game": match.game.id, "steps": len(match), "chance_steps": drawn}
        print_json(about | {"sealed": sealed_before, "practice": match.practice})
        return
    row = match.simulated
    source = f"game {row.number} of seed {row.seed} gives" if row else "the deal gives"
    verdict = f"{drawn} chance steps of {len(match)} are what {source}" if drawn else "it has no luck"
    sealed = (
        "; its seal fits: compare it with the one that was shown before the first step"
        if match.envelope
        else ""
    )
    practice = "; practice: its luck may have been known before" if match.practice else ""
    say(f"{file}: verified: {verdict}{sealed}{practice}")


def _verify_site(file: Path, as_json: bool) -> None:
    """Verify each record of a dump, and test the throws of all."""
    with require_extra("lab"):
        from smallchange.lab.fairness import ThrowCounts
    counts, games, steps = ThrowCounts(), 0, 0
    for number, line in enumerate(read_text(file).split("\n"), 1):
        if not line.strip():
            continue
        try:
            match = record.verify(line)
        except BadRecord as wrong:
            raise BadRecord(f"{file}: line {number}: {wrong}") from wrong
        if match.practice:
            raise BadRecord(f"{file}: line {number}: practice, whose luck may have been known before")
        counts.add_match(match)
        games, steps = games + 1, steps + len(match)
    fairness = counts.test()
    if as_json:
        print_json({"file": str(file), "games": games, "steps": steps} | fairness.to_json())
        return
    click.echo(f"{file}: {count_text(games, 'game')}, every throw as its deal gives it: {fairness.throws:,}")
    click.echo(fairness_table(fairness))


def fairness_table(fairness: Fairness) -> str:
    """Return the tests as lines of a table, and their joint verdict."""
    few = f"{count_text(fairness.untested, 'throw')} of objects with too few throws not tested."
    if fairness.p is None:
        return few
    from smallchange.lab.result_tables import Sheet

    head = ["game, object", "throws", "outcomes", "chi-square", "p"]
    rows = [
        [
            f"{test.game}, {test.source}",
            f"{test.throws:,}",
            str(len(test.counts)),
            f"{test.chi_square:.2f}",
            f"{test.p:.3f}",
        ]
        for test in fairness.tests
    ]
    together = (
        f"All tests together: chi-square {fairness.chi_square:.2f} with {fairness.degrees:,} degrees of freedom, "
        f"p = {fairness.p:.3f}. p is the chance that fair throws are at least as far from what is expected."
    )
    return "\n".join([Sheet("", "", head, rows).plain(), together, few])
