"""Play, line by line: for a terminal, a screen reader or a pipe.

The table as text, then what happened, then who is to do what. A line is a token, its number, or a word:
? (the moves in words), hint, board, undo, rules, save FILE, quit.
"""

from __future__ import annotations

import re
import textwrap
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from pathlib import Path
from shlex import quote
from shutil import get_terminal_size
from unicodedata import normalize

from .draw.text import LEGEND, screen
from .errors import BadRecord, IllegalMove
from .files import replacing
from .game import Game, Position
from .match import Match
from .record import dumped, read_any, write
from .text import Text, plain

Bot = Callable[[Position], str]
Adviser = Callable[[Position], Text]

HELP = Text(
    "Type a move, its number, or: ? (moves in words), hint, board, undo, rules, save FILE, quit.",
    "手か手の番号、または: ?(手の説明)、hint(ヒント)、board(盤)、undo(戻す)、rules(ルール)、"
    "save ファイル名、quit(終了)。",
)
DEALT = Text("Dealt: {tokens}", "準備の結果: {tokens}")
WIDTH = 100  # of a line, at most
TOGETHER = "\N{NO-BREAK SPACE}"  # between a number and its move
DEAL = 12  # chance steps in a row that are told in words
MOVES = Text("Moves: {moves}", "手: {moves}")
UNKNOWN = Text("{said} is not possible here. {help}", "ここでは「{said}」はできません。{help}")
NUMBER = Text(
    "The moves here are numbered 1 to {n}; there is no {said}.",
    "手の番号は1から{n}までです({said}はありません)。",
)
NOTHING = Text("There is nothing to take back.", "戻せる手がありません。")
UNDONE = Text("Taken back to your last move.", "直前のあなたの手まで戻しました。")
SAME_LUCK = Text(
    "The luck is unchanged: the same throws will come again.",
    "運の結果は変わらないので、同じ目がまた出ます。",
)
SAVED = Text("Saved: {file}", "保存しました: {file}")
NOT_SAVED = Text("Could not save to {file}: {why}", "{file}に保存できません: {why}")
OTHER = Text("there is a file that is no record", "記録ではないファイルがあります")
SAVE_WHERE = Text("Say where: save FILE", "保存先を書いてください: save ファイル名")
RESUME = Text("To go on later: smallchange resume {file}", "続きは: smallchange resume {file}")
KEPT = Text("The record of this game: {file}", "このゲームの記録: {file}")


class Prompt:
    """A match at the prompt. `bots` play the players they are given for; `file` is kept up to date, and if it
    is there, holds the match already; `advise` says a hint."""

    def __init__(
        self,
        match: Match,
        bots: Mapping[str, Bot],
        lang: str,
        say: Callable[[str], None],
        ask: Callable[[str], str],
        file: Path,
        advise: Adviser,
        colour: bool = False,
    ) -> None:
        self.match = match
        self.bots = bots
        self.lang = lang
        self.file = file
        self._say = say
        self._ask = ask
        self._colour = colour
        self._advise = advise
        self._kept = match.copy() if file.exists() else None

    def run(self) -> None:
        """Play until the game is over or the person leaves; whatever happens, the record is kept."""
        try:
            self._advance()
            self.show()
            while not self.match.over:
                line = self._ask("> ").strip()
                if usual(line).lower() == "quit":
                    break
                self.obey(line)
        except (EOFError, KeyboardInterrupt):
            self._say("")
        finally:
            self._keep()
        if self.match == self._kept:
            kept = KEPT if self.match.over else RESUME
            self._say(kept.fill(file=quote(str(self.file)))[self.lang])  # one line, to be copied

    def obey(self, line: str) -> None:
        """Do what one line says."""
        first, *rest = line.split(maxsplit=1) or [""]
        word = usual(first).lower()
        if word == "?":
            self.explain()
        elif word in ("", "board"):
            self.show()
        elif word == "hint":
            self.say(self._advise(self.match.position))
        elif word == "undo":
            self.undo()
        elif word == "rules":
            self._say(rulebook(self.match.game, self.lang))
        elif word == "save":
            self.save("".join(rest))
        else:
            self.take(usual(line))

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
            keep(self.match, file)
        except OSError as wrong:
            self.say(NOT_SAVED.fill(file=name, why=wrong.strerror or str(wrong)))
        else:
            self.say(SAVED.fill(file=name))

    def show(self) -> None:
        """The table, and whose turn it is or how the game ended."""
        game, position = self.match.game, self.match.position
        self._say("")
        self._say(screen(game.face.table(game.board, position.s), self.lang, self._colour))
        if self.match.over:
            self.say(self.match.ending)
            return
        self.say(game.words.asks(game.board, position.s))
        numbered = "  ".join(f"{i}{TOGETHER}{token}" for i, token in enumerate(position.legal(), 1))
        self.say(MOVES.fill(moves=numbered))

    def explain(self) -> None:
        """Every move with its number and what it does."""
        for i, token in enumerate(self.match.position.legal(), 1):
            self._say(f"{i:3} {token:10} {self.match.position.says(token)[self.lang]}")
        self.say(LEGEND)
        self.say(HELP)

    def say(self, phrase: Text) -> None:
        width = min(WIDTH, get_terminal_size((WIDTH, 0)).columns)
        lines = textwrap.fill(phrase[self.lang], width, break_long_words=False, break_on_hyphens=False)
        self._say(lines.replace(TOGETHER, " "))

    def _advance(self) -> None:
        """Chance and bots, until a person has to decide."""
        while not self.match.over:
            actor = self.match.position.actor or ""
            if actor == "chance":
                self._settle()
            elif actor in self.bots:
                self._step(self.bots[actor](self.match.position))
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
        """What these steps did: each with its token, or together."""
        said = before.told(tokens)
        noted = tokens if len(said) == len(tokens) else [*[""] * (len(said) - 1), " ".join(tokens)]
        for phrase, note in zip(said, noted, strict=True):
            self.say(phrase + plain(f"[{note}]" if note else ""))

    def _keep(self) -> None:
        """Write the record, if it is not as it was read or last written."""
        if self.match == self._kept:
            return
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            keep(self.match, self.file)
            self._kept = self.match.copy()
        except OSError as wrong:
            self.say(NOT_SAVED.fill(file=str(self.file), why=wrong.strerror or str(wrong)))


def keep(match: Match, file: Path) -> None:
    """Write a match's record so that the file is, at every moment, the old one or the new one; one that held
    JSON goes on to."""
    json = file.is_file() and file.read_bytes().removeprefix(BOM_UTF8).lstrip().startswith(b"{")
    with replacing(file) as out:
        out.write((dumped if json else write)(match).encode())


def is_record(data: bytes) -> bool:
    """Is this a record, or nothing yet?"""
    try:
        if data:
            read_any(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, BadRecord):
        return False
    return True


def usual(line: str) -> str:
    """What was typed, in the usual digits and letters.

    >>> usual("ａ１-b１")
    'a1-b1'
    """
    return normalize("NFKC", line)


def rulebook(game: Game, lang: str) -> str:
    """The rules as a terminal shows them: Markdown without the anchors of its headings."""
    return re.sub(r" \{#[\w-]+\}", "", game.rulebook(lang))
