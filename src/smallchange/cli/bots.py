"""Who there is to play against, and how strong each is."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click

import smallchange
from smallchange.game import Game
from smallchange.mind import levels
from smallchange.mind.levels import Level
from smallchange.text import Text, listed

from .options import known_game, lang

NONE = Text(
    "No levels are measured for this game: it has random and greedy.",
    "このゲームには測定されたレベルがありません(randomとgreedyだけです)。",
)
BASE = Text(
    "Measured on the base game, with 95 % intervals; again: python bench/levels.py {game}",
    "基本ゲームで測定。範囲は95%信頼区間。再測定: python bench/levels.py {game}",
)
AGAINST = Text(
    "To play against one: smallchange play {game} --bot {bot}", "対戦: smallchange play {game} --bot {bot}"
)
ASK = Text(
    "While you play, the word hint asks what the best would do.",
    "ゲーム中に hint と打つと、いちばん強いボットの手を聞けます。",
)
SCORE = Text("mean score {score}", "平均得点{score}")


@click.command()
@click.argument("game", required=False, callback=known_game)
@click.option("--json", "form", flag_value="json", help="Print JSON.")
@lang
def bots(game: str | None, form: str | None, lang: str) -> None:
    """The bots of GAME, or of every game: what each is, how strong, and how long it thinks about a move."""
    asked = [Game(id) for id in ([game] if game else smallchange.games())]
    if form == "json":
        said = [_plain(game, lang) for game in asked]
        click.echo(json.dumps(said[0] if game else said, ensure_ascii=False))
        return
    for i, one in enumerate(asked):
        click.echo("\n" * bool(i) + f"{one.id}: {one.words.TITLE[lang]}")
        _table(one, lang)


def _plain(game: Game, lang: str) -> dict[str, Any]:
    """A game's bots as plain data."""
    rows = [
        asdict(level)
        | {
            "plan": dict(level.plan),
            "title": levels.title(level.name)[lang],
            "about": levels.about(level)[lang],
            "strength": levels.strength(level, game.version)[lang],
            "lacks": level.lacks[lang] if level.lacks else "",
        }
        for level in levels.bots(game).values()
    ]
    return {"game": game.id, "rules": game.version, "bots": rows}


def _table(game: Game, lang: str) -> None:
    found = levels.bots(game)
    for level in found.values():
        _row(level, game.version, lang)
    if tuple(found) == levels.SIMPLE:
        click.echo(f"  {NONE[lang]}")
    if any(level.measured for level in found.values()):
        click.echo(f"  {BASE.fill(game=game.id)[lang]}")
    if len(game.seats) > 1:
        click.echo(f"  {AGAINST.fill(game=game.id, bot=list(found)[-1])[lang]}")
    click.echo(f"  {ASK[lang]}")


def _row(level: Level, version: int, lang: str) -> None:
    said = [levels.strength(level, version)]
    if level.measured and level.measured.score is not None:
        said.append(SCORE.fill(score=f"{level.measured.score:g}"))
    if paced := levels.pace(level):
        said.append(paced)
    lacks = f" ({level.lacks[lang]})" if level.lacks else ""
    click.echo(f"  {level.name:8} {listed(said)[lang]}")
    click.echo(f"  {'':8} {levels.about(level)[lang]}{lacks}")
