"""Upper bounds on any player's win rate, each from many deals.

`foreseen`: play that knows every throw beforehand does at least as well as any play. It needs no more than to
look for a win on every deal; but where throws decide much, a player who knows them wins nearly always.

`begun`: a player who wins has got through the first moves. The best odds of that are exact on every deal, and
those of winning are no better.

`solved`: the odds of perfect play are exact on every deal, where a game can be solved from its start.
"""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any

import numpy as np

from research.kernels.information_relaxation import BY_MOVE, BY_OBJECT, SETTLED, Foresight
from research.whole_deals import WholeDeals
from smallchange.core.game import Game, Position
from smallchange.core.options import Value
from smallchange.engine import CompiledGame
from smallchange.engine.compile.build import build_module
from smallchange.engine.compile.records import words_of
from smallchange.engine.kernels.exact_value import SCORE, WIN
from smallchange.lab.statistics import Rate
from smallchange.tablebase.exact import Exact

MANNERS = {"object": BY_OBJECT, "move": BY_MOVE}  # see kernels/information_relaxation.py
STACK = 1 << 14
MOST = 200_000  # positions looked at in a game, twice, before it is counted as won
SHORTEST = 128  # positions that a search looks at before another begins
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


class ForesightSearch(CompiledGame):
    """A game's rules with a look at all the throws of its games, and room for one search at a time."""

    def __init__(self, game: Game, most: int = MOST) -> None:
        kernel_modules = ("playouts", "research.kernels.information_relaxation")
        super().__init__(game, build_module(game, "foresight", kernel_modules), compiled=True)
        self.most = most
        states = np.zeros(STACK, self.state_type)
        self._stack = Foresight(
            states=states,
            words=words_of(states),
            draws=np.zeros((STACK, len(game.sources) + 1), np.int64),
            seen=np.zeros((1 << (2 * most).bit_length(), 2), np.int64),
            key=np.zeros(2, np.int64),
            restart=0,
            best=np.zeros(2, np.int64),
        )
        self._scratch = self._new_scratch()

    def _begin(self) -> None:
        self._stack.states[0] = self.start()
        self._stack.draws[0] = 0

    def best(self, seed: int, number: int, manner: int, goal: int = WIN) -> tuple[int, int, bool]:
        """Return the best aim in game `number` of a seed, its score, and whether no aim is better.

        Short searches come first, each in another order, as a win may be a lucky choice away: of those, every
        second is as short as can be, every fourth twice as long, and so on. Then one looks at `most` positions.
        """
        left, restart = self.most, 1
        while (length := SHORTEST * (restart & -restart)) <= left:
            aim, score, why = self._search(seed, number, manner, goal, length, restart)
            if why == SETTLED:
                return aim, score, True
            left, restart = left - length, restart + 1
        aim, score, why = self._search(seed, number, manner, goal, self.most, 0)
        return aim, score, why == SETTLED

    def _search(
        self, seed: int, number: int, manner: int, goal: int, most: int, restart: int
    ) -> tuple[int, int, int]:
        """Return the best aim that `most` positions show, its score, and how the search ended."""
        self._begin()
        stack = self._stack._replace(seen=self._stack.seen[: 1 << (2 * most).bit_length()], restart=restart)
        stack.seen[:] = 0
        why = self._module.foresee(
            self.boards, stack, self._scratch, np.uint64(seed), number, manner, goal, most
        )
        aim, score = stack.best.tolist()
        return aim, score, why

    def first_move(self, seed: int, number: int) -> Position:
        """Return the position at the first move in game `number` of a seed, or its end."""
        self._begin()
        self._module.first_move(self.boards, self._stack, self._scratch, np.uint64(seed), number)
        return Position(self.game, self.plain(self._stack.states[0]))


def foreseen(
    game: Game, n: int, seed: int = 0, manner: str = "object", most: int = MOST, said: Said = lambda _: None
) -> Bound:
    """Return the bound by foresight on n deals: those of `simulate` with the same seed, by "object"."""
    begun, eyes = perf_counter(), ForesightSearch(game, most)
    goal = WIN if game.symmetry else SCORE  # lost positions have no best score
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
    return _make_bound(game, f"foresight by {manner}", n, seed, rate, unsettled, mean, begun, words)


def bound_from_start(game: Game, n: int, far: int, seed: int = 0, said: Said = lambda _: None) -> Bound:
    """Return the bound by the odds of reaching a score of `far`, where scores only grow, on n deals.

    Its interval is that of as many games won and lost: odds vary less from deal to deal than wins do, which
    are 0 or 1. By the odds' own spread it would be too narrow, or have no width where those of a few deals
    not met are far from the rest.
    """
    start, eyes, solver = perf_counter(), ForesightSearch(game, 1), Exact(game, far=far)
    odds = []
    for number in range(n):
        odds.append(float(solver.value(eyes.first_move(seed, number))))
        said(number + 1)
        if solver.positions > MANY:
            solver = Exact(game, far=far)
    rate = Rate.of(math.fsum(odds), n)
    return _make_bound(
        game, f"getting to a score of {far}", n, seed, rate, 0, None, start, ["--far", str(far)]
    )


def solved_deals(game: Game, n: int, seed: int, kept: Path, said: Said = lambda _: None) -> Bound:
    """Return the odds of perfect play, the mean of n deals, each solved from before its first roll.

    The interval is by the spread of the deals' odds. `kept` has a line of JSON for each deal that was solved before,
    and gets one for each that is solved. Raise ValueError where the game cannot be solved, or `kept` is of others.
    """
    from smallchange.lab.comparisons import Mean  # it needs SciPy, other bounds do not

    start, eyes = perf_counter(), ForesightSearch(game, 1)
    odds = _kept_odds(game, seed, kept)
    solver = None
    for number in range(n):
        said(number)
        if number not in odds:
            deal = eyes.first_move(seed, number)
            solver = solver or WholeDeals(deal)
            odds[number] = round(solver.value(deal), 6)
            with kept.open("a", encoding="utf-8") as file:
                file.write(
                    json.dumps(_deal_head(game, seed) | {"number": number, "odds": odds[number]}) + "\n"
                )
    said(n)
    found = [odds[number] for number in range(n)]
    mean = Mean.of(found, (0, 1))
    rate = Rate(mean.mean, max(0.0, mean.low), min(1.0, mean.high))
    return _make_bound(game, "whole deals solved", n, seed, rate, 0, None, start, ["--solve", str(kept)])


def _deal_head(game: Game, seed: int) -> dict[str, Any]:
    return {"game": game.id, "version": game.version, "options": game.non_default_options, "seed": seed}


def _kept_odds(game: Game, seed: int, kept: Path) -> dict[int, float]:
    """Return the odds of the deals that were solved before, by number."""
    if not kept.exists():
        return {}
    lines = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    head = _deal_head(game, seed)
    if any(not isinstance(line, dict) or {**line, **head} != line for line in lines):
        raise ValueError(f"{kept} has other deals than those of {game!r} with the seed {seed}")
    return {line["number"]: line["odds"] for line in lines}


def _make_bound(
    game: Game, kind: str, n: int, seed: int, rate: Rate, unsettled: int, score: float | None, begun: float,
    words: list[str],
) -> Bound:  # fmt: skip
    line = ["python", "-m", "research", "bound", game.id, *game.arguments]
    line += ["--games", str(n), "--seed", str(seed), *words]
    return Bound(
        game.id, game.version, dict(game.options), kind, n, seed, rate.p, rate.low, rate.high, unsettled,
        score, perf_counter() - begun, shlex.join(line),
    )  # fmt: skip
