"""Analyse a match: walk through it, try other moves and other throws, and see the odds of each choice.

A line is the sequence of steps so far, the match's own at first. To play another move, or to let chance answer
otherwise, leaves the match; `main_line` goes back to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from random import Random
from typing import NamedTuple

from smallchange.core.game import Position
from smallchange.core.match import Match

from . import COMPILE_TIMEOUT_S
from .levels import judge_of
from .review import evaluate_choice

__all__ = ["Analysis", "MoveChance", "light_budget", "outcome_chances", "ranked_moves"]

BUDGET_PART = 8  # each move is looked at with this part of what the best bot looks at for its own move
MAX_LINE_STEPS = 12  # of a best line


class MoveChance(NamedTuple):
    """A move and the chance of winning after it, 0 to 1; None where the search did not look at it."""

    token: str
    chance: float | None
    exact: bool = False


class Analysis:
    """A match that is walked through, with the variation that was tried last.

    `line` has the tokens from the start of the game, `at` the number of them that are played. `luck` throws
    where chance is to answer by itself.
    """

    def __init__(self, match: Match, at: int | None = None, luck: Random | None = None) -> None:
        """Begin after `at` steps of the match, by default at its end. Raise ValueError where it has fewer."""
        self.match = match
        self._main = [step.token for step in match.steps]
        self.line: list[str] = self._main
        self.at: int = 0
        self._luck = luck or Random()
        self.go(len(self.line) if at is None else at)

    @property
    def position(self) -> Position:
        """The position after the steps that are played."""
        position = self.match.game.start()
        for token in self.line[: self.at]:
            position.play(token)
        return position

    @property
    def left_at(self) -> int | None:
        """The number of steps that the line shares with the match; None where it is the match itself."""
        if self.line == self._main:
            return None
        pairs = zip(self.line, self._main, strict=False)
        return next(
            (i for i, (one, other) in enumerate(pairs) if one != other), min(len(self.line), len(self._main))
        )

    def go(self, at: int) -> None:
        """Go to the position after `at` steps of the line. Raise ValueError where it has fewer."""
        if not 0 <= at <= len(self.line):
            raise ValueError(
                f"the line has {len(self.line)} steps, so {at} is not among 0 to {len(self.line)}"
            )
        self.at = at

    def play(self, token: str) -> None:
        """Play a move, or an outcome of chance. Raise IllegalMove for one that is not possible."""
        self.position.play(token)  # or it is refused
        if self.line[self.at : self.at + 1] != [token]:
            self.line = [*self.line[: self.at], token]
        self.at += 1

    def throw(self) -> str:
        """Let chance answer by its odds, and return the outcome. Raise ValueError where it is a player's turn."""
        found = self.position.weights()
        if not found:
            raise ValueError("chance is not next here")
        tokens, weights = zip(*found, strict=True)
        token: str = self._luck.choices(tokens, weights)[0]
        self.play(token)
        return token

    def main_line(self) -> None:
        """Go back to the match, where the line left it."""
        left = self.left_at
        self.line = self._main
        self.go(self.at if left is None else left)

    def outcomes(self) -> list[tuple[str, float]]:
        """Return the outcomes of chance here, each with its probability; [] at a player's turn."""
        return outcome_chances(self.position)

    def moves(self, simulations: int | None = None) -> list[MoveChance]:
        """Return every move of the player to move with its odds, best first; [] at a step of chance and at the end.

        `simulations` as in `evaluate_choice`; by default part of the best bot's own.
        """
        return ranked_moves(self.position, simulations)

    def best_line(self, steps: int = MAX_LINE_STEPS, simulations: int | None = None) -> list[str]:
        """Return the best moves from here, at most `steps`, up to a step of chance or the end."""
        position, found = self.position, list[str]()
        while len(found) < steps and (tokens := position.legal()):
            token = tokens[0] if len(tokens) == 1 else _best_move(position, simulations)
            found.append(token)
            position.play(token)
        return found


def outcome_chances(position: Position) -> list[tuple[str, float]]:
    """Return the outcomes of chance in a position, each with its probability; [] at a player's turn."""
    found = position.weights()
    total = sum(weight for _, weight in found)
    return [(token, weight / total) for token, weight in found]


def ranked_moves(position: Position, simulations: int | None = None) -> list[MoveChance]:
    """Return every move of a position with its odds, best first; as in `Analysis.moves`."""
    return sorted(evaluate_moves(position, simulations), key=lambda one: -(one.chance or 0.0))


def evaluate_moves(position: Position, simulations: int | None = None) -> Iterator[MoveChance]:
    """Evaluate every move of a position, one after another. Without chance in the bot the odds are always the same."""
    budget = light_budget(position) if simulations is None else simulations
    for token in position.legal():
        found = evaluate_choice(position, 0, token, inf, wait=COMPILE_TIMEOUT_S, simulations=budget)
        yield MoveChance(token, found and found.chance, bool(found and found.exact))


def light_budget(position: Position) -> int | None:
    """Return the simulations with which an analysis looks at a move; None for a plan that does not count them."""
    bot = judge_of(position.game)
    own = bot.plan.get(bot.module.BUDGET)
    return own and max(1, int(own) // BUDGET_PART)


def _best_move(position: Position, simulations: int | None) -> str:
    bot = judge_of(position.game).with_budget(simulations)
    return bot.choose(position, inf, Random(position.key()), COMPILE_TIMEOUT_S)
