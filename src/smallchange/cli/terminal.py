"""Play in the terminal, with keyboard and mouse."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from smallchange.core.game import Game
from smallchange.core.match import Match

from .options import PerGame, environment_language, lang, per_game, require_extra
from .play import SEAT_HELP, BotName, Deal, check_opponent, chosen_deal, difficulty_option, seat_bots
from .records import match_of
from .saved_game import SavedGame, new_game_file


class GameOrLink(PerGame):
    """A command with one form for each game, one for the link of a server's table, and a list to choose from."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing and sys.stdin.isatty() and sys.stdout.isatty():
            args = [_choose(ctx)]
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        file = Path(name)
        if file.is_file():
            known = [param for param in self.own if param.name in ("lang", "bot")]
            return click.Command("file", params=known, callback=partial(_go_on, file), help=self.help)
        if "://" not in name:
            return super().get_command(ctx, name)
        known = [param for param in self.own if param.name in ("lang", "name")]
        return click.Command(
            "link", params=known, callback=lambda **given: _join(name, **given), help=self.help
        )


def _require_terminal() -> None:
    """Raise UsageError where there is no terminal to draw on, or none to read keys from."""
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise click.UsageError(
            "smallchange tui needs a terminal for its input and its output; `smallchange play` works without one"
        )


def _choose(ctx: click.Context) -> str:
    """Return the game that the person chooses from a list; leave if that is none."""
    with require_extra("tui"):
        from .tui.chooser import Chooser
    chosen = Chooser(environment_language()).run()
    if chosen is None:
        ctx.exit()
    return chosen


def _join(link: str, name: str, lang: str) -> None:
    from smallchange.client import ServerError, TableLink

    with require_extra("tui"):
        from .tui.app import run
        from .tui.table import ServerTable
    try:
        table = ServerTable(TableLink.parse(link), name)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from wrong
    except ServerError as wrong:
        raise click.ClickException(str(wrong)) from wrong
    _require_terminal()
    run(table, lang, click.echo)


def _go_on(file: Path, lang: str, bot: str | None) -> None:
    """Go on with a saved game."""
    match = match_of(file)
    if match.deal is None and match.game.sources and not match.over:
        raise click.ClickException(f"{file} has no deal: its luck cannot go on")
    _sit(match, file, lang, bot)


def _sit(match: Match, file: Path, lang: str, bot: str | None) -> None:
    _require_terminal()
    with require_extra("tui"):
        from .tui.app import run
        from .tui.table import LocalTable
    players = seat_bots(match, [bot] if bot else [])
    people = frozenset(match.seats) - frozenset(players)
    run(LocalTable(match, players, SavedGame(file, match, people)), lang, click.echo)


@partial(per_game, kind=GameOrLink)
@click.option("--bot", type=BotName(), help="Play against this bot, or MODULE:FUNCTION (games for two).")
@click.option("--seat", help=SEAT_HELP)
@click.option("--deal", type=Deal(), help="Play this deal again: the same throws.")
@difficulty_option
@click.option("--name", default="", help="Your name at a server's table.")
@lang
def tui(
    game: Game,
    bot: str | None,
    seat: str | None,
    deal: bytes | None,
    difficulty: str | None,
    lang: str,
    **_: Any,
) -> None:
    """Play in the terminal with keyboard and mouse: GAME, a saved game by its FILE, or a server's table by its link.

    Without a game there is a list to choose from.

    Choose moves from the list or by their numbers, or touch the pieces. h hint, u undo, r rules, p points, v review, q
    quit. Every step is saved at once.
    A program or a screen reader is better served by `smallchange play`.
    """
    others = check_opponent(game, bot, seat, lang)
    match = Match(game, chosen_deal(game, deal, difficulty), others)
    _sit(match, new_game_file(match), lang, bot)
