"""What there is to play, and how."""

from __future__ import annotations

import click

import smallchange
from smallchange.game import Game
from smallchange.prompt import rulebook
from smallchange.text import Text

from .options import known_game, lang

ABOUT = (  # for one, for more
    Text("{n} player, {minutes} min", "{n}人、{minutes}分"),
    Text("{n} players, {minutes} min", "{n}人、{minutes}分"),
)


@click.command()
@lang
def games(lang: str) -> None:
    """The games, in a line each."""
    for id in smallchange.games():
        game = Game(id)
        words = game.words
        click.echo(f"{id:16} {words.TITLE[lang]} · {words.TAGLINE[lang]}")
        about = ABOUT[min(len(game.seats), 2) - 1].fill(n=len(game.seats), minutes=words.MINUTES)
        click.echo(f"{'':16} {about[lang]}")


@click.command()
@click.argument("game", callback=known_game)
@lang
def rules(game: str, lang: str) -> None:
    """How GAME is played: the rulebook with every ruling, and a worked example."""
    click.echo_via_pager(rulebook(Game(game), lang))
