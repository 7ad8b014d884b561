"""Options that several commands share, and commands with one form a game."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from smallchange.extras import advice
from smallchange.files import replacing
from smallchange.game import Game, games
from smallchange.options import Drawing, Flag, OneOf, Option, Whole
from smallchange.text import LANGUAGES


def spoken() -> str:
    """The language that the person's environment asks for, English where we do not speak it."""
    for name in ("SMALLCHANGE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            asked = os.environ[name][:2]
            return asked if asked in LANGUAGES else "en"
    return "en"


lang = click.option("--lang", type=click.Choice(LANGUAGES), default=spoken, help="Language of the text.")


class WholeNumber(click.IntRange):
    """A whole number within bounds."""

    name = "whole number"


FILE = click.Path(dir_okay=False, path_type=Path)
FILE_OR_DASH = click.Path(dir_okay=False, path_type=Path, allow_dash=True)
BROKEN_OFF = 130  # as a shell says it of what Ctrl-C ended
KEPT = "What is done is kept: call this again to go on."
NOTHING = "Nothing is kept."
NOT_KEPT = "Nothing is kept: with -o NAME.parquet it would be."


@contextmanager
def kept(said: str = KEPT) -> Iterator[None]:
    """Long work: Ctrl-C says what becomes of it."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"\n{said}", err=True)
        raise


@contextmanager
def bar(label: str, length: int = 1) -> Iterator[Callable[..., None]]:
    """A bar for a person who waits at a terminal that can draw one. Called with how much is done, and of how
    much where that was not known. The time left is reckoned from when the first of it is done: before, code
    may have been compiled, and what an earlier run has done is there at once."""
    dumb = not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"
    begun, there = 0.0, 0
    with click.progressbar(length=length, label=label, file=sys.stderr, hidden=dumb) as drawn:

        def said(done: int, whole: int = length) -> None:
            nonlocal begun, there
            if not drawn.pos:
                begun = drawn.last_eta = time.time()
                there = done
            elif done > there:  # the bar divides by all that is done
                now = time.time()
                drawn.start = now - (now - begun) * done / (done - there)
            drawn.length = whole
            drawn.update(done - drawn.pos)

        yield said


def counted(n: int, what: str) -> str:
    """A number of things, in words.

    >>> counted(0, "deal"), counted(1, "game"), counted(2_000, "step")
    ('0 deals', '1 game', '2,000 steps')
    """
    return f"{n:,} {what}" + "s" * (n != 1)


# package: the extra that brings it, where no other says so
EXTRAS = {"distributed": "dask", "psycopg": "postgresql", "ray": "ray", "redis": "redis"}


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Packages of an extra are imported within; one that is not installed is one clear line."""
    try:
        yield
    except ModuleNotFoundError as lacking:
        name = (lacking.name or "").partition(".")[0]
        if name == "smallchange":
            raise
        raise click.ClickException(advice(name, EXTRAS.get(name, extra))) from lacking


Id = TypeVar("Id", str, str | None)


def known_game(ctx: click.Context, param: click.Parameter | None, id: Id) -> Id:
    """The id of a game that there is, if one was given."""
    if id is not None and id not in games():
        raise click.UsageError(f"unknown game {id!r:.80}; the games are: {', '.join(games())}", ctx)
    return id


class PerGame(click.Group):
    """A command with one form for each game, whose options are the game's own.

    Built by `per_game` around a function that takes the Game first, then the command's own options.
    """

    run: Callable[..., None]
    own: list[click.Parameter]
    after: Callable[[Game], str] | None = None  # what its help says at the end

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0].startswith("-") and args[0] not in ctx.help_option_names:
            raise click.UsageError(f"the game comes first, then the options; not {args[0]!r:.80}", ctx)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return games()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command's own options stand in its help, though they come after the game."""
        params = (*self.own, *self.get_params(ctx))
        with formatter.section("Options"):
            formatter.write_dl([row for param in params if (row := param.get_help_record(ctx))])
        self.format_commands(ctx, formatter)

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        base = Game(known_game(ctx, None, name))
        names = [option.name for option in base.offered]

        def callback(**given: Any) -> None:
            chosen = {key: _read(given.pop(key)) for key in names}
            self.run(Game(name, chosen), **given)

        form = [_parameter(option, base.words.OPTIONS[option.name].en) for option in base.offered]
        return click.Command(
            name,
            params=[*self.own, *form],
            callback=callback,
            help=self.help,
            short_help=base.words.TAGLINE.en,
            epilog=self.after(base) if self.after else None,
        )


def per_game(run: Callable[..., None]) -> PerGame:
    """The command of a function `run(game, **own options)`; its docstring is the help."""
    own = list(reversed(getattr(run, "__click_params__", [])))
    group = PerGame(
        run.__name__,
        help=run.__doc__,
        epilog=f"Options come last; the game's own: smallchange {run.__name__} GAME --help",
        options_metavar="",
        subcommand_metavar="GAME [OPTIONS]",
    )
    group.run = run
    group.own = own
    return group


def _parameter(option: Option, text: str) -> click.Option:
    """The form of one of a game's options on the command line."""
    flag = "--" + option.name.replace("_", "-")
    help = f"{text}."
    match option:
        case Flag():
            return click.Option(
                [f"{flag}/--no-{flag[2:]}"], default=option.default, help=help, show_default=True
            )
        case Whole():
            kind: click.ParamType[Any] = WholeNumber(option.low, option.high)
        case OneOf():
            kind = click.Choice(option.names)
        case Drawing():
            kind = click.STRING
            help = f"{text}: {', '.join(option.names)}, or a drawing, or @FILE with one."
    return click.Option([flag], type=kind, default=option.default, help=help, show_default=True)


def _read(value: Any) -> Any:
    """The value of an option; @FILE stands for what the file holds."""
    if not isinstance(value, str) or not value.startswith("@"):
        return value
    with reading(Path(value[1:])):
        return Path(value[1:]).read_text(encoding="utf-8-sig").removesuffix("\n")


@contextmanager
def reading(file: Path) -> Iterator[None]:
    """A file is read within; where it cannot be, that is one clear line."""
    try:
        yield
    except OSError as wrong:
        raise click.ClickException(f"cannot read {file}: {wrong.strerror or wrong}") from wrong
    except UnicodeDecodeError as wrong:
        raise click.ClickException(f"cannot read {file}: {wrong}") from wrong


@contextmanager
def writing(file: Path) -> Iterator[None]:
    """A file is written within; where it cannot be, or what goes beside it, that is one clear line."""
    try:
        yield
    except OSError as wrong:
        place = f" ({wrong.filename})" if str(wrong.filename or file) != str(file) else ""
        raise click.ClickException(f"cannot write {file}: {wrong.strerror or wrong}{place}") from wrong


def refuse(file: Path, what: str, option: str) -> NoReturn:
    """A file of somebody else is not written over."""
    raise click.ClickException(
        f"{file} {what}: remove it and call this again, or name another file with {option}"
    )


def apart(target: Path, source: Path, option: str) -> Path:
    """A file to write that is not the one that is read."""
    if target.exists() and source.exists() and target.samefile(source):
        raise click.UsageError(f"{target} is what is read: name another file with {option}")
    return target


def write(file: Path, content: bytes) -> None:
    """Write a file, or to standard output for "-"."""
    if str(file) == "-":
        click.echo(content, nl=False)
    else:
        with writing(file), replacing(file) as out:
            out.write(content)
