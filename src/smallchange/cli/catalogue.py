"""The commands that list the games and print their rules."""

from __future__ import annotations

from typing import Any

import click

import smallchange
from smallchange.cli.prompt import WIDTH, rulebook
from smallchange.core.game import Game, incomplete_games
from smallchange.i18n.text import Plural

from .options import check_game, complete_games, fit_to_terminal, json_flag, lang, print_json, say

ABOUT = Plural("{n} player, {minutes} min", "{n} players, {minutes} min")


@click.command()
@json_flag
@lang
def games(as_json: bool, lang: str) -> None:
    """List the games, one a line."""
    if as_json:
        print_json([_plain(Game(id), lang) for id in smallchange.games()])
        return
    for id in smallchange.games():
        game = Game(id)
        words = game.words
        lines = [f"{id:16} {words.TITLE[lang]} · {words.TAGLINE[lang]}"]
        about = ABOUT.fill(n=len(game.seats), minutes=words.MINUTES)
        lines.append(f"{'':16} {about[lang]} · {words.DESIGNER[lang]}")
        say("\n".join(lines), 17)
    for id, why in incomplete_games().items():
        click.echo(f"{id} is left out: {why}", err=True)


def _plain(game: Game, lang: str) -> dict[str, Any]:
    """Return a game as plain data."""
    words = game.words
    return {
        "id": game.id,
        "title": words.TITLE[lang],
        "tagline": words.TAGLINE[lang],
        "designer": words.DESIGNER[lang],
        "players": list(game.seats),
        "minutes": words.MINUTES,
        "rules": game.version,
        "options": [
            {"name": o.name, "default": o.default, "text": words.OPTIONS[o.name][lang]} for o in game.offered
        ],
    }


@click.command()
@click.argument("game", callback=check_game, shell_complete=complete_games)
@lang
def rules(game: str, lang: str) -> None:
    """Print the rulebook of GAME: the rules, every ruling, a worked example, and how to play well."""
    click.echo_via_pager(fit_to_terminal(rulebook(Game(game), lang), most=WIDTH))
