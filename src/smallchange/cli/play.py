"""Play at the prompt."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import click

from smallchange import bots
from smallchange.bots import external_players, levels
from smallchange.bots.deals import DIFFICULTIES, find_deal
from smallchange.cli.prompt import MOVE, PIECE, WHY, Bot, Prompt
from smallchange.core.commitment import DEAL_BYTES, new_deal
from smallchange.core.errors import BadRecord, RulesError
from smallchange.core.game import Game, Position
from smallchange.core.match import Match
from smallchange.i18n.text import Text

from .options import FILE, Choice, lang, per_game, say
from .records import match_of
from .saved_game import new_game_file, saved_games_folder

OPPONENT = Text("{who}: {title}, {strength}.")
TOSSED = Text("The toss: you are {who}.")
RANDOM_SEAT = "random"
SEAT_HELP = "Your seat against the bot, or random: it is tossed for [default: the one that moves first]."
OWN_OPPONENT = Text("{who}: {name}.")
NOT_READY = Text("The hint is not ready yet. Ask again.")
HINT_COMPILE_TIMEOUT_S = 60.0
_last_hint: dict[str, bots.Hint] = {}  # by the key of its position


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


class BotName(Choice):
    """A bot by its name, or one of your own as MODULE:FUNCTION."""

    def __init__(self) -> None:
        super().__init__(bots.names())

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value) if external_players.MARK in str(value) else super().convert(value, param, ctx)


difficulty_option = click.option(
    "--difficulty",
    type=Choice(DIFFICULTIES),
    help="Find a deal that the best bot finds easy, medium or hard (games for one, as in the rulebook).",
)


@per_game
@click.option("--bot", type=BotName(), help="Play against this bot, or MODULE:FUNCTION (games for two).")
@click.option("--seat", help=SEAT_HELP)
@click.option(
    "--deal",
    type=Deal(),
    help="Play this deal again: the same throws, and the same moves of simple bots.",
)
@difficulty_option
@lang
def play(
    game: Game, bot: str | None, seat: str | None, deal: bytes | None, difficulty: str | None, lang: str
) -> None:
    """Play at the prompt, line by line: alone, two at one keyboard, or against a bot."""
    others = check_opponent(game, bot, seat, lang)
    match = Match(game, chosen_deal(game, deal, difficulty), others)
    _sit(match, new_game_file(match), lang, bot)


def chosen_deal(game: Game, deal: bytes | None, difficulty: str | None) -> bytes:
    """Return the deal that was named, one of the difficulty that was, or a new one."""
    if difficulty is None:
        return deal or new_deal()
    if deal is not None:
        raise click.UsageError("--deal names the luck and --difficulty looks for it: give one of them")
    try:
        return find_deal(game, difficulty)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from None
    except ModuleNotFoundError as missing:
        raise click.ClickException(str(missing)) from None


def check_opponent(game: Game, bot: str | None, seat: str | None, lang: str) -> dict[str, str]:
    """Return the name of the bot by the players that it plays; refuse one that this game does not have.

    A seat that is left to chance is tossed for, and printed.
    """
    seat = seat and seat.lower()
    if seat is not None and seat not in (*game.seats, RANDOM_SEAT):
        raise click.UsageError(
            f"unknown seat {seat!r}; the seats are: {', '.join(game.seats)}, or {RANDOM_SEAT}"
        )
    if seat is not None and bot is None:
        raise click.UsageError("--seat is yours against a bot: name one with --bot")
    if bot and len(game.seats) == 1:
        raise click.UsageError(f"{game.id} is for one player; a bot needs a game for two")
    if bot and external_players.MARK in bot:
        external_players.function(bot)  # or there is none
    elif bot and bot not in bots.names(game):
        raise click.UsageError(f"{game.id} has no {bot}; its bots are: {', '.join(bots.names(game))}")
    elif bot and (lacks := bots.level(bot, game).install_advice):
        raise click.ClickException(lacks[lang])
    if seat == RANDOM_SEAT:
        seat = secrets.choice(game.seats)
        click.echo(TOSSED.fill(who=game.words.PLAYERS[seat])[lang])
    return {player: bot for player in game.seats if player != (seat or game.seats[0])} if bot else {}


def seat_bots(match: Match, own: Collection[str] = (), wait: float = 0.0) -> dict[str, Bot]:
    """Return the bots of a match by their players: a seat named after a bot is played by it.

    A function of your own plays a seat only where it is named on the command line (`own`), as a record may come
    from anybody. A seat that another one played is refused.
    """
    players: dict[str, Bot] = {}
    for player, name in match.seats.items():
        if bots.has_bot(name, match.game):
            players[player] = bots.bot(name, wait=wait, deal=match.deal)
        elif external_players.MARK in name and name in own:
            players[player] = _own_bot(name, match.deal)
        elif external_players.is_name(name):
            raise click.UsageError(f"{player} was played by {name}: to go on, name it with --bot {name}")
    return players


def _own_bot(name: str, deal: bytes | None) -> Bot:
    """Return the function MODULE:FUNCTION as a bot."""
    function = external_players.function(name)
    return lambda position: function(position.copy(), bots.deal_luck(deal, name, position))


def _opponents(game: Game) -> str:
    """Return the list of bots for the end of the help."""
    if len(game.seats) == 1:
        return ""
    try:
        found = levels.load_bots(game).values()
    except RulesError as wrong:
        return str(wrong)
    rows = (f"  {one.name:8} {levels.strength(one, game.version).en}" for one in found)
    return "\n".join(["\b\nBots (smallchange bots GAME says more):", *rows])


play.after = _opponents


@click.command()
@click.argument("file", required=False, type=FILE)
@click.option("--bot", help="Your own MODULE:FUNCTION that played in this game.")
@lang
def resume(file: Path | None, bot: str | None, lang: str) -> None:
    """Go on with a saved game, with the same luck: FILE, or the newest unfinished one."""
    if file is None:
        match, file = _newest_unfinished_match()
    else:
        if str(file) == "-":
            raise click.UsageError("a game goes on in a file, where it is kept; not in -")
        match = match_of(file)
    if match.deal is None and match.game.sources and not match.over:
        raise click.ClickException(f"{file} has no deal: its luck cannot go on")
    _sit(match, file, lang, bot)


def _newest_unfinished_match() -> tuple[Match, Path]:
    """Return the newest saved game that is not over, and its file. Report entries that cannot be read."""
    for file in _newest_first(saved_games_folder().glob("*.txt")):
        try:
            match = match_of(file)
        except (BadRecord, click.ClickException) as wrong:
            click.echo(f"left out: {wrong}", err=True)
        else:
            if not match.over:
                return match, file
    raise click.ClickException("no unfinished game is kept; begin one with: smallchange play GAME")


def _newest_first(entries: Iterable[Path]) -> list[Path]:
    """Return the regular files among the entries of a folder, the newest first. Report the other entries."""
    changed_s: dict[Path, float] = {}
    for entry in sorted(entries):
        try:
            status = entry.stat()
        except OSError as wrong:  # a link that leads nowhere, or to itself
            click.echo(f"left out: cannot read {entry}: {wrong.strerror or wrong}", err=True)
            continue
        if stat.S_ISREG(status.st_mode):
            changed_s[entry] = status.st_mtime
        else:
            click.echo(f"left out: {entry} is not a regular file", err=True)
    return sorted(changed_s, key=lambda file: changed_s[file], reverse=True)


def _sit(match: Match, file: Path, lang: str, bot: str | None = None) -> None:
    """Sit down at the table; seats named after a bot, or after your own `bot`, are played by it."""
    with contextlib.suppress(ImportError):  # not on Windows
        import readline  # noqa: F401  what `input` edits a line with
    players = seat_bots(match, [bot] if bot else [])
    for player in players:
        say(_against(match.game, player, match.seats[player])[lang])
    try:
        for player in players:
            if bots.has_bot(match.seats[player], match.game):
                bots.level(match.seats[player], match.game).warm_up(match.position)
        Prompt(match, players, lang, file, advise, _shows_colours()).run()
    except ModuleNotFoundError as lacking:
        raise click.ClickException(str(lacking)) from lacking


def _shows_colours() -> bool:
    """Return whether the terminal shows colours and the user wants them (no-color.org)."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def _against(game: Game, player: str, name: str) -> Text:
    """Return the line that introduces the opponent."""
    if not bots.has_bot(name, game):
        return OWN_OPPONENT.fill(who=game.words.PLAYERS[player], name=name)
    bot = bots.level(name, game)
    strength = levels.strength(bot, game.version)
    return OPPONENT.fill(who=game.words.PLAYERS[player], title=levels.title(name), strength=strength)


def advise(position: Position, step: str = MOVE) -> Text:
    """Return a step of a hint in words: the piece, the move, or why; of the same hint while the position stays."""
    if lacks := bots.install_advice():
        return lacks
    found = _last_hint.get(position.key()) or bots.hint(position, wait=HINT_COMPILE_TIMEOUT_S)
    if found is None:
        return NOT_READY
    _last_hint.clear()
    _last_hint[position.key()] = found
    return {PIECE: found.nudge, MOVE: found.describe, WHY: found.why}[step](position)
