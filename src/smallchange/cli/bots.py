"""The command that lists the bots and how strong each is."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

import smallchange
from smallchange.bots import levels
from smallchange.bots.levels import Level
from smallchange.core.game import Game
from smallchange.i18n.text import Text, join_texts

from .options import check_game, complete_games, json_flag, lang, print_json, say

NONE = Text("No levels have been measured for this game; its bots are random and greedy.")
BASE = Text("Measured on the base game, with 95% intervals")
AGAINST = Text("To play against one: smallchange play {game} --bot {bot}")
ASK = Text("While you play, type hint to ask what the best bot would do.")
SCORE = Text("mean score {score}")


@click.command()
@click.argument("game", required=False, callback=check_game, shell_complete=complete_games)
@json_flag
@lang
def bots(game: str | None, as_json: bool, lang: str) -> None:
    """List the bots of GAME, or of every game: how each plays, how strong it is, and its time for a move."""
    chosen_games = [Game(id) for id in ([game] if game else smallchange.games())]
    if as_json:
        rows = [_plain(game, lang) for game in chosen_games]
        print_json(rows[0] if game else rows)
        return
    for i, one in enumerate(chosen_games):
        click.echo("\n" * bool(i) + f"{one.id}: {one.words.TITLE[lang]}")
        _table(one, lang)


def _plain(game: Game, lang: str) -> dict[str, Any]:
    """Return a game's bots as plain data."""
    rows = [
        asdict(level)
        | {
            "plan": dict(level.plan),
            "title": levels.title(level.name)[lang],
            "about": levels.description(level)[lang],
            "strength": levels.strength(level, game.version)[lang],
            "lacks": level.install_advice[lang] if level.install_advice else "",
        }
        for level in levels.load_bots(game).values()
    ]
    return {"game": game.id, "rules": game.version, "bots": rows}


def _table(game: Game, lang: str) -> None:
    found = levels.load_bots(game)
    for level in found.values():
        _row(level, game.version, lang)
    notes = [NONE] if tuple(found) == levels.BASIC_BOTS else []
    if any(level.measured for level in found.values()):
        notes.append(BASE)
    if len(game.seats) > 1:
        notes.append(AGAINST.fill(game=game.id, bot=list(found)[-1]))
    say("\n".join(f"  {note[lang]}" for note in (*notes, ASK)), 2)


def _row(level: Level, version: int, lang: str) -> None:
    cells = [levels.strength(level, version)]
    if level.measured and level.measured.score is not None:
        cells.append(SCORE.fill(score=f"{level.measured.score:g}"))
    if paced := levels.move_time(level):
        cells.append(paced)
    lacks = f" ({level.install_advice[lang]})" if level.install_advice else ""
    strength = f"  {level.name:8} {join_texts(cells)[lang]}"
    say(f"{strength}\n  {'':8} {levels.description(level)[lang]}{lacks}", 11)
