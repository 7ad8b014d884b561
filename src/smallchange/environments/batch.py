"""Many games of one kind stepped at once, as arrays.

>>> import smallchange
>>> game = smallchange.game(smallchange.games()[0])
>>> games = smallchange.batch(game, 4, seed=1)
>>> view = games.reset()
>>> view.observation.shape == (4, game.observation_size), view.mask.shape == (4, game.num_actions)
(True, True)
>>> view = games.step(games.sample())
>>> view.done.tolist()
[False, False, False, False]
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from smallchange.core.errors import BadPolicy, IllegalMove
from smallchange.core.game import Game
from smallchange.core.observation import observe
from smallchange.core.state import Fields
from smallchange.engine import GREEDY, RANDOM, check_seed, record_type, records, to_plain
from smallchange.engine.compile.build import EntryPoint, EntryPoints, build_module
from smallchange.engine.kernels import environments as kernel
from smallchange.engine.kernels.environments import LEARNER, NO_ROOM
from smallchange.engine.kernels.playouts import Scratch

from .copies import Copies

__all__ = ["OPPONENTS", "Batch", "FinishedGames", "View"]

OPPONENTS = {"greedy": GREEDY, "random": RANDOM}
ROOM_PER_GAME, MIN_ROOM = 8, 64  # for the games that end within one step
MAX_GAMES = 1 << 20


class FinishedGames(NamedTuple):
    """The games that ended in one step, k of them, in the order of their endings.

    A game that ends before the learner's first choice has `choices` 0. It is counted here and nowhere else:
    the place in the batch goes on with the next game.
    """

    place: NDArray[np.int64]  # [k] the place in the batch
    number: NDArray[np.int64]  # [k] the number of the game under the seed
    scores: NDArray[np.int64]  # [k, seats] by the rulebook, higher is better
    outcomes: NDArray[np.int64]  # [k, seats] 1 won, 0 drawn, -1 lost
    steps: NDArray[np.int64]  # [k] steps taken, those of chance and of opponents included
    choices: NDArray[np.int64]  # [k] .. those of the learner


class View(NamedTuple):
    """All that a learner sees after a step. Where `done`, all but `reward` and `final` is of the next game."""

    observation: NDArray[np.uint8]  # [n, observation_size] zeros and ones
    mask: NDArray[np.bool_]  # [n, num_actions] the legal actions
    turn: NDArray[np.int8]  # [n] the seat to move
    reward: NDArray[np.float32]  # [n, seats] at an end 1 won, 0 drawn, -1 lost (0 in a game for one); else 0
    done: NDArray[np.bool_]  # [n] did the game end in this step?
    final: NDArray[np.uint8]  # [done.sum(), observation_size] the last positions of the games that are done
    finished: FinishedGames


class Batch:
    """n games of one kind, stepped at once by the compiled rules. `smallchange.batch` makes it.

    The game in place i plays the games number i, i + n, i + 2 n, .. of the seed; their throws are those of
    `simulate`, of experiments and of `one_game` under that seed.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int | None = None,
        opponents: Sequence[str | None] | None = None,
        copy: bool = True,
        compiled: bool = True,
    ) -> None:
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 1 <= n <= MAX_GAMES:
            raise ValueError(f"the number of games must be from 1 to {MAX_GAMES:,}, not {n!r:.80}")
        self.game = game
        self.n: int = int(n)
        self.num_actions: int = game.num_actions
        self.observation_size: int = game.observation_size
        self._copy = copy
        self._policy = _policies(game, opponents)
        self._opponents = opponents and tuple(opponents)
        self._module: EntryPoints = build_module(
            game,
            "environments",
            ("environments",),
            compiled=compiled,
            checked=None if compiled else False,
        )
        self._compiled = compiled
        self._boards = records(game.board)
        self._first = records(game.start().s)
        self._table = _table(game)
        self._views = self._new_views()
        self._observations, self._masks = Copies(self._views.observation), Copies(self._views.mask)
        self._ended = self._new_ended()
        self._scratch = self._new_scratch()
        self._games = self._new_games()
        self._before_first = np.arange(-self.n, 0)
        self._typed: dict[str, Callable[..., int]] = {}
        self.is_dealt: bool = False
        self.seed: int = secrets.randbits(62) if seed is None else check_seed(seed)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the games as they stand; the compiled rules are loaded anew."""
        made_by = (self.game, self.n, self.seed, self._opponents, self._copy, self._compiled)
        return type(self), made_by, (self.is_dealt, self._buffers())

    def __setstate__(self, state: tuple[bool, list[Any]]) -> None:
        self.is_dealt, saved = state
        for buffer, content in zip(self._buffers(), saved, strict=True):
            buffer[:] = content

    def _buffers(self) -> list[Any]:
        """Return all arrays that say how the games stand and their observations."""
        g = self._games
        games = [g.states, self._seen, g.streams, g.numbers, g.steps, g.choices, g.seed]
        return [*games, *self._views, *self._ended]

    def reset(self, seed: int | None = None) -> View:
        """Deal every game anew: the first games of a seed, which is the last one unless given. Return the view."""
        self.deal(seed)
        return self._view()

    def deal(self, seed: int | None = None) -> None:
        """Do as `reset`, and make no view: observations stand in `buffers`."""
        self.seed = self.seed if seed is None else check_seed(seed)
        self._games.seed[0] = self.seed
        self._games.numbers[:] = self._before_first
        self._call("reset_games")
        self.is_dealt = True

    def step(self, actions: Any) -> View:
        """Take an action in every game, then play chance and opponents until the learner is to move.

        actions[n] of integers. A game that ends is replaced by the next one at once. IllegalMove, which names
        the first game with an illegal action, changes nothing. ValueError for other shapes and kinds.
        """
        self.take(self.checked_actions(actions))
        return self._view()

    def checked_actions(self, actions: Any) -> NDArray[np.int64]:
        """Return actions as `take` needs them. ValueError for other shapes and kinds, or before a deal."""
        self.require_deal()
        try:
            chosen = np.asarray(actions)
        except ValueError:  # lists of several lengths
            chosen = np.array(None)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be {self.n} whole numbers, one for each game, not an array of shape "
                f"{chosen.shape} and type {chosen.dtype}"
            )
        return np.ascontiguousarray(chosen, np.int64)

    def take(self, actions: NDArray[np.int64]) -> None:
        """Do as `step` with actions[n] in one piece of memory, whose shape is not checked; make no view."""
        code = self._call("step_games", actions)
        if code < 0:
            raise IllegalMove(self._refusal(-1 - code, int(actions[-1 - code])))

    def truncate(self, most: int) -> NDArray[np.bool_]:
        """Replace each game that has had `most` choices by the next one; return which [n].

        Their last observations stand in `buffers.final`.
        """
        cut: NDArray[np.bool_] = self._games.choices >= most
        self._call("truncate_games", cut)
        return cut

    def stepper(self, actions: NDArray[np.int64]) -> Callable[[], int]:
        """Return a function that takes the actions that then stand in `actions`, in the least time.

        It returns -1 - i where the action of game i, the first of such games, is not legal, and nothing has
        changed. The games are dealt before.
        """
        function = self._module.step_games
        illegal = np.full(self.n, -1)
        function(*self._everything, illegal)  # this compiles it
        return partial(
            function.machine_code() if isinstance(function, EntryPoint) else function,
            *self._everything,
            actions,
        )

    @property
    def _everything(self) -> tuple[Any, ...]:
        """The arguments that all functions of the kernel take first."""
        return (
            self._boards, self._games, self._views, self._ended, self._policy, self._table, self._scratch
        )  # fmt: skip

    @property
    def buffers(self) -> kernel.Views:
        """The arrays that views are made of, which change with every step and are not to be written."""
        return self._views

    def _call(self, name: str, *arguments: Any) -> int:
        """Call a function of the kernel on the games. RuntimeError where no game has a choice."""
        function = self._typed.get(name)
        if function is None:
            entry = getattr(self._module, name)
            code = entry(*self._everything, *arguments)
            self._typed[name] = entry.machine_code() if isinstance(entry, EntryPoint) else entry
        else:
            code = function(*self._everything, *arguments)
        if code == NO_ROOM:
            raise RuntimeError(f"{self.game!r} ends again and again before the learner has a choice")
        return int(code)

    def sample(self) -> NDArray[np.int64]:
        """Return a random legal action for each game [n].

        The seed decides them: a batch that takes them plays the games of the policy `random`.
        """
        self.require_deal()
        actions = np.zeros(self.n, np.int64)
        word: Any = np.zeros(1, np.uint64) if self._compiled else [0]
        self._module.sample_actions(self._games, self._views, word, actions)
        return actions

    @property
    def states(self) -> NDArray[Any]:
        """The states [n] as a structured array, a field for each of the game's State: a view, not to be written."""
        self.require_deal()
        states: NDArray[Any] = self._games.states.view()
        states.flags.writeable = False
        return states

    @property
    def ended_games(self) -> kernel.EndedGames:
        """The arrays that `finished` is made of, which change with every step."""
        return self._ended

    @property
    def num_finished(self) -> int:
        """The number of games that ended in the last step."""
        return int(self._ended.room[0])

    def finished_games(self) -> FinishedGames:
        """Return the games that ended in the last step."""
        e, k = self._ended, self.num_finished
        return FinishedGames(
            e.place[:k].copy(), e.number[:k].copy(), e.scores[:k].copy(), e.values[:k].copy(),
            e.steps[:k].copy(), e.choices[:k].copy(),
        )  # fmt: skip

    def plain_state(self, i: int) -> Fields:
        """Return the state of game i as a plain object."""
        return to_plain(self.game.state_type, self._games.states[i])

    def _refusal(self, i: int, action: int) -> str:
        token = self.game.tokens.get(action)
        legal = self._views.legal[i, : self._views.counts[i]].tolist()
        name = f"{action} ({token})" if token else str(action)
        return f"action {name} of game {i} is not legal; legal there: {' '.join(map(str, legal))}"

    def require_deal(self) -> None:
        """Raise ValueError where the games are not dealt yet."""
        if not self.is_dealt:
            raise ValueError("the games are not dealt yet: call reset() first")

    def _view(self) -> View:
        v, hand_out = self._views, self._hand_out
        observation, mask = hand_out(self._observations, v.observation), hand_out(self._masks, v.mask)
        return View(
            observation,
            mask,
            v.mover.copy(),
            v.reward.copy(),
            v.done.copy(),
            v.final[v.done],
            self.finished_games(),
        )

    def _hand_out(self, copies: Copies, array: Any) -> Any:
        """Return a large array as the caller gets it: a copy, or a view that cannot be written."""
        if self._copy:
            return copies.take()
        shown = array.view()
        shown.flags.writeable = False
        return shown

    def _new_games(self) -> kernel.Games:
        """Return the games before the first deal, shown as at their start."""
        n, kind = self.n, record_type(self.game.state_type)
        states, self._seen = np.zeros(n, kind), np.zeros(n, kind)
        self._seen[:] = self._first[0]
        streams: Any = np.zeros((n, len(self.game.seats) + len(self.game.sources)), np.uint64)
        seed: Any = np.zeros(1, np.uint64)
        if not self._compiled:
            streams, seed = streams.astype(object), [0]
        self._views.observation[:] = np.array(observe(self.game.start().s), np.uint8)
        return kernel.Games(
            self._first,
            states,
            streams,
            np.arange(-n, 0),
            np.zeros(n, np.int64),
            np.zeros(n, np.int64),
            _words(states, 2),
            _words(states, 4),
            _words(states, 8),
            _words(self._seen, 2),
            _words(self._seen, 4),
            _words(self._seen, 8),
            seed,
        )

    def _new_views(self) -> kernel.Views:
        n, size, seats = self.n, self.observation_size, len(self.game.seats)
        return kernel.Views(
            observation=np.zeros((n, size), np.uint8),
            mask=np.zeros((n, self.num_actions), np.bool_),
            legal=np.zeros((n, self.game.rules.MOST + 1), np.int64),
            counts=np.zeros(n, np.int64),
            reward=np.zeros((n, seats), np.float32),
            done=np.zeros(n, np.bool_),
            mover=np.zeros(n, np.int8),
            final=np.zeros((n, size), np.uint8),
        )

    def _new_ended(self) -> kernel.EndedGames:
        room, seats = max(ROOM_PER_GAME * self.n, MIN_ROOM), len(self.game.seats)
        numbers = [np.zeros(room, np.int64) for _ in range(4)]
        by_seat = [np.zeros((room, seats), np.int64) for _ in range(2)]
        return kernel.EndedGames(np.zeros(1, np.int64), *numbers, *by_seat)

    def _new_scratch(self) -> Scratch:
        most, seats = self.game.rules.MOST + 1, len(self.game.seats)
        streams: Any = np.zeros(seats + len(self.game.sources), np.uint64)
        if not self._compiled:
            streams = [0] * len(streams)
        spare = np.zeros(1, record_type(self.game.state_type))
        return Scratch(np.zeros(most, np.int64), np.zeros(most, np.int64), spare, streams, seats)


def _policies(game: Game, opponents: Sequence[str | None] | None) -> NDArray[np.int64]:
    """Return the policy of each seat. BadPolicy where the opponents are not as `smallchange.batch` says."""
    given = list(opponents) if opponents is not None else [None] * len(game.seats)
    known = all(name is None or name in OPPONENTS for name in given)
    if isinstance(opponents, str) or len(given) != len(game.seats) or not known or None not in given:
        raise BadPolicy(
            f"opponents are one of {', '.join(OPPONENTS)} for each of the seats {', '.join(game.seats)}, "
            f"and None for a seat of the learner, of which there is at least one; not {opponents!r:.80}"
        )
    return np.array([LEARNER if name is None else OPPONENTS[name] for name in given])


def _words(states: Any, size: int) -> Any:
    """Return records as rows of numbers of so many bytes, a view; an empty place where they hold none."""
    if states.itemsize % size:
        return np.zeros((1, 1), f"i{size}")
    return states.view(f"i{size}").reshape(len(states), -1)


def _table(game: Game) -> NDArray[np.int64]:
    """Return where each number of a state is in its record and in an observation, as the kernel takes it."""
    places = record_type(game.state_type).fields
    rows = []
    for field in game.observed_fields:
        size = game.state_type.ranges[field.name].bytes
        first = places[field.name][1] // size  # type: ignore[index]
        for i in range(field.length):
            is_one_hot = int(field.coding == "one-hot")
            rows.append((size, first + i, is_one_hot, field.start + i * field.width, field.low))
    return np.array(rows, np.int64)
