"""What there is to play, and how."""

from __future__ import annotations

import click

import smallchange
from smallchange.game import Game
from smallchange.prompt import rulebook

from .options import lang


@click.command()
@lang
def games(lang: str) -> None:
    """The games, in a line each."""
    for id in smallchange.games():
        game = Game(id)
        words = game.words
        players = {"en": "player", "ja": "人"}[lang]
        plural = "s" if lang == "en" and len(game.seats) > 1 else ""
        minutes = {"en": "min", "ja": "分"}[lang]
        click.echo(f"{id:16} {words.TITLE[lang]}: {words.TAGLINE[lang]}")
        click.echo(f"{'':16} {len(game.seats)} {players}{plural}, {words.MINUTES} {minutes}")


@click.command()
@click.argument("game")
@lang
def rules(game: str, lang: str) -> None:
    """How GAME is played: the rulebook with every ruling, and a worked example."""
    click.echo_via_pager(rulebook(Game(game), lang))
