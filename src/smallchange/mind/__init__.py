"""Bots. `random`, `greedy`, and the levels that each game has in its folder (`levels.py`). Each thinks by an
engine, a module here with one function,

    choose(position, legal, seconds, luck, **plan) -> token

It is given a copy of the public position, the legal tokens, the seconds it may think, and a source of
random numbers; there is nothing else to know. `plan` is how it is to think, from the level.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from smallchange.errors import BadPolicy
from smallchange.game import Game, Position
from smallchange.text import Text, plain

from ._ends import certain
from .levels import LEVELS, SIMPLE, Level, bots, lacking, percent

__all__ = ["SECONDS", "Hint", "Level", "best", "bot", "hint", "known", "lacking", "level", "names"]

SECONDS = 0.25  # what a bot may think unless told otherwise
WAIT = 600.0  # .. and wait for its code: nothing takes so long to be compiled


def names(game: Game | None = None) -> list[str]:
    """The bots there are, weakest first: those of a game, or of all."""
    return [*bots(game)] if game else [*SIMPLE, *LEVELS]


def known(name: str, game: Game) -> bool:
    """Has a game a bot of this name?"""
    return name in bots(game)


def level(name: str, game: Game) -> Level:
    """The bot of this name in a game. Raises BadPolicy if it has none."""
    found = bots(game).get(name)
    if found is None:
        raise BadPolicy(f"unknown bot {name!r}; the bots of {game.id} are: {', '.join(names(game))}")
    return found


def best(game: Game) -> Level:
    """The highest level of a game; for one without levels tree search."""
    return bots(game).get(LEVELS[-1]) or Level("search", "search", {"most": 4000})


def bot(
    name: str, seconds: float = SECONDS, luck: Random | None = None, wait: float = WAIT
) -> Callable[[Position], str]:
    """The bot of this name, as a function from a position to the token it plays.

    Before its first move in a game it waits until its code is compiled, up to `wait` seconds; where these are
    over, it plays by the rule of thumb meanwhile. Without `luck` its ties fall differently each time. With
    equal luck it plays the same again only if `seconds` are ample for all that its plan looks at: else the
    clock decides. Raises BadPolicy if there is no such bot, or if the game has none of this name, and
    ValueError where no player is to move.
    """
    if name not in names():
        raise BadPolicy(f"unknown bot {name!r}; the bots are: {', '.join(names())}")
    source = luck or Random()

    def play(position: Position) -> str:
        if position.s.turn < 0:
            raise ValueError(f"a bot plays at a player's step; here {position.actor or 'nobody'} is next")
        return level(name, position.game).choose(position.copy(), seconds, source, wait)

    return play


EXPECTED = Text(
    "Hint: {said}. The best bot expects to win {share} % of games from there.",
    "ヒント: {said}。いちばん強いボットは、そこからの勝率を{share}%と見ています。",
)
EXPECTED_OF_TWO = Text(
    "Hint: {said}. The best bot expects to win {share} % of games from there, a draw being half a win.",
    "ヒント: {said}。いちばん強いボットは、そこからの勝率を{share}%と見ています(引き分けは半勝)。",
)
CERTAIN = Text(
    "Hint: {said}. The odds are exact: perfect play wins {share} % of games from there.",
    "ヒント: {said}。そこから最善を尽くした場合の勝率は{share}%です(見積もりではなく正確な値)。",
)
CERTAIN_OF_TWO = Text(
    "Hint: {said}. With perfect play on both sides from there it {ends} for certain.",
    "ヒント: {said}。そこから双方が最善を尽くせば、必ず{ends}になります。",
)
ENDS = {1.0: Text("wins", "勝ち"), 0.5: Text("draws", "引き分け"), 0.0: Text("loses", "負け")}
ROUGHLY = Text("about {share}", "約{share}")


class Hint(NamedTuple):
    """A move, and the odds of winning after it, a draw being half a win; are they rough, or exact: those of
    perfect play?"""

    token: str
    odds: float
    rough: bool = False
    exact: bool = False

    def says(self, position: Position) -> Text:
        """The hint in words, for the position that it was asked for."""
        said, alone = position.says(self.token), len(position.game.seats) == 1
        if self.exact and not alone:
            return CERTAIN_OF_TWO.fill(said=said, ends=ENDS[self.odds])
        share = plain(percent(self.odds))
        if self.rough:
            share = ROUGHLY.fill(share=share)
        phrase = CERTAIN if self.exact else EXPECTED if alone else EXPECTED_OF_TWO
        return phrase.fill(said=said, share=share)


def hint(
    position: Position, seconds: float = SECONDS, luck: Random | None = None, wait: float = 0.0
) -> Hint | None:
    """What the best bot would do at a player's step, and at what odds; late in a game for one the best move.

    None if code is still being compiled after so many seconds of waiting for it. ModuleNotFoundError says
    what to install where it cannot be.
    """
    if position.s.turn < 0:
        raise ValueError(f"a hint is for a player's step; here {position.actor or 'nobody'} is next")
    thinker = best(position.game)
    found = thinker.module.hint(position, seconds, luck or Random(), wait=wait, **thinker.plan)
    if found is None:
        return None
    found = certain(position, None, found, wait)
    odds = found.worth(thinker, position.game).better
    rough = not found.exact and thinker.rough(position.game)
    return Hint(found.best, odds, rough, found.exact)
