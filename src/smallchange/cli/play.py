"""Play at the prompt."""

from __future__ import annotations

import contextlib
import os
import sys
from itertools import chain, count
from pathlib import Path

import click

from smallchange import mind
from smallchange.dice import DEAL_BYTES, new_deal
from smallchange.errors import BadRecord
from smallchange.game import Game, Position
from smallchange.home import data_folder
from smallchange.match import Match
from smallchange.mind import levels
from smallchange.prompt import Bot, Prompt
from smallchange.text import Text

from .options import FILE, lang, per_game
from .records import match_of

OPPONENT = Text("{who}: {title}, {strength}.", "{who}: {title}、{strength}。")
NOT_READY = Text("The hint is not ready yet. Ask again.", "ヒントはまだ準備中です。もう一度どうぞ。")
PATIENCE = 60.0  # seconds until code is compiled, the first time


def kept_games() -> Path:
    """The folder where games at the prompt are kept."""
    return data_folder() / "games"


class Deal(click.ParamType[bytes]):
    """A deal in hexadecimal."""

    name = "HEX"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        if isinstance(value, bytes):
            return value
        try:
            deal = bytes.fromhex(str(value))
        except ValueError:
            deal = b""
        if len(deal) != DEAL_BYTES:
            self.fail(f"a deal is {2 * DEAL_BYTES} hexadecimal digits, not {value!r}", param, ctx)
        return deal


@per_game
@click.option("--bot", type=click.Choice(mind.names()), help="Play against this bot (games for two).")
@click.option("--seat", help="Your seat against the bot [default: the one that moves first].")
@click.option("--deal", type=Deal(), help="The luck, to play a deal again.")
@lang
def play(game: Game, bot: str | None, seat: str | None, deal: bytes | None, lang: str) -> None:
    """Play at the prompt, line by line: alone, two at one keyboard, or against a bot."""
    if seat is not None and seat not in game.seats:
        raise click.UsageError(f"unknown seat {seat!r}; the seats are: {', '.join(game.seats)}")
    if seat is not None and bot is None:
        raise click.UsageError("--seat is yours against a bot: name one with --bot")
    if bot and len(game.seats) == 1:
        raise click.UsageError(f"{game.id} is for one player; a bot needs a game for two")
    if bot and bot not in mind.names(game):
        raise click.UsageError(f"{game.id} has no {bot}; its bots are: {', '.join(mind.names(game))}")
    if bot and (lacks := mind.level(bot, game).lacks):
        raise click.ClickException(lacks[lang])
    others = [player for player in game.seats if player != (seat or game.seats[0])] if bot else []
    match = Match(game, deal or new_deal(), {player: bot for player in others if bot})
    assert match.deal is not None
    _sit(match, _new_file(f"{game.id}-{match.deal.hex()[:12]}"), lang)


def _new_file(name: str) -> Path:
    """Where a game is kept: a file of this name, or numbered where the same deal was played before."""
    numbered = (kept_games() / f"{name}{more}.txt" for more in chain([""], (f"-{i}" for i in count(2))))
    return next(file for file in numbered if not file.exists())


def _opponents(game: Game) -> str:
    """The bots to play against, for the end of the help."""
    if len(game.seats) == 1:
        return ""
    rows = [f"  {one.name:8} {levels.strength(one, game.version).en}" for one in levels.bots(game).values()]
    return "\b\n" + "\n".join(["Bots (smallchange bots GAME says more):", *rows])


play.after = _opponents


@click.command()
@click.argument("file", required=False, type=FILE)
@lang
def resume(file: Path | None, lang: str) -> None:
    """Go on with a saved game, with the same luck: FILE, or the last unfinished one."""
    if file is None:
        match, file = _unfinished()
    else:
        if str(file) == "-":
            raise click.UsageError("a game goes on in a file, where it is kept; not in -")
        match = match_of(file)
    if match.deal is None and match.game.sources and not match.over:
        raise click.ClickException(f"{file} has no deal: its luck cannot go on")
    _sit(match, file, lang)


def _unfinished() -> tuple[Match, Path]:
    """The last kept game that is not over, and its file; what cannot be read on the way to it is told."""
    for file in sorted(kept_games().glob("*.txt"), key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            match = match_of(file)
        except (BadRecord, click.ClickException) as wrong:
            click.echo(f"left out: {wrong}", err=True)
        else:
            if not match.over:
                return match, file
    raise click.ClickException("no unfinished game is kept; begin one with: smallchange play GAME")


def _sit(match: Match, file: Path, lang: str) -> None:
    """Sit down at the table; seats named after a bot are played by it."""
    with contextlib.suppress(ImportError):  # not on Windows
        import readline  # noqa: F401  what `input` edits a line with
    bots: dict[str, Bot] = {
        player: mind.bot(name, wait=0.0)
        for player, name in match.seats.items()
        if mind.known(name, match.game)
    }
    for player in bots:
        click.echo(_against(match.game, player, match.seats[player])[lang])
    try:
        for player in bots:
            mind.level(match.seats[player], match.game).prepare(match.position)
        Prompt(match, bots, lang, click.echo, input, file, advise, _coloured()).run()
    except ModuleNotFoundError as lacking:
        raise click.ClickException(str(lacking)) from lacking


def _coloured() -> bool:
    """Is there a terminal that shows colours, and a person who wants them (no-color.org)?"""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def _against(game: Game, player: str, name: str) -> Text:
    """Who sits on the other side."""
    bot = mind.level(name, game)
    strength = levels.strength(bot, game.version)
    return OPPONENT.fill(who=game.words.PLAYERS[player], title=levels.title(name), strength=strength)


def advise(position: Position) -> Text:
    """A hint in words."""
    if lacks := mind.lacking():
        return lacks
    found = mind.hint(position, wait=PATIENCE)
    return found.says(position) if found else NOT_READY
