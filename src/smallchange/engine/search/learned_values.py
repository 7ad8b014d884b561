"""Learned values from Python: evaluation, search by rollouts, games in bulk, and learning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from smallchange.core.game import Game
from smallchange.engine.compile.build import build_module
from smallchange.engine.compile.compiled_game import CompiledGame, Games
from smallchange.engine.compile.records import to_record, words_of
from smallchange.engine.kernels.afterstate_search import Afterstates, TurnRoom, ValueSearch
from smallchange.engine.kernels.playouts import SEARCH
from smallchange.engine.kernels.td_learning import Adam, Learner, Lesson
from smallchange.engine.kernels.value_net import Gradients, Net

from .mcts import MoveStats
from .value_weights import Weights, feature_sizes, read_weights

if TYPE_CHECKING:
    from smallchange.engine.compile.webassembly import Portable

MAX_TURN_ACTIONS = 16
TURN_STATES = 1 << 15  # states of a turn that are told apart
MAX_AFTERSTATES = 256  # of a turn that are told apart
MAX_LEARNED_STATES = 1024  # of a game, for each seat


@dataclass(frozen=True)
class Lookahead:
    """The settings of lookahead; see `kernels/afterstate_search.py` and `kernels/expectimax_graph.py`.

    rollouts: for each move of games in bulk; 0 to trust the net. turns: to the state that is evaluated.
    exploration: of the bonus, in thousandths of a win. candidates: afterstates that rollouts begin at. width
    and depth: of the expectimax search, for games that have one, which needs no rollouts; width 0 for none.
    heuristic_replies: 1 to let the other seats answer by move score; turns are then one's own. full_turns: 1
    to try the turn to its end where it could be evaluated before. short_rollouts: from each candidate, those
    that see one turn alone, before those of `turns`.
    """

    rollouts: int = 0
    turns: int = 1
    exploration: int = 300
    candidates: int = 16
    width: int = 64
    depth: int = 60
    heuristic_replies: int = 0
    full_turns: int = 0
    short_rollouts: int = 0

    @property
    def columns(self) -> dict[str, int]:
        """The columns of a plan in `kernels/afterstate_search.py`, in their order."""
        return {name: n for name, n in asdict(self).items() if name not in ("width", "depth")}

    @property
    def row(self) -> list[int]:
        """Its numbers, in the order of the columns."""
        return [*self.columns.values()]


class ValueSearcher(CompiledGame):
    """A game's rules with a net, and room for one search or lesson at a time."""

    kernel_modules: tuple[str, ...] = ("playouts", "afterstate_search", "td_learning")

    def __init__(self, game: Game, weights: Weights | None = None, compiled: bool = True) -> None:
        """With the weights beside the game, unless others are given. BadValues where there are none."""
        weights = weights or read_weights(game)
        kernel_modules = self.kernel_modules
        module = build_module(game, "values", kernel_modules, compiled=compiled, checked=False)
        super().__init__(game, module, compiled)
        self._adopt(weights)
        self._roots = np.zeros(1, self.state_type)
        levels = np.zeros(MAX_TURN_ACTIONS, self.state_type)
        room = TurnRoom(
            states=levels,
            words=words_of(levels),
            actions=np.zeros((MAX_TURN_ACTIONS, game.rules.MOST + 1), np.int64),
            counts=np.zeros(MAX_TURN_ACTIONS, np.int64),
            nexts=np.zeros(MAX_TURN_ACTIONS, np.int64),
            keys=np.zeros(TURN_STATES, np.int64),
            stamps=np.zeros(TURN_STATES + 1, np.int64),
        )
        self._search = ValueSearch(
            net=self.net,
            room=room,
            best=self._new_afterstates(1),
            candidates=self._new_afterstates(MAX_AFTERSTATES),
            sums=np.zeros(MAX_AFTERSTATES),
            visits=np.zeros(MAX_AFTERSTATES + 1, np.int64),
            state=np.zeros(1, self.state_type),
            scratch=self._new_scratch(),
        )

    def _adopt(self, weights: Weights) -> None:
        """Take over a copy of the weights, as rows beside which there is room to learn."""
        n, flags, _ = feature_sizes(self.game)
        self._marks = n + flags
        self._adam = Adam(np.zeros((4, weights.first.size)), np.zeros((4, weights.second.size)))
        self._adam.first[0], self._adam.second[0] = weights.first.ravel(), weights.second
        first, d_first = (self._adam.first[i].reshape(weights.first.shape) for i in (0, 1))
        self._gradients = Gradients(d_first, self._adam.second[1])
        words, summed_words = (np.zeros(-(-self._marks // 4), np.uint64) for _ in range(2))
        self.net: Net = Net(
            first=first,
            second=self._adam.second[0],
            scales=weights.scales.copy(),
            blend=np.array([weights.blend]),
            marks=words.view(np.int16),
            words=words,
            hidden=np.zeros(len(weights.second) - 1),
            summed_marks=summed_words.view(np.int16),
            summed_words=summed_words,
        )
        self._seen: Any = None

    def weights(self, **made: Any) -> Weights:
        """Return the net as it is now, and how it was made."""
        net = self.net
        return Weights(net.first.copy(), net.second.copy(), net.scales.copy(), float(net.blend[0]), made)

    def _new_afterstates(self, n: int) -> Afterstates:
        return Afterstates(np.zeros(n, self.state_type), np.zeros(n, np.int64), np.zeros(n))

    def features(self, s: Any, seat: int = 0) -> list[int]:
        """Return the features of a state, plain or a record, as a seat sees it."""
        to_record(s, self._roots[0])
        marks = self._row(np.int16, len(self.net.marks))
        self._module.call_features(self.board, self._roots[0], seat, marks)
        return [int(mark) for mark in marks[: self._marks]]

    def estimate(self, s: Any, seat: int = 0) -> float:
        """Return the net's value of a state, plain or a record, for a seat: 0 to 1."""
        to_record(s, self._roots[0])
        return float(self._module.call_net_value(self.board, self._roots[0], seat, self.net))

    def search(
        self, s: Any, plan: Lookahead, seed: int, budget: Callable[[int], int], most: int = 1 << 40
    ) -> list[MoveStats]:
        """Look ahead from a state at a player's step: each legal move by its best afterstate, best first.

        `budget` is called again and again with the number of rollouts run, and returns how many more to run; 0 ends
        the search. It will run no more than `most` in all: those that cannot change the best move are left out.
        """
        to_record(s, self._roots[0])
        done, fresh = 0, True
        while (n := budget(done)) > 0 or fresh:
            self._module.search_afterstates(*self._arguments(plan, n, most, fresh, seed).values())
            done, fresh = done + n, False
        return self._move_stats()

    def _arguments(self, plan: Lookahead, n: int, most: int, fresh: bool, seed: int) -> dict[str, Any]:
        return {
            "board": self.boards,
            "root": self._roots,
            "plan": np.array(plan.row),
            "n": n,
            "most": most,
            "fresh": fresh,
            "seed": self._word(seed),
            "search": self._search,
        }

    def to_webassembly(self) -> Portable:
        """Return the search as a module of WebAssembly, to which the net is given."""
        from smallchange.engine.compile.webassembly import translate

        more = {"plan": Lookahead().columns, "room": MAX_AFTERSTATES}
        entry = self._module.module._search_afterstates
        return translate(entry, self._arguments(Lookahead(), 0, 0, True, 0), **more)

    def afterstates(self) -> list[MoveStats]:
        """Return the afterstates that the last search knew, best first by the net, each with its first action."""
        search, found = self._search, []
        for i in range(int(search.visits[MAX_AFTERSTATES])):
            visits = int(search.visits[i])
            value = float(search.candidates.values[i] + search.sums[i]) / (1 + visits)
            found.append(MoveStats(int(search.candidates.actions[i]), visits, 1000 * value, value))
        return found

    def _move_stats(self) -> list[MoveStats]:
        """Return the root's actions by the most looks, then by the net; those with no kept end come last."""
        best: dict[int, MoveStats] = {}
        for state in self.afterstates():
            if state.action not in best or best[state.action].visits < state.visits:
                best[state.action] = state
        for action in self.actions(self._roots[0]):
            best.setdefault(action, MoveStats(action, 0, 0.0, 0.0))
        return sorted(best.values(), key=lambda move: -move.visits)

    def play_matches(
        self, policy: Sequence[int | Lookahead], seed: int, first: int, n: int
    ) -> tuple[Games, int]:
        """Play games as `play_games` does, with the same throws; a seat with a Lookahead plays by the net.

        Return the games and the number of moves searched for.
        """
        batch = self._new_batch(seed, first, n)
        kinds = np.array([SEARCH if isinstance(p, Lookahead) else p for p in policy])
        plans = np.array([(p if isinstance(p, Lookahead) else Lookahead()).row for p in policy])
        scratch = self._new_scratch()
        moves = self._module.play_by_values(self.boards, batch, kinds, plans, self._search, scratch)
        return Games(batch.states, batch.scores, batch.steps, n), int(moves)

    def learn(self, seed: int, first: int, n: int, lesson: Lesson) -> Any:
        """Play games number first.. of a seed, and learn from them (`kernels/td_learning.py`).

        Return the utility of each end to seat 0, float64[n], 0 to 1000.
        """
        if self._seen is None:
            self._seen = np.zeros((self._seats, MAX_LEARNED_STATES, len(self.net.marks)), np.int16)
        results, begin = np.zeros(n), np.zeros(1, self.state_type)
        begin[0] = self.start()
        learner = Learner(
            search=self._search,
            gradients=self._gradients,
            adam=self._adam,
            state=self._roots,
            marks=self._seen,
            values=np.zeros((self._seats, MAX_LEARNED_STATES)),
            counts=np.zeros(self._seats, np.int64),
            scratch=self._new_scratch(),
        )
        self._module.learn_games(self.boards, begin, results, self._word(seed), first, lesson, learner)
        return results


def set_scales(searcher: ValueSearcher, seed: int, games: int, most: float) -> None:
    """Set the scales of the features, so that each varies by about 1 in games by move scores.

    No feature is scaled up more than `most` times.
    """
    rows = []
    for number in range(games):
        if searcher._seen is not None:
            searcher._seen[:] = 0
        searcher.learn(seed, number, 1, Lesson(0.0, heuristic=True, batch=2))
        seen = searcher._seen[0]
        rows.append(seen[seen.any(1)])
    scales = searcher.net.scales
    spread = np.concatenate(rows)[:, : len(scales)].astype(np.float64).std(0)
    scales[:] = np.minimum(most, 1 / (spread + 0.1))
    for gradients in searcher._gradients:
        gradients[:] = 0
