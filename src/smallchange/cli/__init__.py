"""The command `smallchange`. Each command lives in the module that COMMANDS names, imported when used."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from threading import Timer, main_thread
from typing import Any, TextIO

import click

import smallchange
from smallchange.errors import in_one_line

from .options import BROKEN_OFF

COMMANDS = {  # command: its module
    "games": "catalogue",
    "rules": "catalogue",
    "bots": "bots",
    "serve": "serve",
    "play": "play",
    "resume": "play",
    "show": "records",
    "check": "records",
    "verify": "records",
    "review": "review",
    "simulate": "measure",
    "perft": "measure",
    "experiment": "laboratory",
    "report": "laboratory",
    "ladder": "laboratory",
    "solve": "solve",
    "train": "train",
    "exact": "exact",
    "bound": "bound",
}

AGAIN = 0.05  # seconds until a Ctrl-C that was dropped comes again; sooner it would often be dropped too

GUIDE = """\
Small Change: five coin games played, measured and solved by one engine.

  smallchange serve                     play in the browser, alone, with a friend or a bot
  smallchange games; rules GAME; bots   list the games, their rules and the bots [--lang ja]
  smallchange play GAME; resume         play here (games for two: --bot greedy); continue with the same luck
  smallchange show|check|verify RECORD  display it, check it, prove its luck; review RECORD: luck or play?
  smallchange simulate GAME -n 10000    measure: odds with intervals, scores, length
  smallchange experiment FILE; report   the same over whole grids, drawn as one page; ladder GAME rates bots
  smallchange solve|bound|train GAME    prove who wins; bound the odds; learn; exact RECORD: odds near the end
  smallchange COMMAND --help            everything a command can do"""


class Commands(click.Group):
    """The commands, found by name; what a person did wrong is said in one line, without a traceback, and so
    is what the system does not let be read or written."""

    def main(self, *args: Any, **extra: Any) -> Any:
        _open_streams()
        warnings.formatwarning = in_one_line
        sys.unraisablehook = partial(_unheard, sys.unraisablehook)
        try:
            return super().main(*args, **extra)
        except OSError as wrong:  # a broken pipe has ended quietly before
            sys.stdout = _nowhere()  # the old one may hold what it could not write
            try:
                click.echo(f"Error: {wrong}", err=True)
            except OSError:
                sys.stderr = sys.stdout
            sys.exit(1)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found: click.Command = getattr(import_module(f"{__name__}.{COMMANDS[name]}"), name)
        return found

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (
            smallchange.BadExperiment,
            smallchange.BadOption,
            smallchange.BadPolicy,
            smallchange.BadPosition,
            smallchange.BadRecord,
            smallchange.BadTable,
            smallchange.BadValues,
            smallchange.IllegalMove,
            smallchange.UnknownGame,
        ) as wrong:
            raise click.ClickException(str(wrong)) from wrong
        except KeyboardInterrupt:
            click.echo("\nAborted!", err=True)
            sys.exit(BROKEN_OFF)


def _open_streams() -> None:
    """A stream that was closed is nothing to read, and nowhere to write; of a sign that the other side's
    encoding lacks comes a question mark."""
    sys.stdin, sys.stdout, sys.stderr = (it or _nowhere() for it in (sys.stdin, sys.stdout, sys.stderr))
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def _unheard(usual: Callable[[sys.UnraisableHookArgs], object], lost: sys.UnraisableHookArgs) -> None:
    """A Ctrl-C that came where Python drops what is raised, as where objects are freed, comes again."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        usual(lost)
        return
    again = Timer(AGAIN, signal.pthread_kill, (main_thread().ident, signal.SIGINT))
    again.daemon = True
    again.start()


def _nowhere() -> TextIO:
    return open(os.devnull, "r+", encoding="utf-8")


@click.group(cls=Commands, invoke_without_command=True)
@click.version_option(smallchange.__version__)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Five coin games played, measured and solved by one engine."""
    if ctx.invoked_subcommand is None:
        click.echo(GUIDE)
