"""Tree search from Python: a tree that grows in small portions, and matches of searching players in bulk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np

from smallchange.game import Game

from .drivers import SEARCH
from .layout import to_record, words_of
from .tree import ACTION, NODE, PERFECT, STEP, TAKEN, TO, USED, WAY, WAYS, WON
from .ways import CALLED, Games, Way, built
from .weave import DRIVERS

__all__ = ["Look", "Plan", "Searcher"]

NODE_WAYS = 4  # that there is room for, for each node of a graph
NODE_BYTES = 8 * (NODE + 2) + NODE_WAYS * 8 * STEP  # with its digest and worth
MEMORY = NODE_BYTES << 17  # 31 MB
DEEP = 512  # steps from the root that a graph may hold


@dataclass(frozen=True)
class Plan:
    """How to search; see `tree.py` for what the numbers do."""

    playouts: int = 1000
    eager: int = 16
    width: int = 2
    widen: int = 8
    rash: int = 4
    far: int = 1 << 20
    lead: int = 32


@dataclass(frozen=True)
class Look:
    """What a search found of a move: play-outs, their mean aim (0 to 1000), and the share that were won."""

    action: int
    visits: int
    mean: float
    won: float


class Searcher(Way):
    """A game's rules with a tree search, and room for one search at a time.

    `memory` is what its graph may take, in bytes. When it is full, play-outs go on from the nodes there are.
    """

    def __init__(self, game: Game, compiled: bool = True, memory: int = MEMORY) -> None:
        room = memory // NODE_BYTES
        if NODE_WAYS * room < game.rules.MOST:
            least = NODE_BYTES * -(-game.rules.MOST // NODE_WAYS)
            raise ValueError(
                f"a graph for {game.id} takes at least {least:,} bytes of memory, not {memory:,}"
            )
        drivers = (*DRIVERS, "digest.py", "tree.py", "matches.py", "aim.py")
        super().__init__(game, *built(game, "tree", drivers, CALLED, compiled, checked=False), compiled)
        self._roots = np.zeros(1, self.state_type)
        # the system gives memory as it is written
        nodes, ways = np.zeros((room, NODE), np.int64), np.zeros((NODE_WAYS * room, STEP), np.int64)
        self._nodes, self._ways, self._worth = nodes, ways, np.zeros(room)
        graph = (nodes, ways, self._worth, np.zeros(2 * room, np.int32), self._row(np.int64, USED))
        here, spare = (np.zeros(1, self.state_type) for _ in range(2))
        words, path = words_of(here)[0], self._row(np.int64, 2 * DEEP)
        self._room = (graph, path, here, words, spare, self._chance())

    def aim(self, s: Any, seat: int) -> int:
        """What a state, plain or a record, is worth to a seat: 0 to 1000."""
        to_record(s, self._roots[0])
        return int(self._module._call_aim(self.board, self._roots[0], seat))

    def search(self, s: Any, plan: Plan, seed: int, enough: Callable[[int], int]) -> list[Look]:
        """Search from a state, plain or a record, at a player's step: each legal move, best first. At a step
        of chance: each outcome.

        `enough` is asked again and again how many play-outs to add, given how many there are; 0 ends.
        """
        to_record(s, self._roots[0])
        numbers = np.array(astuple(plan))
        done, fresh = 0, True
        while (n := enough(done)) > 0 or fresh:
            self._module._search(self.boards, self._roots, numbers, n, fresh, self._word(seed), *self._room)
            done, fresh = done + n, False
        first, n = self._nodes[0, [WAY, WAYS]].tolist()
        looks = [self._look(way) for way in self._ways[first : first + n].tolist()]
        return sorted(looks, key=lambda look: -look.visits)

    def _look(self, way: list[int]) -> Look:
        taken = way[TAKEN]
        if taken == 0:
            return Look(way[ACTION], 0, 0.0, 0.0)
        worth = float(self._worth[way[TO]])
        second = self._roots[0].turn == 1
        return Look(way[ACTION], taken, PERFECT - worth if second else worth, way[WON] / taken)

    def play_matches(self, policy: Sequence[int | Plan], seed: int, first: int, n: int) -> tuple[Games, int]:
        """As `play_games`, with the same throws; a seat with a Plan searches before every move.

        Also the number of these moves.
        """
        states, scores, steps = self._games(n)
        kinds = np.array([SEARCH if isinstance(p, Plan) else p for p in policy])
        plans = np.array([astuple(p if isinstance(p, Plan) else Plan()) for p in policy])
        searched = self._module._play_matches(
            self.boards, states, scores, steps, kinds, plans, self._word(seed), first,
            *self._room, self._chance()[2],
        )  # fmt: skip
        return Games(states, scores, steps, n), int(searched)
