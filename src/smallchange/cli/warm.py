"""The command that compiles beforehand."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from time import perf_counter

import click

import smallchange
from smallchange import bots
from smallchange.bots import levels
from smallchange.core.game import Game
from smallchange.core.match import first_choice

from .options import check_game, complete_games, require_extra

SEARCH_S = 1.0  # for one search of a bot with the least budget; exact odds are looked for too


@click.command()
@click.argument("game", required=False, callback=check_game, shell_complete=complete_games)
def warm(game: str | None) -> None:
    """Compile the code of simulate and of the bots of GAME, or of every game, for this machine.

    The code is kept in the cache folder: then nothing has to be compiled while somebody waits.
    """
    with require_extra("fast"):
        from smallchange import engine
    for each in (Game(id) for id in ([game] if game else smallchange.games())):
        start = perf_counter()
        engine.compile_game(each).play_games([engine.GREEDY] * len(each.seats), 0, 0, 1)
        _report(each, "simulate", start)
        for level in _levels(each):
            start = perf_counter()
            with require_extra("fast"):
                level.choose(first_choice(each), SEARCH_S, Random(0), bots.COMPILE_TIMEOUT_S)
            _report(each, level.module.ABOUT.en, start)


def _levels(game: Game) -> list[levels.Level]:
    """Return a bot with the least budget for each engine that the bots of a game search by."""
    searching = [level for level in levels.load_bots(game).values() if not level.instant]
    searching.sort(
        key=lambda level: level.exact_ends is not None
    )  # one that looks for exact odds comes last, and stays
    by_engine = {level.engine: level for level in searching}
    return [replace(level.with_budget(1), blunders=0) for level in by_engine.values()]


def _report(game: Game, part: str, start: float) -> None:
    click.echo(f"{game.id}: {part} is ready after {perf_counter() - start:.1f} s")
