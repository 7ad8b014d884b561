"""The command `smallchange`. Each command lives in the module that COMMANDS names, imported when used."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from _thread import interrupt_main
from collections.abc import Callable
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from threading import Timer, current_thread, main_thread
from typing import Any, TextIO

import click

import smallchange
from smallchange.core.errors import format_warning
from smallchange.core.game_places import FOLDERS_VARIABLE
from smallchange.core.options import closest_name

from .docstrings import restore_help
from .options import INTERRUPTED_STATUS, report_compiling, say

COMMANDS = {  # command: its module
    "games": "catalogue",
    "rules": "catalogue",
    "bots": "bots",
    "new-game": "new_game",
    "check-game": "new_game",
    "warm": "warm",
    "serve": "serve",
    "server": "server",
    "static": "static",
    "play": "play",
    "resume": "play",
    "tui": "terminal",
    "trainer": "trainer",
    "show": "records",
    "check": "records",
    "export": "export",
    "sheet": "sheet",
    "review": "review",
    "analyse": "analyse",
    "record": "record",
    "simulate": "measure",
    "compare": "compare",
    "perft": "measure",
    "experiment": "laboratory",
    "report": "laboratory",
    "ladder": "laboratory",
    "design": "design",
    "solve": "solve",
    "exact": "exact",
}
HEADINGS = {  # in help, each before the first of its commands
    "games": "Games",
    "serve": "In a browser",
    "play": "Here",
    "show": "Records and paper",
    "simulate": "Measure",
    "solve": "Solve",
}

# where a line on standard error would be in the way, or where `warm` itself says what is compiled
SILENT_COMMANDS = {"tui", "serve", "server", "warm"}
MOVED = {  # a name that has another place, and that place
    **dict.fromkeys(("doctor", "tables", "backup", "restore", "dump", "admin", "work"), "server {}"),
    "verify": "check --luck",
    "explore": "exact",
}
INTERRUPT_RETRY_S = 0.05  # until a Ctrl-C that was dropped is sent again; sooner it is often dropped too

GUIDE = """\
Small Change: six coin games played, measured and solved by one engine.

  smallchange serve; server COMMAND     play in a browser; look after a server
  smallchange games; rules GAME; bots   lists; new-game, check-game: your own
  smallchange tui GAME; play GAME       play here; resume; trainer GAME
  smallchange show|check|export RECORD  draw, check; review|analyse RECORD
  smallchange simulate GAME -n 10000    odds, length; compare; record GAME
  smallchange experiment FILE; report   whole grids; ladder GAME; design GAME
  smallchange solve GAME; exact RECORD  who wins, by which move; odds
  smallchange COMMAND --help            everything a command can do"""


class Commands(click.Group):
    """The commands of `modules`, each imported when it is used.

    Wrong input, and files that cannot be read or written, are errors of one line.
    """

    package = __name__
    modules = COMMANDS

    def main(self, *args: Any, **extra: Any) -> Any:
        _open_streams()
        if current_thread() is main_thread():  # a command that the system ends is interrupted, as by Ctrl-C
            signal.signal(signal.SIGTERM, signal.default_int_handler)
        warnings.formatwarning = format_warning
        sys.unraisablehook = partial(_repeat_interrupt, sys.unraisablehook)
        try:
            return super().main(*args, **extra)
        except OSError as wrong:  # a broken pipe has ended quietly before
            sys.stdout = _null_stream()  # the old one may hold what it could not write
            try:
                click.echo(f"Error: {wrong}", err=True)
            except OSError:
                sys.stderr = sys.stdout
            sys.exit(1)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.modules:
            return None
        module = import_module(f"{self.package}.{self.modules[name]}")
        found: click.Command = getattr(module, name.replace("-", "_"))
        return restore_help(found)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its whole first sentence, under headings."""
        sections: dict[str, list[tuple[str, str]]] = {}
        heading = "Commands"
        for name in self.modules:
            command, heading = self.get_command(ctx, name), HEADINGS.get(name, heading)
            said = command.get_short_help_str(1000) if command else ""
            sections.setdefault(heading, []).append((name, said))
        for heading, rows in sections.items():
            with formatter.section(heading):
                formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in SILENT_COMMANDS:
            ctx.with_resource(report_compiling())
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as wrong:
            near = MOVED.get(args[0], "").format(args[0]) or closest_name(args[0], list(self.modules))
            if near is None:
                raise
            raise click.UsageError(f"{wrong.message} Did you mean {near!r}?", ctx) from wrong

    def invoke(self, ctx: click.Context) -> object:
        """Run a command. The status is 2 for a wrong command line, and 1 for any other failure."""
        try:
            return super().invoke(ctx)
        except (smallchange.BadOption, smallchange.BadPolicy, smallchange.UnknownGame) as wrong:
            raise click.UsageError(str(wrong)) from wrong
        except (
            smallchange.BadExperiment,
            smallchange.BadPosition,
            smallchange.BadPuzzle,
            smallchange.BadRecord,
            smallchange.BadTable,
            smallchange.BadValues,
            smallchange.IllegalMove,
            smallchange.RulesError,
        ) as wrong:
            raise click.ClickException(str(wrong)) from wrong
        except BrokenPipeError:  # the reader of the output has enough
            sys.stdout = _null_stream()
            sys.exit(141)  # as of a program that SIGPIPE ended
        except KeyboardInterrupt:
            click.echo("\nAborted!", err=True)
            sys.exit(INTERRUPTED_STATUS)


def _open_streams() -> None:
    """Replace closed streams by an empty one, and print a question mark for each sign that an encoding lacks."""
    sys.stdin, sys.stdout, sys.stderr = (it or _null_stream() for it in (sys.stdin, sys.stdout, sys.stderr))
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def _repeat_interrupt(
    usual: Callable[[sys.UnraisableHookArgs], object], lost: sys.UnraisableHookArgs
) -> None:
    """Send a Ctrl-C again that arrived where Python drops exceptions, as in a destructor."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        usual(lost)
        return
    if sys.platform == "win32":
        again = Timer(INTERRUPT_RETRY_S, interrupt_main)
    else:
        again = Timer(INTERRUPT_RETRY_S, signal.pthread_kill, (main_thread().ident, signal.SIGINT))
    again.daemon = True
    again.start()


def _null_stream() -> TextIO:
    return open(os.devnull, "r+", encoding="utf-8")


@click.group(
    cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(smallchange.__version__)
@click.option(
    "--games",
    "folders",
    multiple=True,
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="A folder of other people's games; may be given several times.",
)
@click.pass_context
def main(ctx: click.Context, folders: tuple[str, ...]) -> None:
    """Six coin games played, measured and solved by one engine."""
    if folders:  # worker processes inherit them
        known = os.environ.get(FOLDERS_VARIABLE)
        os.environ[FOLDERS_VARIABLE] = os.pathsep.join([*folders, *([known] if known else [])])
    if ctx.invoked_subcommand is None:
        say(GUIDE, 39)


restore_help(main)
