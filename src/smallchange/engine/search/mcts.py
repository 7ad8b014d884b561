"""Monte-Carlo tree search from Python: one search at a time, and matches of searching players in bulk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from smallchange.core.game import Game
from smallchange.engine.compile.build import build_module
from smallchange.engine.compile.compiled_game import CompiledGame, Games
from smallchange.engine.compile.records import to_record, words_of
from smallchange.engine.kernels.mcts import (
    ACTION,
    CHILD,
    COUNTERS,
    EDGE_COLUMNS,
    EDGE_COUNT,
    EDGE_VISITS,
    FIRST_EDGE,
    MAX_UTILITY,
    NODE_COLUMNS,
    WINS,
    Tree,
)
from smallchange.engine.kernels.playouts import SEARCH

if TYPE_CHECKING:
    from smallchange.engine.compile.webassembly import Portable

__all__ = ["MoveStats", "Plan", "TreeSearcher"]

EDGES_PER_NODE = 4  # that there is room for
NODE_BYTES = 8 * (NODE_COLUMNS + 2) + EDGES_PER_NODE * 8 * EDGE_COLUMNS  # with its slots and value
DEFAULT_MEMORY_BYTES = NODE_BYTES << 17  # 31 MB
MAX_DEPTH = 512  # steps from the root that a tree may hold


@dataclass(frozen=True)
class Plan:
    """The settings of a search: the columns of a plan in `kernels/mcts.py`, in their order.

    simulations: for a move, where matches are played in bulk. exploration: of the bonus, in sixteenths.
    width: edges tried at first; widening: how many more, in sixteenths of the root of the visits.
    random_move_rate: of 64 choices in a rollout. depth_limit: steps of a rollout. prior_bonus: the bonus of
    the edge with the best move score, in sixteenths of the others'.
    """

    simulations: int = 1000
    exploration: int = 16
    width: int = 2
    widening: int = 8
    random_move_rate: int = 4
    depth_limit: int = 1 << 20
    prior_bonus: int = 32


@dataclass(frozen=True)
class MoveStats:
    """The result of a search for one move.

    visits: simulations or rollouts through it; mean: its mean utility to the player, 0 to MAX_UTILITY;
    won: the share of them that seat 0 won, or its value from 0 to 1.
    """

    action: int
    visits: int
    mean: float
    won: float


class TreeSearcher(CompiledGame):
    """A game's rules with a tree search, and room for one search at a time.

    `memory` is the limit of its graph, in bytes. When it is full, play-outs go on from the nodes there are.
    """

    def __init__(self, game: Game, compiled: bool = True, memory: int = DEFAULT_MEMORY_BYTES) -> None:
        room = memory // NODE_BYTES
        if EDGES_PER_NODE * room < game.rules.MOST:
            least = NODE_BYTES * -(-game.rules.MOST // EDGES_PER_NODE)
            raise ValueError(
                f"a graph for {game.id} takes at least {least:,} bytes of memory, not {memory:,}"
            )
        kernel_modules = ("playouts", "mcts", "search_matches")
        module = build_module(game, "tree", kernel_modules, compiled=compiled, checked=False)
        super().__init__(game, module, compiled)
        self._roots = np.zeros(1, self.state_type)
        state = np.zeros(1, self.state_type)
        self._tree = Tree(  # the system gives memory as it is written
            nodes=np.zeros((room, NODE_COLUMNS), np.int64),
            edges=np.zeros((EDGES_PER_NODE * room, EDGE_COLUMNS), np.int64),
            values=np.zeros(room),
            slots=np.zeros(2 * room, np.int32),
            counters=self._row(np.int64, COUNTERS),
            path=self._row(np.int64, 2 * MAX_DEPTH),
            state=state,
            words=words_of(state)[0],
        )
        self._scratch = self._new_scratch()

    def utility(self, s: Any, seat: int) -> int:
        """Return the utility of a state, plain or a record, for a seat: 0 to 1000."""
        to_record(s, self._roots[0])
        return int(self._module.call_utility(self.board, self._roots[0], seat))

    def search(self, s: Any, plan: Plan, seed: int, budget: Callable[[int], int]) -> list[MoveStats]:
        """Search from a state, plain or a record: return its legal moves, best first, or chance's outcomes.

        `budget` is called again and again with the number of simulations run, and returns how many more to run;
        0 ends the search.
        """
        to_record(s, self._roots[0])
        done, fresh = 0, True
        while (n := budget(done)) > 0 or fresh:
            self._module.search(*self._arguments(plan, n, fresh, seed).values())
            done, fresh = done + n, False
        first, n = self._tree.nodes[0, [FIRST_EDGE, EDGE_COUNT]].tolist()
        found = [self._stats(edge) for edge in self._tree.edges[first : first + n].tolist()]
        return sorted(found, key=lambda move: -move.visits)

    def _arguments(self, plan: Plan, n: int, fresh: bool, seed: int) -> dict[str, Any]:
        return {
            "board": self.boards,
            "root": self._roots,
            "plan": np.array(astuple(plan)),
            "n": n,
            "fresh": fresh,
            "seed": self._word(seed),
            "tree": self._tree,
            "scratch": self._scratch,
        }

    def to_webassembly(self) -> Portable:
        """Return the search as a module of WebAssembly."""
        from smallchange.engine.compile.webassembly import translate

        columns = {"FIRST_EDGE": FIRST_EDGE, "EDGE_COUNT": EDGE_COUNT, "NODE_COLUMNS": NODE_COLUMNS}
        columns |= {"ACTION": ACTION, "EDGE_VISITS": EDGE_VISITS, "EDGE_COLUMNS": EDGE_COLUMNS}
        columns["WINS"] = WINS
        more = {"plan": asdict(Plan()), "room": len(self._tree.nodes), "columns": columns}
        return translate(self._module.module._search, self._arguments(Plan(), 0, True, 0), **more)

    def _stats(self, edge: list[int]) -> MoveStats:
        visits = edge[EDGE_VISITS]
        if visits == 0:
            return MoveStats(edge[ACTION], 0, 0.0, 0.0)
        value = float(self._tree.values[edge[CHILD]])
        second = self._roots[0].turn == 1
        return MoveStats(edge[ACTION], visits, MAX_UTILITY - value if second else value, edge[WINS] / visits)

    def play_matches(self, policy: Sequence[int | Plan], seed: int, first: int, n: int) -> tuple[Games, int]:
        """Play games as `play_games` does, with the same throws; a seat with a Plan searches before every move.

        Return the games and the number of moves searched for.
        """
        batch = self._new_batch(seed, first, n)
        searched = self._module.play_matches(
            self.boards, batch, *_settings(policy), self._tree, self._scratch, self._new_scratch()
        )
        return Games(batch.states, batch.scores, batch.steps, n), int(searched)

    def trace_match(self, policy: Sequence[int | Plan], seed: int, number: int) -> list[int]:
        """Return the actions of the game that `play_matches` plays under this seed and number, chance included."""
        steps = int(self.play_matches(policy, seed, number, 1)[0].steps[0])
        taken = np.zeros(steps, np.int64)
        batch = self._new_batch(seed, number, 1)
        self._module.trace_match(
            self.boards, batch, *_settings(policy), taken, self._tree, self._scratch, self._new_scratch()
        )
        return [int(a) for a in taken]


def _settings(policy: Sequence[int | Plan]) -> tuple[Any, Any]:
    """Return the kind of each seat's policy, and a row of its plan."""
    kinds = np.array([SEARCH if isinstance(p, Plan) else p for p in policy])
    return kinds, np.array([astuple(p if isinstance(p, Plan) else Plan()) for p in policy])
