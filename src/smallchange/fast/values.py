"""Learned values from Python: judging, looking ahead, games in bulk, and learning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from smallchange.game import Game

from .drivers import SEARCH
from .layout import to_record, words_of
from .search import Look
from .ways import CALLED, Games, Way, built
from .weave import DRIVERS
from .weights import Weights, read, sizes

START = f"from math import exp\n{CALLED}"
DEEP = 16  # actions of one turn
MET = 1 << 15  # states of a turn that are told apart
ENDS = 256  # ends of a turn that are told apart
LONG = 1024  # states of a game that one seat learns from
THROWS = 2048  # that can come between two turns, where luck is taken off


@dataclass(frozen=True)
class Lookahead:
    """How to look ahead; see `judge.py` and, for width and depth, `boards.py`.

    looks: how often, for each move of games in bulk; 0 to trust the net. turns: to the state that is judged.
    eager: thousandths of a win. ends: of the turn that are looked on from. width and depth: of the search
    over all throws, for games that have one, which needs no looks; width 0 for none. thumb: 1 to let the
    other seats answer by the rule of thumb; turns are then one's own. full: 1 to try the turn to its end
    where the game would be judged before. near: looks from each end that see one turn alone, before those of
    `turns`.
    """

    looks: int = 0
    turns: int = 1
    eager: int = 300
    ends: int = 16
    width: int = 64
    depth: int = 60
    thumb: int = 0
    full: int = 0
    near: int = 0

    @property
    def row(self) -> list[int]:
        return [self.looks, self.turns, self.eager, self.ends, self.thumb, self.full, self.near]


class Valuer(Way):
    """A game's rules with a net, and room for one search or lesson at a time."""

    drivers: tuple[str, ...] = (
        "digest.py",
        "features.py",
        "aim.py",
        "net.py",
        "even.py",
        "judge.py",
        "learn.py",
        "calm.py",
    )

    def __init__(self, game: Game, weights: Weights | None = None, compiled: bool = True) -> None:
        """With the weights beside the game, unless others are given. BadValues where there are none."""
        weights = weights or read(game)
        drivers = (*DRIVERS, *self.drivers)
        super().__init__(game, *built(game, "values", drivers, START, compiled, checked=False), compiled)
        self._adopt(weights)
        self._roots, self._here, self._spare = (np.zeros(1, self.state_type) for _ in range(3))
        outs = np.zeros((DEEP, game.rules.MOST + 1), np.int64)
        levels = np.zeros(DEEP, self.state_type)
        words, places = words_of(levels), (np.zeros(DEEP, np.int64), np.zeros(DEEP, np.int64))
        self._room = (levels, outs, *places, words, np.zeros(MET, np.int64), np.zeros(MET + 1, np.int64))
        self._one, self._ends = self._places(1), self._places(ENDS)
        self._sums, self._taken = np.zeros(ENDS), np.zeros(ENDS + 1, np.int64)
        self._desk = (self._room, self._one, self._here, self._ends, self._sums, self._taken)

    def _adopt(self, weights: Weights) -> None:
        """Take over a copy of the weights, as rows beside which there is room to learn."""
        n, flags, _ = sizes(self.game)
        self._marks = n + flags
        self._flat = (np.zeros((4, weights.first.size)), np.zeros((4, weights.second.size)))
        self._flat[0][0], self._flat[1][0] = weights.first.ravel(), weights.second
        first, d_first = (self._flat[0][i].reshape(weights.first.shape) for i in (0, 1))
        self._slopes = (d_first, self._flat[1][1])
        words, met = (np.zeros(-(-self._marks // 4), np.uint64) for _ in range(2))
        marks, old = (row.view(np.int16) for row in (words, met))
        hidden, scales = np.zeros(len(weights.second) - 1), weights.scales.copy()
        self.net = (
            first, self._flat[1][0], marks, hidden, scales, np.array([weights.blend]), old, words, met
        )  # fmt: skip
        self._seen: Any = None

    def weights(self, **made: Any) -> Weights:
        """The net as it is now, and how it was made."""
        first, second, _, _, scales, blend, *_ = self.net
        return Weights(first.copy(), second.copy(), scales.copy(), float(blend[0]), made)

    def _places(self, n: int) -> tuple[Any, Any, Any]:
        return np.zeros(n, self.state_type), np.zeros(n, np.int64), np.zeros(n)

    def features(self, s: Any, seat: int = 0) -> list[int]:
        """What a state, plain or a record, looks like to a seat."""
        to_record(s, self._roots[0])
        marks = self._row(np.int16, len(self.net[2]))
        self._module._call_features(self.board, self._roots[0], seat, marks)
        return [int(mark) for mark in marks[: self._marks]]

    def estimate(self, s: Any, seat: int = 0) -> float:
        """What a state, plain or a record, is worth to a seat by the net: 0 to 1."""
        to_record(s, self._roots[0])
        return float(self._module._call_estimate(self.board, self._roots[0], seat, self.net))

    def search(
        self, s: Any, plan: Lookahead, seed: int, enough: Callable[[int], int], most: int = 1 << 40
    ) -> list[Look]:
        """Look ahead from a state at a player's step: each legal move by its best end, best first.

        `enough` is asked again and again how many looks to add, given how many there are; 0 ends. It will add
        no more than `most` in all: those that cannot change the best move any more are left out.
        """
        to_record(s, self._roots[0])
        row, chance, done, fresh = np.array(plan.row), self._chance(), 0, True
        while (n := enough(done)) > 0 or fresh:
            self._module._search_values(
                self.boards, self._roots, row, n, most, fresh, self._word(seed), self.net, self._desk, chance
            )
            done, fresh = done + n, False
        return self._looks()

    def ends(self) -> list[Look]:
        """The ends of the turn that the last search knew, by the net, each with its first action."""
        found = []
        for i in range(int(self._taken[ENDS])):
            visits = int(self._taken[i])
            worth = float(self._ends[2][i] + self._sums[i]) / (1 + visits)
            found.append(Look(int(self._ends[1][i]), visits, 1000 * worth, worth))
        return found

    def _looks(self) -> list[Look]:
        """The root's actions, by the most looks, then by the net; those that no end was kept of come last."""
        best: dict[int, Look] = {}
        for end in self.ends():
            if end.action not in best or best[end.action].visits < end.visits:
                best[end.action] = end
        for action in self.actions(self._roots[0]):
            best.setdefault(action, Look(action, 0, 0.0, 0.0))
        return sorted(best.values(), key=lambda look: -look.visits)

    def play_matches(
        self, policy: Sequence[int | Lookahead], seed: int, first: int, n: int
    ) -> tuple[Games, int]:
        """As `play_games`, with the same throws; a seat with a Lookahead plays by the net.

        Also the number of moves that were thought about.
        """
        states, scores, steps = self._games(n)
        kinds = np.array([SEARCH if isinstance(p, Lookahead) else p for p in policy])
        plans = np.array([(p if isinstance(p, Lookahead) else Lookahead()).row for p in policy])
        moves = self._module._play_values(
            self.boards, states, scores, steps, kinds, plans, self._word(seed), first, self.net, self._desk,
            self._chance(), self._spare, self._chance()[2],
        )  # fmt: skip
        return Games(states, scores, steps, n), int(moves)

    def play_calm(self, seat: int, plan: Lookahead, seed: int, first: int, n: int) -> tuple[Any, Any, int]:
        """The same games, one seat by the net against the rule of thumb: results[n], 0 to 1 for the seat;
        calm[n], the same with the luck of the throws taken off (`calm.py`); and the moves thought about."""
        results, calm, begin, state = np.zeros(n), np.zeros(n), self._places(1)[0], self._places(1)[0]
        begin[0] = self.start()
        high, low = ((np.zeros(THROWS, self.state_type), np.zeros(THROWS)) for _ in range(2))
        moves = self._module._play_calm(
            self.boards, begin, results, calm, seat, np.array(plan.row), self._word(seed), first, self.net,
            self._desk, self._chance(), self._chance()[2], state, *high, *low,
        )  # fmt: skip
        return results, calm, int(moves)

    def learn(
        self, seed: int, first: int, n: int, rate: float, fade: float = 0.8, batch: int = 4,
        thumb: bool = False, rash: int = 0, foes: int = 0, looks: int = 0,
    ) -> Any:  # fmt: skip
        """Play games number first.. of a seed, and learn (`learn.py`): what seat 0 got, 0 to 1000."""
        if self._seen is None:
            self._seen = np.zeros((self._seats, LONG, len(self.net[2])), np.int16)
        results, begin = np.zeros(n), np.zeros(1, self.state_type)
        begin[0] = self.start()
        worths, known = np.zeros((self._seats, LONG)), np.zeros(self._seats, np.int64)
        self._module._learn_games(
            self.boards, begin, results, self._word(seed), first, thumb, rash, foes, looks, fade, rate, batch,
            self.net, self._slopes, self._flat, self._room, self._one, self._roots, self._here,
            self._chance(), self._seen, worths, known, self._spare, self._chance(),
        )  # fmt: skip
        return results


def scaled(valuer: Valuer, seed: int, games: int, most: float) -> None:
    """Set the scales of the features, so that each varies by about 1 in games by the rule of thumb; none is
    scaled up more than `most` times."""
    rows = []
    for number in range(games):
        if valuer._seen is not None:
            valuer._seen[:] = 0
        valuer.learn(seed, number, 1, rate=0.0, batch=2, thumb=True)
        seen = valuer._seen[0]
        rows.append(seen[seen.any(1)])
    scales = valuer.net[4]
    spread = np.concatenate(rows)[:, : len(scales)].astype(np.float64).std(0)
    scales[:] = np.minimum(most, 1 / (spread + 0.1))
    for slopes in valuer._slopes:
        slopes[:] = 0
