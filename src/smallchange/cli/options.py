"""Options that several commands share, and commands with one form a game."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

from smallchange.core.atomic_files import replacing
from smallchange.core.errors import BadRecord
from smallchange.core.game import Game, games, incomplete_games
from smallchange.core.options import Drawing, Flag, OneOf, Option, Whole, closest_name
from smallchange.core.record import read_any
from smallchange.core.variants import idle_cause, idle_options, without_idle_options
from smallchange.extras import install_hint
from smallchange.i18n.text import LANGUAGES, Text
from smallchange.render.text_lines import fold


def environment_language() -> str:
    """Return the language of the environment variables, or English if there is no catalogue for it."""
    for name in ("SMALLCHANGE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            language = os.environ[name][:2]
            return language if language in LANGUAGES else "en"
    return "en"


F = TypeVar("F", bound=Callable[..., Any])

lang = click.option(
    "--lang", type=click.Choice(LANGUAGES), default=environment_language, help="Language of the text."
)


class _Bounds:
    """Bounds of a number that help and errors say in words."""

    min: Any
    max: Any

    def _describe_range(self) -> str:
        return (
            f"{_figure(self.min)} or more"
            if self.max is None
            else f"{_figure(self.min)} to {_figure(self.max)}"
        )


def _figure(number: float | None) -> str:
    return f"2^{int(number).bit_length()} - 1" if number and number > 1e15 else f"{number or 0:,}"


class Number(_Bounds, click.FloatRange):
    """A number within bounds."""

    name = "number"


class WholeNumber(_Bounds, click.IntRange):
    """A whole number within bounds. Large ones may be written 1e5, 2.5e6 or 100_000."""

    name = "whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, str) and SHORT_NUMBER.fullmatch(value):
            with suppress(ArithmeticError, ValueError):
                number = Decimal(value)
                value = int(number) if number.adjusted() < 30 and number == int(number) else value
        converted: int = super().convert(value, param, ctx)
        return converted


class Choice(click.Choice[str]):
    """A choice of names, in any case, that answers a near miss with the name that was meant.

    With `any_order` the letters of a name may be in any order.
    """

    def __init__(self, names: Sequence[str], any_order: bool = False) -> None:
        super().__init__(names)
        self._any_order = any_order

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        matching = [name for name in self.choices if name.lower() == str(value).lower()]
        if self._any_order and not matching:
            matching = [name for name in self.choices if sorted(name.lower()) == sorted(str(value).lower())]
        if value not in self.choices and len(matching) == 1:
            return matching[0]
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as wrong:
            near = closest_name(str(value), list(self.choices))
            if near is None:
                raise
            self.fail(f"{wrong.message} Did you mean {near!r}?", param, ctx)


class DrawingName(click.ParamType[str]):
    """A name of a drawing, a drawing, or @FILE."""

    name = "text"

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in self._names if name.startswith(incomplete)]


def complete_games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the ids of games that begin so, for a shell."""
    return [CompletionItem(id) for id in games() if id.startswith(incomplete)]


SHORT_NUMBER = re.compile(r"[0-9][0-9_]*(\.[0-9]+)?[eE]\+?[0-9]{1,2}|[0-9][0-9_]*")
SEED = WholeNumber(0, (1 << 64) - 1)
json_flag = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def seed_option(default: int | None = 1) -> Callable[[F], F]:
    """Return the option --seed; None is a fresh seed each time."""
    shown = default is not None
    return click.option(
        "--seed", type=SEED, default=default, show_default=shown, help="The same seed gives the same games."
    )


def workers_option(purpose: str, default: int | None = None, *former: str) -> Callable[[F], F]:
    """Return the option --workers; `former` are the names that it had before."""
    return click.option(
        "--workers", *former, "workers", type=WholeNumber(1, 1024), default=default, help=purpose,
        show_default=default is not None,
    )  # fmt: skip


def fit_to_terminal(text: str, hang: int | None = None, most: int = 0) -> str:
    """Return text with its lines folded to the terminal's width, and to `most` columns; 0 leaves them to a pipe."""
    widths = [width for width in (get_terminal_size((0, 0)).columns, most) if width]
    return "\n".join(fold(line, min(widths), hang) for line in text.split("\n")) if widths else text


def say(text: str, hang: int | None = None, most: int = 0) -> None:
    """Print text with its lines folded as by `fit_to_terminal`."""
    click.echo(fit_to_terminal(text, hang, most))


def print_json(document: object) -> None:
    """Print plain data as one line of JSON."""
    click.echo(json.dumps(document, ensure_ascii=False))


FILE = click.Path(path_type=Path)  # a folder is a failure of reading, as a file that is missing
OUT = click.Path(dir_okay=False, path_type=Path)
FILE_OR_DASH = click.Path(path_type=Path, allow_dash=True)
FORMS = {  # of files that programs know by their endings
    ".csv", ".gif", ".html", ".jpg", ".json", ".jsonl", ".md", ".parquet", ".pdf", ".png", ".ppn", ".svg", ".toml",
    ".txt",
}  # fmt: skip
OURS = {  # what stands near the beginning of a file that commands write; records are read
    ".csv": b'"match","game"',
    ".gif": b"GIF8",
    ".html": b'content="smallchange',
    ".json": b'"features"',  # learned values
    ".parquet": b"PAR1",
    ".png": b"\x89PNG",
    ".ppn": b'Event: "Small Change"',
    ".svg": b"<svg",
}


class OutFile(click.Path):
    """A file to write, or - for standard output. It refuses the ending of another form."""

    def __init__(self, form: str, *endings: str) -> None:
        super().__init__(dir_okay=False, path_type=Path, allow_dash=True)
        self._form, self._endings = form, endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        file = Path(str(super().convert(value, param, ctx)))
        ending = file.suffix.lower()
        if ending in FORMS and ending not in self._endings:
            self.fail(
                f"{file} would hold {self._form}: name it NAME{' or NAME'.join(self._endings)}", param, ctx
            )
        check_replaced(file, self._endings[0], param.opts[0] if param else "-o")
        return file


INTERRUPTED_STATUS = 130  # the exit status that shells use after Ctrl-C
RESUMABLE = "The work done so far is kept: run the command again to continue."
NOTHING_KEPT = "Nothing was saved."
NOTHING_KEPT_WITHOUT_OUT = "Nothing was saved; use -o NAME.parquet to save the games."


@contextmanager
def report_interrupt(message: str = RESUMABLE) -> Iterator[None]:
    """Print a message if Ctrl-C ends the work inside: and the fate of the work done."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"\n{message}", err=True)
        raise


@contextmanager
def progress_bar(label: str, length: int = 1) -> Iterator[Callable[..., None]]:
    """Draw a progress bar if standard error is a terminal that can draw one.

    Call the function that it gives with the amount done, and with the whole amount where that was not known.
    The time left is estimated from the first progress on: before it code may have been compiled, and work of
    an earlier run is done at once.
    """
    dumb = not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"
    start, there = 0.0, 0
    with click.progressbar(length=length, label=label, file=sys.stderr, hidden=dumb) as drawn:

        def update(done: int, whole: int = length) -> None:
            nonlocal start, there
            if not drawn.pos:
                start = drawn.last_eta = time.time()
                there = done
            elif done > there:  # the bar divides by all that is done
                now = time.time()
                drawn.start = now - (now - start) * done / (done - there)
            drawn.length = whole
            drawn.update(done - drawn.pos)

        yield update


def count_text(n: int, what: str) -> str:
    """Return a number of things in words.

    >>> count_text(0, "deal"), count_text(1, "game"), count_text(2_000, "step")
    ('0 deals', '1 game', '2,000 steps')
    """
    return f"{n:,} {what}" + "s" * (n != 1)


# package: the extra that installs it, whatever the command needs
EXTRAS = {  # module: the extra that brings it
    "aiosmtplib": "notify",
    "anyio": "notify",
    "distributed": "dask",
    "httpcore": "notify",
    "psycopg": "postgresql",
}


@contextmanager
def require_extra(extra: str) -> Iterator[None]:
    """Turn a failed import inside into one line that names the extra to install."""
    try:
        yield
    except ModuleNotFoundError as lacking:
        name = (lacking.name or "").partition(".")[0]
        if name == "smallchange":
            raise
        raise click.ClickException(install_hint(name, EXTRAS.get(name, extra))) from lacking


@contextmanager
def report_compiling() -> Iterator[None]:
    """Print a line if code is compiled inside, which takes seconds, and standard error is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    import logging

    logger, line = logging.getLogger("smallchange.engine.compile"), logging.Handler()

    def emit(record: logging.LogRecord) -> None:
        logger.removeHandler(line)  # one line is enough
        start_of_line = "" if os.environ.get("TERM") == "dumb" else "\r\x1b[K"  # in place of a progress bar
        click.echo(f"{start_of_line}compiling for this processor: a few seconds, once", err=True)

    line.emit = emit  # type: ignore[method-assign]
    before = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(line)
    try:
        yield
    finally:
        logger.removeHandler(line)
        logger.setLevel(before)


Id = TypeVar("Id", str, str | None)


def check_game(ctx: click.Context, param: click.Parameter | None, id: Id) -> Id:
    """Return the id of a game, or refuse an unknown one."""
    if id is not None and (why := incomplete_games().get(id)):
        raise click.UsageError(f"the game {id!r} cannot be played: {why}", ctx)
    if id is not None and id not in games():
        near = closest_name(id, games())
        guess = f"; did you mean {near!r}?" if near else ""
        raise click.UsageError(f"unknown game {id!r:.80}; the games are: {', '.join(games())}{guess}", ctx)
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
        """Write the command's own options into its help, though they come after the game."""
        params = (*self.own, *self.get_params(ctx))
        with formatter.section("Options"):
            formatter.write_dl([row for param in params if (row := param.get_help_record(ctx))])
        self.format_commands(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say how the options of a game are shown."""
        self.epilog = f"Options come last; the game's own: {ctx.command_path} GAME --help"
        super().format_epilog(ctx, formatter)

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        base = Game(check_game(ctx, None, name))
        names = [option.name for option in base.offered]

        def callback(**given: Any) -> None:
            chosen = {key: read_value(given.pop(key)) for key in names}
            game = Game(name, chosen)
            report_idle_options(game)
            self.run(game, **given)

        return click.Command(
            name,
            params=[*self.own, *game_parameters(base)],
            callback=callback,
            help=self.help,
            short_help=base.words.TAGLINE.en,
            epilog=self.after(base) if self.after else None,
        )


def per_game(run: Callable[..., None], kind: type[PerGame] = PerGame) -> PerGame:
    """Return the command of a function `run(game, **own options)`; its docstring is the help."""
    own = list(reversed(getattr(run, "__click_params__", [])))
    group = kind(
        run.__name__,
        help=run.__doc__,
        options_metavar="",
        subcommand_metavar="GAME [OPTIONS]",
    )
    group.run = run
    group.own = own
    return group


def report_idle_options(game: Game) -> None:
    """Print a line on standard error for each chosen option that changes nothing, or no more than another value."""
    plain, idle = without_idle_options(game), idle_options(game)
    for name in idle:
        cause = idle_cause(game, name)
        where = f"with {_argument(game, cause)}" if cause else "on this board"
        click.echo(f"note: --{name.replace('_', '-')} has no effect {where}", err=True)
    for name, value in plain.non_default_options.items():
        if value != game.options[name]:
            said, meant = _argument(game, name), _argument(plain, name)
            click.echo(f"note: {said} is {meant} on this board", err=True)


def _argument(game: Game, name: str) -> str:
    """Return one of a game's chosen options as it is typed."""
    return " ".join(Game(game.id, {name: game.options[name]}).arguments)


def game_parameters(base: Game) -> list[click.Parameter]:
    """Return the command-line options for the options of a game."""
    words = base.words
    return [_parameter(option, words.OPTIONS[option.name].en, words.CHOICES) for option in base.offered]


def _named_choices(names: Sequence[str], choices: Mapping[Any, Text]) -> str:
    """Return names, each with its remark in brackets: "frozen (by Small Change)"."""
    said = [(name, choices[name].en.removeprefix(f"{name}, ") if name in choices else name) for name in names]
    return ", ".join(name if words in (name, "") else f"{name} ({words})" for name, words in said)


def _parameter(option: Option, text: str, choices: Mapping[Any, Text]) -> click.Option:
    """Return the command-line option for one of a game's options."""
    flag = "--" + option.name.replace("_", "-")
    said = f"{text}."
    match option:
        case Flag():
            return click.Option(
                [f"{flag}/--no-{flag[2:]}"], default=option.default, help=said, show_default=True
            )
        case Whole():
            kind: click.ParamType[Any] = WholeNumber(option.low, option.high)
        case OneOf():
            kind = Choice(option.names, option.any_order)
        case Drawing():
            kind = DrawingName(option.names)
            said = f"{text}: {_named_choices(option.names, choices)}, or a drawing, or @FILE with one."
    return click.Option([flag], type=kind, default=option.default, help=said, show_default=True)


def read_value(value: Any) -> Any:
    """Return the value of an option; @FILE stands for the contents of the file."""
    if not isinstance(value, str) or not value.startswith("@"):
        return value
    with report_read_errors(Path(value[1:])):
        return Path(value[1:]).read_text(encoding="utf-8-sig").removesuffix("\n")


@contextmanager
def report_read_errors(file: Path) -> Iterator[None]:
    """Turn a failure to read a file into one line that names it."""
    try:
        yield
    except OSError as wrong:
        raise click.ClickException(f"cannot read {file}: {wrong.strerror or wrong}") from wrong
    except UnicodeDecodeError as wrong:
        raise click.ClickException(f"cannot read {file}: {wrong}") from wrong


@contextmanager
def report_write_errors(file: Path) -> Iterator[None]:
    """Turn a failure to write a file, or another beside it, into one line that names it."""
    try:
        yield
    except OSError as wrong:
        place = f" ({wrong.filename})" if str(wrong.filename or file) != str(file) else ""
        raise click.ClickException(f"cannot write {file}: {wrong.strerror or wrong}{place}") from wrong


def refuse(file: Path, what: str, option: str) -> NoReturn:
    """Refuse to overwrite a file or folder that this command did not make."""
    raise click.ClickException(
        f"{file} {what}: remove it and run the command again, or name another file with {option}"
    )


def check_replaced(file: Path, form: str, option: str) -> None:
    """Refuse to write where a file is, unless it is empty or of the same form; `form` is an ending."""
    if not file.is_file() or not file.stat().st_size:
        return
    with report_read_errors(file), file.open("rb") as there:
        if form in OURS:
            ours = OURS[form] in there.read(1000)
        else:
            first = there.readline()
            ours = (bool(first.strip()) and is_record(first)) or is_record(first + there.read())
    if not ours:
        refuse(file, "is there already, and holds something else", option)


def is_record(data: bytes) -> bool:
    """Return whether this is a record, or empty."""
    try:
        if data:
            read_any(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, BadRecord):
        return False
    return True


def write(file: Path, content: bytes) -> None:
    """Write a file, or to standard output for "-"."""
    if str(file) == "-":
        click.echo(content, nl=False)
    else:
        with report_write_errors(file), replacing(file) as out:
            out.write(content)


def peak_memory() -> int:
    """Return the most memory that this process has taken, in bytes; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
