"""Who plays: the words that name a policy, and how it is played fastest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from random import Random

from smallchange import mind
from smallchange.errors import BadPolicy
from smallchange.fast.search import Plan
from smallchange.game import Game, Position
from smallchange.mind import levels

from . import outside
from .simulate import POLICIES as COMPILED

TREE = "tree"  # the search alone, with a number of play-outs
SEARCH = "search"  # .. as the bots' engine, whose limit of play-outs is
LIMIT = "most"
LIMITS = (LIMIT, "width")  # what else may bound the work of a move: boards after each turn
COUNTED = (SEARCH, "alphabeta", "value")  # engines that look at the clock only if it comes before their limit
NO_TABLE = "no table"
LONG = 600.0  # seconds that no move takes
MOST_PLAYOUTS, MOST_MS = 10_000_000, 3_600_000


@dataclass(frozen=True)
class Policy:
    """A bot, with the `ms` that it may think of a move, 0 for as usual; or the search with `playouts`; or a
    function of one's own (`outside.py`).

    >>> Policy.parse("tree:1000"), str(Policy.parse("level5@40"))
    (Policy(name='tree', ms=0, playouts=1000), 'level5@40')
    """

    name: str
    ms: int = 0
    playouts: int = 0

    @classmethod
    def parse(cls, word: str) -> Policy:
        """The policy that a word names; BadPolicy says what is accepted."""
        if outside.MARK in word and not word.startswith(f"{TREE}:"):
            return cls(word)
        name, at, ms = word.partition("@")
        if word.startswith(f"{TREE}:"):
            return cls(TREE, playouts=_whole(word.removeprefix(f"{TREE}:"), MOST_PLAYOUTS, word))
        if name not in mind.names():
            raise BadPolicy(f"unknown policy {word!r}; {accepted()}")
        if at and name in COMPILED:
            raise BadPolicy(f"{name} answers at once, so {word!r} says too much; {accepted()}")
        return cls(name, ms=_whole(ms, MOST_MS, word) if at else 0)

    def __str__(self) -> str:
        return self.name + (f"@{self.ms}" if self.ms else f":{self.playouts}" if self.playouts else "")

    @property
    def own(self) -> bool:
        """Is it a function of one's own?"""
        return outside.MARK in self.name

    def level(self, game: Game) -> mind.Level:
        """The bot that it is; BadPolicy if it is none of this game's."""
        if self.playouts:
            return mind.Level(str(self), SEARCH, {LIMIT: self.playouts})
        return mind.level(self.name, game)

    def player(self, game: Game, luck: Random) -> Callable[[Position], str]:
        """It, as a function from a position to the token it plays."""
        if self.own:
            function = outside.function(self.name)
            return lambda position: function(position, luck)
        level, seconds = self.level(game), self.seconds(game)
        return lambda position: level.choose(position, seconds, luck, mind.WAIT)

    def said(self, game: Game) -> str:
        """All that decides how it plays this game. BadPolicy if the game has no such bot."""
        if self.own:
            return outside.said(self.name)
        if self.playouts:
            return str(self)
        level = mind.level(self.name, game)
        plan = "".join(f", {key} {number}" for key, number in sorted(level.plan.items()))
        blunders = f", {level.blunders} of 100 moves at random" if level.blunders else ""
        return f"{level.engine}{plan}{blunders}" + (f", {self.ms} ms" if self.ms else "")

    def about(self, game: Game) -> str:
        """The same in words, for a person."""
        if self.own:
            return self.said(game)
        return levels.about(self.level(game)).en + (f", {self.ms} ms a move" if self.ms else "")

    def table(self, game: Game) -> str:
        """The digest of the table of solved positions that it goes by; "" for one that goes by none."""
        find = None if self.own else getattr(self.level(game).module, "table_for", None)
        if find is None:
            return ""
        table = find(game)
        return table.header["digest"] if table else NO_TABLE

    def plan(self, game: Game) -> int | Plan | None:
        """How compiled code plays it; None if only the bot itself can.

        A level that is a number of play-outs gets the time for all of them.
        """
        if self.playouts:
            return Plan(playouts=self.playouts)
        if self.own:
            return None
        level = mind.level(self.name, game)
        if level.blunders or self.ms:
            return None
        if level.engine == SEARCH and LIMIT in level.plan:
            rest = {key: value for key, value in level.plan.items() if key != LIMIT}
            known = {field.name for field in fields(Plan)}
            return Plan(playouts=level.plan[LIMIT], **rest) if rest.keys() <= known else None
        return COMPILED.get(level.engine)

    def seconds(self, game: Game) -> float:
        """What the bot may think of a move: as long as it takes where its plan says how much to look at."""
        if self.ms:
            return self.ms / 1000
        return mind.SECONDS if self.timed(game) else LONG

    def timed(self, game: Game) -> bool:
        """Does it look at the clock? Then the same seed need not play the same games."""
        if self.playouts or self.own:
            return False
        level = mind.level(self.name, game)
        counted = level.engine in COUNTED and any(limit in level.plan for limit in LIMITS) and not self.ms
        return not counted and level.engine not in COMPILED


def accepted() -> str:
    """What a policy may be called, for who called it something else."""
    bots = ", ".join(mind.names())
    return (
        f"a policy is one of {bots}; LEVEL@MS, what it may think a move; {TREE}:N, the play-outs of a move; "
        "or MODULE:FUNCTION, your own"
    )


def _whole(text: str, most: int, word: str) -> int:
    digits = text.lstrip("0")
    number = int(digits) if text.isascii() and digits.isdigit() and len(digits) < 13 else 0
    if not 0 < number <= most:
        raise BadPolicy(f"{word!r:.80} needs a whole number from 1 to {most:,} at its end; {accepted()}")
    return number
