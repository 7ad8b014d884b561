"""Play, line by line: for a terminal, a screen reader or a pipe.

The table as text, then the last steps, then the decision to make. A line is a token, its number, or a word:
? (the moves in words), hint, hint piece, hint why, board, points, undo, rules, save FILE, quit; or its first letter
where the whole terminal has that key: h, p, u, r, q.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from shlex import quote
from shutil import get_terminal_size
from unicodedata import normalize

import click

from smallchange.core.errors import IllegalMove
from smallchange.core.game import Game, Position
from smallchange.core.match import Match
from smallchange.i18n.labels import ADVICE
from smallchange.i18n.text import Text, plain
from smallchange.render.sheet_text import sheet_text
from smallchange.render.text_lines import join_lines
from smallchange.render.text_screen import LEGEND, screen
from smallchange.render.text_screen import WIDTH as TABLE_WIDTH

from .options import fit_to_terminal, is_record, say
from .saved_game import SavedGame, write_record

Bot = Callable[[Position], str]
Adviser = Callable[[Position, str], Text]  # a position and a step of a hint, in words

KEYS = {"h": "hint", "u": "undo", "r": "rules", "p": "points"}  # those of the whole terminal
QUIT = ("quit", "q")
PIECE, MOVE, WHY = "piece", "move", "why"  # the steps of a hint

HELP = Text(
    "Type a move, its number, or: ? (moves in words), hint, hint piece, hint why, board, points, undo, rules, "
    "save FILE, quit."
)
NO_SHEETS = Text("This game has nothing to look up but its rules: type rules.")
DEALT = Text("Dealt: {tokens}")
WIDTH = 100  # of a line, at most
TOGETHER = "\N{NO-BREAK SPACE}"  # between a number and its move
DEAL = 12  # chance steps in a row that are told in words
MOVES = Text("Moves: {moves}")
UNKNOWN = Text("{said} is not possible here. {help}")
NUMBER = Text("The moves here are numbered 1 to {n}; there is no {said}.")
NOTHING = Text("There is nothing to take back.")
UNDONE = Text("Taken back to your last move.")
SAME_LUCK = Text("The luck is unchanged: the same throws will come again.")
SAVED = Text("Saved: {file}")
NOT_SAVED = Text("Could not save to {file}: {why}")
OTHER = Text("a file that is not a record is there already")
SAVE_WHERE = Text("Say where: save FILE")
RESUME = Text("To go on later: smallchange resume {file}")
KEPT = Text("The record of this game: {file}")


class Prompt:
    """A match at the prompt.

    `bots` are the bots by player. `file` is kept up to date; if it exists, it holds the match already.
    `advise` returns a hint.
    """

    def __init__(
        self,
        match: Match,
        bots: Mapping[str, Bot],
        lang: str,
        file: Path,
        advise: Adviser,
        colour: bool = False,
    ) -> None:
        self.match = match
        self.bots = bots
        self.lang = lang
        self.file = file
        self._colour = colour
        self._advise = advise
        self._saved = SavedGame(file, match, set(match.seats) - set(bots))

    def run(self) -> None:
        """Play until the game is over or the person leaves; whatever happens, the record is kept."""
        try:
            self._advance()
            self.show()
            while not self.match.over:
                line = input("> ").strip()
                if usual(line).lower() in QUIT:
                    break
                self.obey(line)
        except (EOFError, KeyboardInterrupt):
            click.echo()
        finally:
            self._keep()
        if self._saved.holds(self.match):
            kept = KEPT if self.match.over else RESUME
            click.echo(kept.fill(file=quote(str(self.file)))[self.lang])  # one line, to be copied

    def obey(self, line: str) -> None:
        """Execute one line."""
        first, *rest = line.split(maxsplit=1) or [""]
        word = usual(first).lower()
        if usual(line) not in self.match.position.legal():
            word = KEYS.get(word, word)
        if word == "?":
            self.explain()
        elif word in ("", "board"):
            self.show()
        elif word == "hint":
            self.advise("".join(rest))
        elif word == "undo":
            self.undo()
        elif word == "points":
            say(sheets(self.match.position, self.lang))
        elif word == "rules":
            say(rulebook(self.match.game, self.lang), most=WIDTH)
        elif word == "save":
            self.save("".join(rest))
        else:
            self.take(usual(line))

    def advise(self, step: str) -> None:
        """Say a step of a hint: the move, or the piece alone, or why."""
        known = usual(step.strip()).lower() or MOVE
        if known in (PIECE, MOVE, WHY):
            said = self._advise(self.match.position, known)
            if said[self.lang]:
                self.say(said)
        else:
            self.say(UNKNOWN.fill(said=f"hint {step}", help=HELP))

    def take(self, line: str) -> None:
        """Play a token, or a move by its number, and then all that follows by itself."""
        legal = self.match.position.legal()
        token = line
        if line not in legal and line.isascii() and line.isdigit():
            number = int(line) if len(line) < 10 else 0
            if not 1 <= number <= len(legal):
                self.say(NUMBER.fill(n=len(legal), said=line))
                return
            token = legal[number - 1]
        try:
            self._step(token)
        except IllegalMove:
            self.say(UNKNOWN.fill(said=line, help=HELP))
            return
        self._keep()  # whoever answers may think for long
        self._advance()
        self.show()

    def undo(self) -> None:
        """Back to the last position in which a person had to decide."""
        people = set(self.match.seats) - set(self.bots)
        decided = [i for i, step in enumerate(self.match) if step.actor in people]
        if not decided:
            self.say(NOTHING)
            return
        self.match = self.match.until(decided[-1])
        self._keep()
        self.show()
        self.say(UNDONE + SAME_LUCK if self.match.game.sources else UNDONE)

    def save(self, name: str) -> None:
        """Write the record to a file of the person's choice, in the place of nothing but another record."""
        if not name or "\0" in name:
            self.say(SAVE_WHERE)
            return
        file = Path(name)
        try:
            if file.is_file() and not is_record(file.read_bytes()):
                self.say(NOT_SAVED.fill(file=name, why=OTHER))
                return
            write_record(self.match, file)
            if self.file.exists() and file.samefile(self.file):
                self._saved.accept(self.match)
        except OSError as wrong:
            self.say(NOT_SAVED.fill(file=name, why=wrong.strerror or str(wrong)))
        else:
            self.say(SAVED.fill(file=name))

    def show(self) -> None:
        """Print the table, and whose turn it is or how the game ended."""
        game, position = self.match.game, self.match.position
        click.echo("\n" + table_text(position, self.lang, self._colour))
        if self.match.over:
            self.say(self.match.ending)
            return
        self.say(game.words.asks(game.board, position.s))
        numbered = "  ".join(f"{i}{TOGETHER}{token}" for i, token in enumerate(position.legal(), 1))
        self.say(MOVES.fill(moves=numbered))

    def explain(self) -> None:
        """Every move with its number and its words."""
        say_moves(self.match.position, self.lang)
        self.say(LEGEND)
        self.say(HELP)

    def say(self, phrase: Text) -> None:
        click.echo(fit_to_terminal(phrase[self.lang], most=WIDTH).replace(TOGETHER, " "))

    def _advance(self) -> None:
        """Chance and bots, until a person has to decide."""
        while not self.match.over:
            actor = self.match.position.actor or ""
            if actor == "chance":
                self._settle()
            elif actor in self.bots:
                self._step(self.bots[actor](self.match.position.copy()))
            else:
                break
        self._keep()

    def _settle(self) -> None:
        """Chance until somebody has to decide: each throw in words, a whole deal in tokens."""
        before, tokens = self.match.position.copy(), self.match.settle()
        if len(tokens) > DEAL:
            self.say(DEALT.fill(tokens=" ".join(tokens)))
        else:
            self._tell(before, tokens)

    def _step(self, token: str) -> None:
        before = self.match.position.copy()
        self.match.play(token)
        self._tell(before, [token])

    def _tell(self, before: Position, tokens: list[str]) -> None:
        """Print the effects of these steps: each with its token, or together."""
        sentences = before.summarize(tokens)
        noted = tokens if len(sentences) == len(tokens) else [*[""] * (len(sentences) - 1), " ".join(tokens)]
        for phrase, note in zip(sentences, noted, strict=True):
            self.say(phrase + plain(f"[{note}]" if note else ""))

    def _keep(self) -> None:
        """Write the record, if it is not as it was read or last written."""
        if why := self._saved.save(self.match):
            self.say(NOT_SAVED.fill(file=str(self.file), why=why))


def usual(line: str) -> str:
    """Return the typed line with the usual digits and letters.

    >>> usual("ａ１-b１")
    'a1-b1'
    """
    return normalize("NFKC", line)


def table_text(position: Position, lang: str, colour: bool = False) -> str:
    """Return the table as text, as wide as the terminal where the board allows it."""
    width = min(TABLE_WIDTH, get_terminal_size((TABLE_WIDTH, 0)).columns)
    return screen(position.game.layout.scene(position.game.board, position.s), lang, colour, width)


def say_moves(position: Position, lang: str) -> None:
    """Print every step that is possible, with its number and its words."""
    for i, token in enumerate(position, 1):
        say(f"{i:3} {token:10} {position.describe(token)[lang]}", 15, WIDTH)


def sheets(position: Position, lang: str) -> str:
    """Return the reference sheets of the table: points, actions, pieces."""
    return "\n\n".join(sheet_text(one, lang) for one in position.sheets()) or NO_SHEETS[lang]


def rulebook(game: Game, lang: str) -> str:
    """Return the rules and the advice for a terminal: Markdown without the anchors of its headings."""
    rules = join_lines(re.sub(r" \{#[\w-]+\}", "", game.rulebook(lang)))
    if not game.advice:
        return rules
    advice = "".join(f"- {one[lang]}\n" for one in game.advice)
    return f"{rules.rstrip()}\n\n## {ADVICE[lang]}\n\n{advice}"
