"""How often any player could win at most: two bounds, each from many deals.

`foreseen`: play that knows every throw beforehand does at least as well as any play. It needs no more than to
look for a win on every deal; but where throws decide much, who knows them wins nearly always.

`begun`: whoever wins has got through the first moves. The best odds of that are exact on every deal, and
those of winning are no better.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from statistics import fmean
from time import perf_counter
from typing import Any

import numpy as np

from smallchange.fast import Way
from smallchange.fast.exact import SCORE, WIN
from smallchange.fast.foresight import BY_MOVE, BY_OBJECT, SETTLED
from smallchange.fast.layout import words_of
from smallchange.fast.ways import CALLED, built
from smallchange.fast.weave import DRIVERS
from smallchange.game import Game, Position
from smallchange.options import Value
from smallchange.solve.exact import Exact

from .measure import Rate

MANNERS = {"object": BY_OBJECT, "move": BY_MOVE}  # see fast/foresight.py
STACK = 1 << 14
MOST = 200_000  # positions looked at in a game, before it is counted as won
MANY = 1 << 22  # positions that the solver may keep from deal to deal
HALF = 500  # an aim above it is a win

Said = Callable[[int], None]


@dataclass(frozen=True)
class Bound:
    """No play wins more often than `rate` on the average; `low` and `high` are its 95 % interval.

    `unsettled` deals, where the search gave up, count as won. `score` is the mean of the best scores, if
    they are a bound too.
    """

    game: str
    version: int
    options: dict[str, Value]
    kind: str
    n: int
    seed: int
    rate: float
    low: float
    high: float
    unsettled: int
    score: float | None
    seconds: float = field(compare=False)
    command: str

    def to_json(self) -> dict[str, Any]:
        """Plain data for json.dumps."""
        return asdict(self)


class Foresight(Way):
    """A game's rules with a look at all the throws of its games, and room for one search at a time."""

    def __init__(self, game: Game, most: int = MOST) -> None:
        drivers = (*DRIVERS, "aim.py", "same.py", "tree.py", "exact.py", "foresight.py")
        super().__init__(game, *built(game, "foresight", drivers, CALLED), compiled=True)
        self.most = most
        self._states = np.zeros(STACK, self.state_type)
        self._words = words_of(self._states)
        self._asked = np.zeros((STACK, len(game.sources) + 1), np.int64)
        self._spare, self._luck = np.zeros(1, self.state_type), self._chance()
        self._seen = np.zeros((1 << (2 * most).bit_length(), 2), np.int64)

    def _begin(self) -> None:
        self._states[0] = self.start()
        self._asked[0] = 0

    def best(self, seed: int, number: int, manner: int, goal: int = WIN) -> tuple[int, int, bool]:
        """The best aim in game `number` of a seed, the score with it, and whether there is no better one."""
        self._begin()
        self._seen[:] = 0
        key, best = np.zeros(2, np.int64), np.zeros(2, np.int64)
        why = self._module._foresee(
            self.boards, self._states, self._words, self._asked, self._spare, self._luck,
            np.uint64(seed), number, manner, goal, self._seen, self.most, key, best,
        )  # fmt: skip
        return int(best[0]), int(best[1]), why == SETTLED

    def first_move(self, seed: int, number: int) -> Position:
        """The position at the first move in game `number` of a seed, or its end."""
        self._begin()
        self._module._first_move(self.boards, self._states, self._asked, self._luck, np.uint64(seed), number)
        return Position(self.game, self.plain(self._states[0]))


def foreseen(
    game: Game, n: int, seed: int = 0, manner: str = "object", most: int = MOST, said: Said = lambda _: None
) -> Bound:
    """The bound by foresight on n deals: those of `simulate` under the same seed, in the manner "object"."""
    begun, eyes = perf_counter(), Foresight(game, most)
    goal = WIN if (game.folder / "same.py").exists() else SCORE  # lost positions have no best score
    wins, unsettled, scores = 0, 0, []
    for number in range(n):
        aim, score, settled = eyes.best(seed, number, MANNERS[manner], goal)
        wins += aim > HALF or not settled
        unsettled += aim <= HALF and not settled
        scores.append(score)
        said(number + 1)
    rate = Rate.of(wins, n)
    mean = fmean(scores) if goal == SCORE and not unsettled else None
    words = ["--manner", manner, *(["--most", str(most)] if most != MOST else [])]
    return _bound(game, f"foresight by {manner}", n, seed, rate, unsettled, mean, begun, words)


def begun(game: Game, n: int, far: int, seed: int = 0, said: Said = lambda _: None) -> Bound:
    """The bound by the odds of getting as far as a score of `far`, where scores only grow, on n deals.

    Its interval is that of as many games won and lost: odds vary less from deal to deal than wins do, which
    are 0 or 1. By the odds' own spread it would be too narrow, or none at all, where those of a few deals not
    met are far from the rest.
    """
    start, eyes, solver = perf_counter(), Foresight(game, 1), Exact(game, far=far)
    odds = []
    for number in range(n):
        odds.append(float(solver.worth(eyes.first_move(seed, number))))
        said(number + 1)
        if solver.positions > MANY:
            solver = Exact(game, far=far)
    rate = Rate.of(math.fsum(odds), n)
    return _bound(game, f"getting to a score of {far}", n, seed, rate, 0, None, start, ["--far", str(far)])


def _bound(
    game: Game, kind: str, n: int, seed: int, rate: Rate, unsettled: int, score: float | None, begun: float,
    words: list[str],
) -> Bound:  # fmt: skip
    line = ["smallchange", "bound", game.id, *game.arguments, "--games", str(n), "--seed", str(seed), *words]
    return Bound(
        game.id, game.version, dict(game.options), kind, n, seed, rate.p, rate.low, rate.high, unsettled,
        score, perf_counter() - begun, shlex.join(line),
    )  # fmt: skip
