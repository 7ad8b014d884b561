"""What a position is worth when everybody plays perfectly, chance included: a fraction, not an estimate.

    exact = Exact(smallchange.game(id))
    exact.worth(position), exact.moves(position)

Every line of play is followed, positions worth the same once (`fast/exact.py`; a game says in its `same.py`
which ones are). A position is told by 126 bits of digest.
"""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from time import perf_counter
from typing import Any

from smallchange.fast import record_type, records  # which says what to install where NumPy is lacking

# isort: split
import numpy as np

from smallchange.errors import BadPosition
from smallchange.fast.exact import BELOW, COARSE, DEEP, DIGIT, DONE, FULLEST, KEPT, KEYS, LEVEL, STANDS
from smallchange.fast.layout import to_record, words_of
from smallchange.fast.ways import CALLED, built
from smallchange.fast.weave import DRIVERS
from smallchange.game import Game, Position

GOALS = ("win", "score", "aim")  # WIN, SCORE, AIM
GREATEST = (2, 2 * BELOW, 1000)  # what an end can be counted as
FAR = 1 << 30  # a score that nobody reaches
LEVELS = 4096  # steps of a line of play
ROWS = 1 << 16  # of the table at first
SPELL = 1 << 14  # positions between two looks at the clock
SAMPLES = 200  # lines of play that show which odds there are


class TooLarge(ValueError):
    """There are more positions than there is time or memory for."""


class Exact:
    """Exact worths in one game for one goal; what was found for one position serves the next.

    Goals: "win", the odds that seat 0 wins, a draw being half a win; "score", its expected score; "aim",
    its expected aim (`aim.py`). Each is as great as seat 0 can make it, against a second seat that makes it
    as small as it can. `memory` is what the table may take, in bytes.
    """

    def __init__(
        self,
        game: Game,
        goal: str = "win",
        memory: int = 1 << 31,
        digits: int = 4,
        compiled: bool = True,
        far: int = FAR,
    ) -> None:
        self.game, self.goal = game, goal
        if goal not in GOALS:
            raise ValueError(f"the goal must be one of {', '.join(GOALS)}, not {goal!r}")
        self._goal = GOALS.index(goal)
        self._memory = memory
        self._far = far
        self._digits = digits
        drivers = (*DRIVERS, "aim.py", "same.py", "exact.py")
        self._code: Any = built(game, "exact", drivers, CALLED, compiled)[1]
        self._boards = records(game.board)
        self._odds = 0  # not known yet
        self.forget()

    @property
    def positions(self) -> int:
        """How many positions are known by now."""
        return int(self._stands[KEPT])

    def worth(self, position: Position, seconds: float = math.inf) -> Fraction:
        """What a position is worth to seat 0. TooLarge where it cannot be found within time and memory,
        BadPosition for a position of another game or variant."""
        if position.game is not self.game and position.game != self.game:
            raise BadPosition(f"a position of {position.game!r} has no worth in {self.game!r}")
        until = perf_counter() + seconds
        if self._odds == 0:
            self._odds = _odds_in(position)
            self.forget()
        while True:
            self._follow(position, until)
            if not self._stands[COARSE]:
                return self._counted()
            if perf_counter() > until:
                raise TooLarge("the odds are too fine to be added up in time")
            self._refine(int(self._stands[COARSE]))

    def moves(self, position: Position, seconds: float = math.inf) -> list[tuple[str, Fraction]]:
        """The legal tokens at a player's step and what each is worth to seat 0, best for the player first."""
        until = perf_counter() + seconds
        found = [
            (token, self.worth(position.after(token), until - perf_counter())) for token in position.legal()
        ]
        return sorted(found, key=lambda move: move[1], reverse=position.s.turn == 0)

    @property
    def crowded(self) -> bool:
        """Is there no memory for a larger table than the one that is nearly full?"""
        return 3 * self._table.nbytes > self._memory and self.positions > len(self._table) // 2

    def _refine(self, odds: int) -> None:
        """Choose D anew: a multiple of these odds, or with more digits where it is one."""
        if self._odds % odds == 0:
            self._digits *= 2
        self._odds = math.lcm(self._odds, odds)
        self.forget()

    def forget(self) -> None:
        """Forget all positions, and choose D anew."""
        bits = DIGIT * self._digits - GREATEST[self._goal].bit_length()
        self._unit = 1
        while self._odds > 1 and (self._unit * self._odds).bit_length() <= bits:
            self._unit *= self._odds
        most = self.game.rules.MOST + 1
        self._states = np.zeros(LEVELS, record_type(self.game.state_type))
        words = words_of(self._states)
        outs, weights = np.zeros((LEVELS, most), np.int64), np.zeros((LEVELS, most), np.int64)
        totals, sizes, places = (np.zeros(LEVELS, np.int64) for _ in range(3))
        self._sums, keys = np.zeros((LEVELS, self._digits), np.int64), np.zeros((LEVELS, KEYS), np.int64)
        sure = 2 * self._unit if self.goal == "win" else -1  # -1: no end is known to be best
        units = self._row(self._unit), self._row(sure)
        self._desk = (self._states, words, outs, weights, totals, sizes, places, self._sums, keys, *units)
        self._table = np.zeros((ROWS, KEYS + self._digits), np.int64)
        self._stands = np.zeros(STANDS, np.int64)

    def _row(self, number: int) -> Any:
        return np.array([number >> (DIGIT * i) & FULLEST for i in range(self._digits)])

    def _follow(self, position: Position, until: float) -> None:
        """Find the worth of a position, into the first row of the sums."""
        to_record(position.s, self._states[0])
        self._stands[LEVEL] = -1
        while not self._stands[COARSE]:
            capacity = len(self._table) // 8 * 5
            room = min(capacity, self.positions + SPELL)
            why = self._code._solve_exactly(
                self._boards, *self._desk, self._table, self._stands, self._goal, self._far, room
            )
            if why == DONE:
                return
            if why == DEEP:
                raise TooLarge(f"a line of play has more than {LEVELS} steps: play may go on for ever")
            if perf_counter() > until:
                raise TooLarge(f"too many positions to be done in time: {self.positions:,} are known so far")
            if room == capacity:
                self._grow()

    def _grow(self) -> None:
        if 3 * self._table.nbytes > self._memory:
            raise TooLarge(f"too many positions for the memory: {self.positions:,} fill it")
        larger = np.zeros((2 * len(self._table), self._table.shape[1]), np.int64)
        self._code._copy_kept(self._table, larger)
        self._table = larger

    def _counted(self) -> Fraction:
        total = sum(int(digit) << (DIGIT * i) for i, digit in enumerate(self._sums[0]))
        worth = Fraction(total, self._unit)
        return {"win": worth / 2, "score": worth - BELOW, "aim": worth}[self.goal]


def _odds_in(position: Position) -> int:
    """The least common multiple of the totals of the odds on some random lines of play."""
    luck, odds = Random(0), 1
    for _ in range(SAMPLES):
        here = position.copy()
        while here.actor is not None:
            if here.actor == "chance":
                odds = math.lcm(odds, sum(here.odds()[1]))
            here.game.rules.play(here.game.board, here.s, luck.choice(here.actions() or here.odds()[0]))
    return odds
