"""Solve puzzles at the prompt: a position, its moves with numbers, and why the best one is best.

The rating in each game, and the puzzles that were tried, are in a file of the data folder.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from random import Random
from time import time

import click

from smallchange.bots import puzzle_text as words
from smallchange.core.atomic_files import replacing
from smallchange.core.data_folder import data_folder
from smallchange.core.glicko2 import Rating
from smallchange.core.json_text import read_json
from smallchange.core.puzzle import Puzzle, puzzles
from smallchange.core.training import Card, Shown, Standing, after_try, kept_card, next_id
from smallchange.i18n.text import Text

from .options import check_game, complete_games, lang, say, seed_option
from .prompt import (
    KEYS,
    NOT_SAVED,
    NUMBER,
    QUIT,
    UNKNOWN,
    WIDTH,
    rulebook,
    say_moves,
    sheets,
    table_text,
    usual,
)

FOLDER = "training"
MOST, MOST_MS = 100_000, 1 << 53  # of a rating or days, and of a time
HELP = Text(
    "Type a move, its number, or: board, points, rules, quit. Several moves in a line are those you would consider."
)
CONSIDERED = Text("To be considered: {moves}. Now type your move.")
NO_PUZZLES = Text("This game has no puzzles.")
SCORE = Text("{solved} of {tried} solved; your rating here is {points}.")

Training = tuple[Standing, dict[str, Card]]  # the rating, and the puzzles that were tried by their ids


@click.command()
@click.argument("game", callback=check_game, shell_complete=complete_games)
@seed_option(None)
@lang
def trainer(game: str, seed: int, lang: str) -> None:
    """Solve puzzles of GAME here: one position after another, near your level, with the reasons.

    Your rating is kept in the data folder, and missed ones come back after a day, as on the page. The same seed gives
    the same puzzles to the same answers, from the same rating on.
    """
    known, luck = {puzzle.id: puzzle for puzzle in puzzles(game)}, Random(seed)
    if not known:
        raise click.ClickException(NO_PUZZLES[lang])
    file, trained = data_folder() / FOLDER / f"{game}.json", (Standing(), dict[str, Card]())
    with suppress(EOFError, KeyboardInterrupt, click.Abort):
        while True:
            standing, cards = trained = _read(file, game) or trained
            id = next_id(game, [*cards.values()], standing.rating.points, luck, _now_ms())
            puzzle = known[id or ""]
            answer, marked = _ask(puzzle, lang)
            if answer is None:
                break
            standing, cards = _read(file, game) or trained  # another terminal may have gone on
            shown = Shown(puzzle, cards.get(puzzle.id), standing)
            cards[puzzle.id], standing = after_try(shown, answer, "", _now_ms())
            trained = standing, cards
            if why := _save(file, trained):
                click.echo(NOT_SAVED.fill(file=str(file), why=why)[lang])
            _explain(puzzle, answer, marked, lang)
    standing = trained[0]
    points = round(standing.rating.points)
    say(SCORE.fill(solved=standing.solved, tried=standing.tried, points=points)[lang])


def _now_ms() -> int:
    return int(1000 * time())


def _read(file: Path, game: str) -> Training | None:
    """Read a training from its file; None without a file. ClickException for a file with other contents."""
    try:
        kept = read_json(file.read_bytes())
        rating = Rating(*map(float, kept["rating"]))
        standing = Standing(rating, *(int(kept[name]) for name in ("at", "tried", "solved")))
        cards = {id: kept_card("", game, id, "", *row) for id, row in kept["cards"].items()}
        fine = [abs(value) < MOST for value in rating]  # NaN is not
        for card in cards.values():
            fine += 0 < card.stability < MOST, 1 <= card.difficulty <= 10, 0 <= card.tries < MOST
            fine.append(0 <= (card.due or 0) < MOST_MS)
        if not all(fine):
            raise ValueError("a number out of range")
        return standing, cards
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, OverflowError, TypeError, AttributeError) as wrong:
        raise click.ClickException(
            f"{file} holds no training ({wrong}): move it away to begin anew"
        ) from wrong


def _save(file: Path, trained: Training) -> str:
    """Write a training to its file, whole or not at all; return the reason of a failure, or ""."""
    standing, cards = trained
    rows = {id: card[4:] for id, card in cards.items()}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as out:
            out.write(json.dumps(standing._asdict() | {"cards": rows}).encode())
    except OSError as wrong:
        return wrong.strerror or str(wrong)
    return ""


def _ask(puzzle: Puzzle, lang: str) -> tuple[str | None, list[str]]:
    """Show a puzzle, and return the move that was typed, None to end, and those that were to be considered before."""
    position, legal, marked = puzzle.position, puzzle.position.legal(), list[str]()
    known = {str(number): move for number, move in enumerate(legal, 1)} | {move: move for move in legal}
    _show(puzzle, lang)
    while True:
        said = usual(click.prompt("", prompt_suffix="> ", default="", show_default=False).strip())
        word, moves = KEYS.get(said.lower(), said.lower()), said.split()
        if said in known:
            return known[said], marked
        if word in QUIT:
            return None, marked
        if word in ("", "board"):
            _show(puzzle, lang)
        elif word == "points":
            say(sheets(position, lang))
        elif word == "rules":
            say(rulebook(puzzle.game, lang), most=WIDTH)
        elif known.keys() >= {*moves}:
            marked = [known[move] for move in moves]
            say(CONSIDERED.fill(moves=", ".join(marked))[lang])
        else:
            wrong = next(move for move in moves if move not in known)
            found = UNKNOWN.fill(said=wrong, help=HELP) if len(moves) > 1 else HELP
            say((NUMBER.fill(n=len(legal), said=wrong) if wrong.isdecimal() else found)[lang])


def _show(puzzle: Puzzle, lang: str) -> None:
    """Show the position, the question, and the moves in words."""
    position, game = puzzle.position, puzzle.game
    click.echo("\n" + table_text(position, lang))
    asks = game.words.asks(game.board, position.s)
    say((words.FIND_BEST + asks + words.DIFFICULTY.fill(n=puzzle.rating))[lang], most=WIDTH)
    say_moves(position, lang)


def _explain(puzzle: Puzzle, answer: str, marked: list[str], lang: str) -> None:
    """Say whether the answer was best, and why the best move is."""
    right = answer == puzzle.best
    click.echo((words.RIGHT if right else words.MISSED)[lang])
    if not right:
        say(
            f"{words.BEST_MOVE[lang]} {puzzle.best} ({puzzle.position.describe(puzzle.best)[lang]})",
            most=WIDTH,
        )
    for phrase in (
        words.why_text(puzzle, answer) + words.considered_text(puzzle, answer, marked),
        words.puzzle_odds_text(puzzle),
        words.certainty_text(puzzle),
    ):
        say(phrase[lang], most=WIDTH)
