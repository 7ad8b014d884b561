"""Analyse a match, line by line: the odds of each choice, the best line, other moves and other throws.

A line is a token, its number, or a word: ? (moves in words), odds, best, throw, back, next, go N, main, board, rules,
points, quit. h, u, r, p and q are best, back, rules, points and quit, as at a game.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import click

from smallchange import bots
from smallchange.bots.analysis import Analysis
from smallchange.bots.levels import percentage
from smallchange.bots.review_text import odds_text
from smallchange.core.errors import IllegalMove
from smallchange.i18n.text import Plural, Text
from smallchange.render.text_screen import wide

from .options import FILE_OR_DASH, WholeNumber, lang, say, seed_option
from .prompt import QUIT, TOGETHER, UNKNOWN, WIDTH, rulebook, say_moves, sheets, table_text, usual
from .records import match_of

HELP = Text(
    "Type a move or an outcome, its number, or: ? (moves in words), odds, best, throw, back, next, go N (before move "
    "N), main (back to the record), board, points, rules, quit."
)
KEYS = {"h": "best", "hint": "best", "u": "back", "undo": "back", "r": "rules", "p": "points"}
HERE = Text("Before move {n}.")
VARIATION = Plural(
    "A variation: the record was left after {n} step.", "A variation: the record was left after {n} steps."
)
CHANCE_NEXT = Text("Chance is next: choose what it answers, or type throw.")
THROWN = Text("Thrown: {token}")
NO_MOVES = Text("Nobody has a choice here.")
NOT_CHANCE = Text("It is a player’s turn here.")
NO_NEXT = Text("The line goes no further.")
NO_BACK = Text("This is the beginning.")
BEST_LINE = Text("Best: {tokens}")
MOVES_UP_TO = Text("The moves of this line are numbered 1 to {n}; there is no {said}.")


@click.command()
@click.argument("file", metavar="RECORD", type=FILE_OR_DASH)
@click.option("--at", type=WholeNumber(1), help="Begin before this move [default: at the end].")
@click.option(
    "--simulations",
    type=WholeNumber(1, 1_000_000_000),
    help="Simulations for each move, or positions of alpha-beta search [default: an eighth of the level's].",
)
@seed_option()
@lang
def analyse(file: Path, at: int | None, simulations: int | None, seed: int, lang: str) -> None:
    """Walk through RECORD at the prompt, from any move: the odds of each choice, the best line, other moves.

    Where chance is next, choose its outcome or have it thrown. The record itself stays as it is. Moves are
    numbered as in the log; steps of chance have no number.
    """
    match = match_of(file)
    if lacks := bots.install_advice():
        raise click.ClickException(lacks[lang])
    table = AnalysisPrompt(Analysis(match, luck=Random(seed)), simulations, lang)
    table.show() if at is None else table.go(str(at))
    say(HELP[lang], most=WIDTH)
    with suppress(EOFError, KeyboardInterrupt, click.Abort):
        while True:
            line = usual(click.prompt("", prompt_suffix="> ", default="", show_default=False).strip())
            if line.lower() in QUIT:
                break
            table.obey(line)


class AnalysisPrompt:
    """An analysis at the prompt."""

    def __init__(self, analysis: Analysis, simulations: int | None, lang: str) -> None:
        self._analysis = analysis
        self._simulations = simulations
        self._lang = lang

    def obey(self, line: str) -> None:
        """Execute one line."""
        word, _, rest = line.partition(" ")
        word = KEYS.get(word.lower(), word)
        steps = {"back": -1, "next": 1}
        if word in ("", "board"):
            self.show()
        elif word == "?":
            self.explain()
        elif word == "rules":
            say(rulebook(self._analysis.match.game, self._lang), most=WIDTH)
        elif word == "points":
            say(sheets(self._analysis.position, self._lang))
        elif word == "odds":
            self.show_odds()
        elif word == "best":
            line_found = self._analysis.best_line(simulations=self._simulations)
            self._tell(BEST_LINE.fill(tokens=" ".join(line_found)) if line_found else NO_MOVES)
        elif word == "throw":
            self.throw()
        elif word in steps:
            self.step(steps[word])
        elif word == "go":
            self.go(rest)
        elif word == "main":
            self._analysis.main_line()
            self.show()
        else:
            self.play(line)

    def show(self) -> None:
        """Print the table, its place in the line, and the legal moves."""
        position, left = self._analysis.position, self._analysis.left_at
        game = position.game
        click.echo("\n" + table_text(position, self._lang))
        if left is not None:
            self._tell(VARIATION.fill(n=left))
        if position.actor is None:
            self._tell(game.words.ending(game.board, position.s))
        elif position.actor == "chance":
            self._tell(CHANCE_NEXT)
            for i, (token, odds) in enumerate(self._analysis.outcomes(), 1):
                click.echo(f"{i:3} {token:10} {percentage(odds, fine=1)[self._lang]}")
        else:
            self._tell(HERE.fill(n=len(self._decisions(self._analysis.at)) + 1))
            self._tell(game.words.asks(game.board, position.s))
            say("  ".join(f"{i}{TOGETHER}{token}" for i, token in enumerate(position.legal(), 1)), most=WIDTH)

    def explain(self) -> None:
        """Print every move or outcome with its number and its words, then the commands."""
        say_moves(self._analysis.position, self._lang)
        self._tell(HELP)

    def show_odds(self) -> None:
        """Print every move with its odds, the best first."""
        position, found = self._analysis.position, self._analysis.moves(self._simulations)
        if not found:
            self._tell(NO_MOVES if position.actor != "chance" else CHANCE_NEXT)
        width = max((wide(one.token) for one in found), default=0)
        for one in found:
            gap = " " * (width - wide(one.token))
            text = position.describe(one.token)[self._lang]
            say(f"{odds_text(one.chance)[self._lang]:>5}  {one.token}{gap}  {text}", 9 + width)

    def throw(self) -> None:
        """Let chance answer."""
        try:
            token = self._analysis.throw()
        except ValueError:
            self._tell(NOT_CHANCE)
            return
        self._tell(THROWN.fill(token=token))
        self.show()

    def step(self, by: int) -> None:
        """Go one step along the line."""
        try:
            self._analysis.go(self._analysis.at + by)
        except ValueError:
            self._tell(NO_NEXT if by > 0 else NO_BACK)
            return
        self.show()

    def go(self, said: str) -> None:
        """Go to the position before a move, by its number."""
        decisions = self._decisions(len(self._analysis.line))
        if not said.isdecimal() or not 1 <= int(said) <= len(decisions):
            self._tell(MOVES_UP_TO.fill(n=len(decisions), said=said))
            return
        self._analysis.go(decisions[int(said) - 1])
        self.show()

    def play(self, said: str) -> None:
        """Play a move or an outcome of chance, by its token or its number."""
        position = self._analysis.position
        tokens = list(position)
        token = tokens[int(said) - 1] if said.isdecimal() and 1 <= int(said) <= len(tokens) else said
        try:
            self._analysis.play(token)
        except IllegalMove:
            self._tell(UNKNOWN.fill(said=said, help=HELP))
            return
        self.show()

    def _decisions(self, until: int) -> list[int]:
        """Return the numbers of steps before each decision of the line, up to so many steps."""
        position, found = self._analysis.match.game.start(), []
        for at, token in enumerate(self._analysis.line[:until]):
            if position.actor != "chance":
                found.append(at)
            position.play(token)
        return found

    def _tell(self, phrase: Text) -> None:
        say(phrase[self._lang], most=WIDTH)
