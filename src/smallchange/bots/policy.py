"""Policies: players by a word or by a function, and the fastest way to play each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from random import Random

from smallchange import bots, engine
from smallchange.bots import external_players as outside
from smallchange.bots import levels
from smallchange.core.errors import BadPolicy
from smallchange.core.game import Game, Position
from smallchange.engine.search.mcts import Plan

__all__ = ["Policy", "PolicyLike", "describe_policies", "parse_policies", "policy_name", "seat_policies"]

COMPILED = {
    "random": engine.RANDOM,
    "greedy": engine.GREEDY,
}  # policies that whole games are played by, compiled
TREE = "tree"  # the search alone, with a number of play-outs
SEARCH = "mcts"  # its engine
LIMIT = "simulations"  # .. and the number of its plan that limits a search
LIMITS = (LIMIT, "nodes", "width")  # numbers of a plan that limit the work of a move
COUNTED = (SEARCH, "alphabeta", "learned_values")  # engines that look at the clock only before such a limit
NO_TABLE = "no table"
LONG = 600.0  # seconds that no move takes
MOST_PLAYOUTS, MOST_MS = 10_000_000, 3_600_000


@dataclass(frozen=True)
class Policy:
    """A player: a bot with `ms` for a move, a search with `playouts`, or a function from outside.

    `ms` is 0 for the usual time. A function is found by its name, or is here. See `external_players.py`.

    >>> Policy.parse("tree:1000"), str(Policy.parse("level5@40"))
    (Policy(name='tree', ms=0, playouts=1000, function=None), 'level5@40')
    """

    name: str
    ms: int = 0
    playouts: int = 0
    function: outside.Player | None = None

    @classmethod
    def of(cls, player: PolicyLike) -> Policy:
        """Return the policy that is meant by a name, a bot's level, or a function. BadPolicy for anything else."""
        if isinstance(player, Policy):
            return player
        if isinstance(player, str):
            return cls.parse(player)
        if isinstance(player, bots.Level):
            return cls(player.name)
        if callable(player):
            return cls(outside.name_of(player), function=player)
        raise BadPolicy(f"{player!r:.80} is no policy; {describe_policies()}")

    @classmethod
    def parse(cls, word: str) -> Policy:
        """Return the policy that a word names; BadPolicy names the accepted policies."""
        if outside.MARK in word and not word.startswith(f"{TREE}:"):
            return cls(word)
        name, at, ms = word.partition("@")
        if word.startswith(f"{TREE}:"):
            return cls(TREE, playouts=_whole(word.removeprefix(f"{TREE}:"), MOST_PLAYOUTS, word))
        if name not in bots.names():
            raise BadPolicy(f"unknown policy {word!r}; {describe_policies()}")
        if at and name in COMPILED:
            raise BadPolicy(f"{name} answers at once, so {word!r} says too much; {describe_policies()}")
        return cls(name, ms=_whole(ms, MOST_MS, word) if at else 0)

    def __str__(self) -> str:
        return self.name + (f"@{self.ms}" if self.ms else f":{self.playouts}" if self.playouts else "")

    @property
    def is_external(self) -> bool:
        """Return whether the policy is a function from outside."""
        return self.function is not None or outside.MARK in self.name

    def level(self, game: Game) -> bots.Level:
        """Return the policy's bot; BadPolicy if this game has no such bot."""
        if self.playouts:
            return bots.Level(str(self), SEARCH, {LIMIT: self.playouts})
        return bots.level(self.name, game)

    def player(self, game: Game, luck: Random) -> Callable[[Position], str]:
        """Return the policy as a function from a position to the token it plays."""
        if self.is_external:
            here = self.function
            function = outside.function(self.name) if here is None else outside.player(here)
            return lambda position: function(position, luck)
        level, seconds = self.level(game), self.seconds(game)
        return lambda position: level.choose(position, seconds, luck, bots.COMPILE_TIMEOUT_S)

    def fingerprint(self, game: Game) -> str:
        """All that decides how it plays this game. BadPolicy if the game has no such bot."""
        if self.function is not None:
            return self.name
        if self.is_external:
            return outside.fingerprint(self.name)
        if self.playouts:
            return str(self)
        return bots.level(self.name, game).identity(game) + (f", {self.ms} ms" if self.ms else "")

    def about(self, game: Game) -> str:
        """Describe the policy in words, for a person."""
        if self.is_external:
            return self.fingerprint(game)
        return levels.description(self.level(game)).en + (f", {self.ms} ms a move" if self.ms else "")

    def table(self, game: Game) -> str:
        """Return the digest of the tablebase that the policy uses, or "" if it uses none."""
        find = None if self.is_external else getattr(self.level(game).module, "get_or_make_table", None)
        if find is None:
            return ""
        table = find(game)
        return table.header["digest"] if table else NO_TABLE

    def plan(self, game: Game) -> int | Plan | None:
        """Return how compiled code plays the policy; None if only the bot itself can.

        A level that is a number of play-outs gets the time for all of them.
        """
        if self.playouts:
            return Plan(simulations=self.playouts)
        if self.is_external:
            return None
        level = bots.level(self.name, game)
        if level.blunders or level.exact_ends or self.ms:
            return None
        if level.engine == SEARCH and LIMIT in level.plan:
            rest = {key: value for key, value in level.plan.items() if key != LIMIT}
            known = {field.name for field in fields(Plan)}
            return Plan(simulations=level.plan[LIMIT], **rest) if rest.keys() <= known else None
        return COMPILED.get(level.engine)

    def seconds(self, game: Game) -> float:
        """Return the seconds for a move: unlimited if the bot's plan fixes the amount of search."""
        if self.ms:
            return self.ms / 1000
        return bots.MOVE_TIME_S if self.depends_on_clock(game) else LONG

    def depends_on_clock(self, game: Game) -> bool:
        """Return whether the policy looks at the clock, so that the same seed may play other games."""
        if self.playouts or self.is_external:
            return False
        level = bots.level(self.name, game)
        counted = level.engine in COUNTED and any(limit in level.plan for limit in LIMITS) and not self.ms
        return not counted and level.engine not in COMPILED


PolicyLike = str | Policy | bots.Level | outside.Player


def parse_policies(policy: PolicyLike | Sequence[PolicyLike]) -> tuple[Policy, ...]:
    """Return the policies that are asked for: one, or several, also as words with commas between. BadPolicy."""
    if isinstance(policy, str):
        words: list[PolicyLike] = [word.strip() for word in policy.split(",")]
    else:
        words = list(policy) if isinstance(policy, Sequence) else [policy]
    return tuple(map(Policy.of, words))


def seat_policies(policy: PolicyLike | Sequence[PolicyLike], game: Game) -> tuple[Policy, ...]:
    """Return the policy of each seat: one for all of them, or one for each.

    BadPolicy names the accepted policies, or says that the game has no such bot.
    """
    players = parse_policies(policy)
    for player in players:
        player.fingerprint(game)
    if len(players) not in (1, len(game.seats)):
        seats = ", ".join(game.seats)
        raise BadPolicy(
            f"{','.join(map(str, players))!r:.80} names {len(players)} players; {game.id} has the seats {seats}"
        )
    return players * len(game.seats) if len(players) == 1 else players


def policy_name(policy: Sequence[Policy]) -> str:
    """Return the policies of all seats as one word: "greedy", or "greedy,random" where they differ."""
    words = [str(player) for player in policy]
    return words[0] if len(set(words)) == 1 else ",".join(words)


def describe_policies() -> str:
    """Describe the accepted names of a policy, for an error."""
    names = ", ".join(bots.names())
    return (
        f"a policy is one of {names}; LEVEL@MS, what it may think a move; {TREE}:N, the play-outs of a move; "
        "MODULE:FUNCTION, your own; or, in Python, a function of a position, or of a position and luck"
    )


def _whole(text: str, most: int, word: str) -> int:
    digits = text.lstrip("0")
    number = int(digits) if text.isascii() and digits.isdigit() and len(digits) < 13 else 0
    if not 0 < number <= most:
        raise BadPolicy(
            f"{word!r:.80} needs a whole number from 1 to {most:,} at its end; {describe_policies()}"
        )
    return number
