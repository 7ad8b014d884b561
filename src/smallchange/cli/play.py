"""Play at the prompt."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from smallchange import mind, record
from smallchange.dice import DEAL_BYTES, new_deal
from smallchange.game import Game
from smallchange.home import data_folder
from smallchange.match import Match
from smallchange.prompt import Bot, Prompt

from .options import lang, per_game


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
    if bot and len(game.seats) == 1:
        raise click.UsageError(f"{game.id} is for one player; a bot needs a game for two")
    others = [player for player in game.seats if player != (seat or game.seats[0])] if bot else []
    match = Match(game, deal or new_deal(), {player: bot for player in others if bot})
    assert match.deal is not None
    _sit(match, kept_games() / f"{game.id}-{match.deal.hex()[:12]}.txt", lang)


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@lang
def resume(file: Path | None, lang: str) -> None:
    """Go on with a saved game, with the same luck: FILE, or the last unfinished one."""
    if file is None:
        kept = sorted(kept_games().glob("*.txt"), key=lambda path: path.stat().st_mtime)
        unfinished = [path for path in kept if not _loaded(path).over]
        if not unfinished:
            raise click.ClickException("no unfinished game is kept; begin one with: smallchange play GAME")
        file = unfinished[-1]
    _sit(_loaded(file), file, lang)


def _loaded(file: Path) -> Match:
    try:
        return record.read_any(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as wrong:
        raise click.ClickException(f"cannot read {file}: {wrong}") from wrong


def _sit(match: Match, file: Path, lang: str) -> None:
    """Sit down at the table; seats named after a bot are played by it."""
    bots: dict[str, Bot] = {
        player: mind.bot(name) for player, name in match.seats.items() if name in mind.names()
    }
    colour = sys.stdout.isatty()
    try:
        Prompt(match, bots, lang, click.echo, input, file, colour).run()
    except ModuleNotFoundError as lacking:
        raise click.ClickException(str(lacking)) from lacking
