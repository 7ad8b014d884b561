"""Solve puzzles at the prompt: a position, its moves with numbers, and why the best one is best."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import click

from smallchange.bots import puzzle_text as words
from smallchange.core.game import games
from smallchange.core.puzzle import Puzzle, puzzles
from smallchange.core.training import Standing, choose, standing_after
from smallchange.i18n.text import Text
from smallchange.render.text_screen import screen

from .options import check_game, lang, seed_option
from .prompt import NUMBER, QUIT, usual

HELP = Text("Type a move or its number; quit ends.")
NO_PUZZLES = Text("This game has no puzzles.")
SCORE = Text("{solved} of {tried} solved; your rating here is {points}.")


@click.command()
@click.argument("game", callback=check_game, type=click.Choice(games()), metavar="GAME")
@seed_option(None)
@lang
def trainer(game: str, seed: int, lang: str) -> None:
    """Solve puzzles of GAME here: one position after another, near your level, with the reasons.

    The same seed gives the same puzzles to the same answers. The page keeps your rating and brings missed ones back.
    """
    known, standing, tried, luck = puzzles(game), Standing(), set[str](), Random(seed)
    if not known:
        raise click.ClickException(NO_PUZZLES[lang])
    with suppress(EOFError, KeyboardInterrupt, click.Abort):
        while puzzle := choose(known, standing.rating.points, tried, luck):
            answer = _ask(puzzle, lang)
            if answer is None:
                break
            tried.add(puzzle.id)
            standing = standing_after(standing, puzzle, answer == puzzle.best, standing.at)
            _explain(puzzle, answer, lang)
    points = round(standing.rating.points)
    click.echo(SCORE.fill(solved=standing.solved, tried=standing.tried, points=points)[lang])


def _ask(puzzle: Puzzle, lang: str) -> str | None:
    """Show a puzzle, and return the move that was typed; None to end."""
    position, game, legal = puzzle.position, puzzle.game, puzzle.position.legal()
    click.echo("\n" + screen(game.layout.scene(game.board, position.s), lang))
    asks = game.words.asks(game.board, position.s)
    click.echo((words.FIND_BEST + asks + words.DIFFICULTY.fill(n=puzzle.rating))[lang])
    for number, token in enumerate(legal, 1):
        click.echo(f"{number:3} {token:12} {position.describe(token)[lang]}")
    while True:
        said = usual(click.prompt("", prompt_suffix="> ", default="", show_default=False).strip())
        if said.lower() in QUIT:
            return None
        if said in legal:
            return said
        if said.isdecimal() and 1 <= int(said) <= len(legal):
            return legal[int(said) - 1]
        click.echo((NUMBER.fill(n=len(legal), said=said) if said.isdecimal() else HELP)[lang])


def _explain(puzzle: Puzzle, answer: str, lang: str) -> None:
    """Say whether the answer was best, and why the best move is."""
    right = answer == puzzle.best
    click.echo((words.RIGHT if right else words.MISSED)[lang])
    if not right:
        click.echo(f"{words.BEST_MOVE[lang]} {puzzle.best} ({puzzle.position.describe(puzzle.best)[lang]})")
    for phrase in (
        words.why_text(puzzle, answer),
        words.puzzle_odds_text(puzzle),
        words.certainty_text(puzzle),
    ):
        click.echo(phrase[lang])
