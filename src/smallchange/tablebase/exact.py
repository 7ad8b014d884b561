"""The exact value of a position under perfect play, chance included: a fraction, not an estimate.

    exact = Exact(smallchange.game(id))
    exact.value(position), exact.moves(position)

Every line of play is followed, positions worth the same once (`engine/kernels/exact_value.py`; a game says in its
`symmetry.py` which ones are). A position is told by 126 bits of digest.
"""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from time import perf_counter
from typing import Any

from smallchange.engine import record_type, records  # which says what to install where NumPy is lacking

# isort: split
import numpy as np

from smallchange.core.errors import BadPosition
from smallchange.core.game import Game, Position, game_of
from smallchange.engine.compile.build import build_module
from smallchange.engine.compile.records import to_record, words_of
from smallchange.engine.kernels.exact_value import (
    COARSE_ODDS,
    COUNTERS,
    DEEP,
    DIGIT_BITS,
    DONE,
    KEY_COLUMNS,
    LEVEL,
    MAX_DIGIT,
    SCORE_OFFSET,
    STORED,
    ExactSearch,
)

__all__ = ["Exact", "TooLarge"]

GOALS = ("win", "score", "aim")  # WIN, SCORE, AIM
GREATEST = (2, 2 * SCORE_OFFSET, 1000)  # what an end can be counted as
FAR = 1 << 30  # a score that nobody reaches
LEVELS = 4096  # steps of a line of play
ROWS = 1 << 16  # of the table at first
SPELL = 1 << 14  # positions between two looks at the clock
SAMPLES = 200  # lines of play that show which odds there are


class TooLarge(ValueError):
    """There are more positions than there is time or memory for."""


class Exact:
    """Exact worths in one game for one goal; the findings for one position serve the next.

    Goals: "win", the odds that seat 0 wins, a draw being half a win; "score", its expected score; "aim",
    its expected aim (`utility.py`). Each is as great as seat 0 can make it, against a second seat that makes it
    as small as it can. `memory` is the limit of the table, in bytes.
    """

    def __init__(
        self,
        game: Game | str,
        goal: str = "win",
        memory: int = 1 << 31,
        digits: int = 4,
        compiled: bool = True,
        far: int = FAR,
    ) -> None:
        self.game: Game = game_of(game)
        self.goal: str = goal
        if goal not in GOALS:
            raise ValueError(f"the goal must be one of {', '.join(GOALS)}, not {goal!r}")
        self._goal = GOALS.index(goal)
        self._memory = memory
        self._far = far
        self._digits = digits
        self._compiled = compiled
        self._code = build_module(self.game, "exact", ("exact_value",), compiled=compiled)
        self._boards = records(self.game.board)
        self._odds = 0  # not known yet
        self.forget()

    def __reduce__(self) -> tuple[type[Exact], tuple[object, ...]]:
        """Return the arguments of a copy. A copy finds the worths anew."""
        return type(self), (self.game, self.goal, self._memory, self._digits, self._compiled, self._far)

    @property
    def positions(self) -> int:
        """The number of positions known by now."""
        return int(self._search.counters[STORED])

    def value(self, position: Position, seconds: float = math.inf, positions: float = math.inf) -> Fraction:
        """Return the exact value of a position to seat 0.

        Raises TooLarge if it is not found within time and memory, or while so many positions are known;
        BadPosition for a position of another game or variant.
        """
        if position.game is not self.game and position.game != self.game:
            raise BadPosition(f"a position of {position.game!r} has no worth in {self.game!r}")
        until = perf_counter() + seconds
        if self._odds == 0:
            self._odds = _odds_in(position)
            self.forget()
        while True:
            self._follow(position, until, positions)
            if not self._search.counters[COARSE_ODDS]:
                return self._total_value()
            if perf_counter() > until:
                raise TooLarge("the odds are too fine to be added up in time")
            self._refine(int(self._search.counters[COARSE_ODDS]))

    def moves(
        self, position: Position, seconds: float = math.inf, positions: float = math.inf
    ) -> list[tuple[str, Fraction]]:
        """Return the legal tokens at a player's step with their values to seat 0, best for the player first."""
        until = perf_counter() + seconds
        found = [
            (token, self.value(position.played(token), until - perf_counter(), positions))
            for token in position.legal()
        ]
        return sorted(found, key=lambda move: move[1], reverse=position.s.turn == 0)

    @property
    def is_out_of_memory(self) -> bool:
        """Return whether the table is nearly full and there is no memory for a larger one."""
        return 3 * self._search.table.nbytes > self._memory and self.positions > len(self._search.table) // 2

    def _refine(self, odds: int) -> None:
        """Choose D anew: a multiple of these odds, or with more digits where it is one."""
        if self._odds % odds == 0:
            self._digits *= 2
        self._odds = math.lcm(self._odds, odds)
        self.forget()

    def forget(self) -> None:
        """Forget all positions, and choose D anew."""
        bits = DIGIT_BITS * self._digits - GREATEST[self._goal].bit_length()
        self._unit = 1
        while self._odds > 1 and (self._unit * self._odds).bit_length() <= bits:
            self._unit *= self._odds
        most = self.game.rules.MOST + 1
        bound = 2 * self._unit if self.goal == "win" else -1  # -1: no end is known to be best
        states = np.zeros(LEVELS, record_type(self.game.state_type))
        self._search = ExactSearch(
            states=states,
            words=words_of(states),
            actions=np.zeros((LEVELS, most), np.int64),
            weights=np.zeros((LEVELS, most), np.int64),
            totals=np.zeros(LEVELS, np.int64),
            counts=np.zeros(LEVELS, np.int64),
            nexts=np.zeros(LEVELS, np.int64),
            sums=np.zeros((LEVELS, self._digits), np.int64),
            keys=np.zeros((LEVELS, KEY_COLUMNS), np.int64),
            unit=self._row(self._unit),
            bound=self._row(bound),
            table=np.zeros((ROWS, KEY_COLUMNS + self._digits), np.int64),
            counters=np.zeros(COUNTERS, np.int64),
        )

    def _row(self, number: int) -> Any:
        return np.array([number >> (DIGIT_BITS * i) & MAX_DIGIT for i in range(self._digits)])

    def _follow(self, position: Position, until: float, positions: float) -> None:
        """Find the value of a position, into the first row of the sums."""
        to_record(position.s, self._search.states[0])
        self._search.counters[LEVEL] = -1
        while not self._search.counters[COARSE_ODDS]:
            capacity = len(self._search.table) // 8 * 5
            room = int(min(capacity, positions, self.positions + SPELL))
            why = self._code.solve_exactly(self._boards, self._search, self._goal, self._far, room)
            if why == DONE:
                return
            if why == DEEP:
                raise TooLarge(f"a line of play has more than {LEVELS} steps: play may go on for ever")
            if perf_counter() > until:
                raise TooLarge(f"too many positions to be done in time: {self.positions:,} are known so far")
            if room == positions:
                raise TooLarge(f"there are more than {positions:,} positions")
            if room == capacity:
                self._grow()

    def _grow(self) -> None:
        if 3 * self._search.table.nbytes > self._memory:
            raise TooLarge(f"too many positions for the memory: {self.positions:,} fill it")
        larger = np.zeros((2 * len(self._search.table), self._search.table.shape[1]), np.int64)
        self._code.copy_table(self._search.table, larger)
        self._search = self._search._replace(table=larger)

    def _total_value(self) -> Fraction:
        total = sum(int(digit) << (DIGIT_BITS * i) for i, digit in enumerate(self._search.sums[0]))
        value = Fraction(total, self._unit)
        return {"win": value / 2, "score": value - SCORE_OFFSET, "aim": value}[self.goal]


def _odds_in(position: Position) -> int:
    """Return the least common multiple of the totals of the odds in some random matches."""
    luck, odds = Random(0), 1
    for _ in range(SAMPLES):
        here = position.copy()
        while here.actor is not None:
            if here.actor == "chance":
                odds = math.lcm(odds, sum(here.outcome_actions()[1]))
            here.game.rules.play(
                here.game.board, here.s, luck.choice(here.legal_actions() or here.outcome_actions()[0])
            )
    return odds
