"""A game's rules over records: compiled, or run by Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from smallchange.core.errors import IllegalMove
from smallchange.core.game import Game, game_of
from smallchange.core.state import CHANCE, OVER, Fields
from smallchange.engine.kernels.playouts import GREEDY, NO_STEP_LIMIT, RANDOM, Batch, Scratch

from .build import EntryPoints, build_module
from .records import record_type, records, to_plain

Record = Any  # a record of a board or a state, of NumPy
Row = Any  # an array or a list of integers
RULES = ("setup", "legal", "odds", "source", "play", "score", "move_score")


class CompiledGame:
    """A game's rules over records: functions of its `rules.py` and `heuristic.py`, and whole games in bulk.

    The functions take `b`, the record of the board (`board`), and `s`, the record of a state, which `play`
    changes. `out` and `weights` have room for MOST + 1 numbers.
    """

    setup: Callable[[Record, Record], None]  # (b, s): the first state, into a record of zeros
    legal: Callable[[Record, Record, Row], int]  # (b, s, out): how many actions are in out
    odds: Callable[[Record, Record, Row, Row], int]  # (b, s, out, weights): how many actions are in out
    source: Callable[[Record, Record], int]  # (b, s): the source of chance that decides
    play: Callable[[Record, Record, int], None]  # (b, s, action)
    score: Callable[[Record, Record, int], int]  # (b, s, seat)
    move_score: Callable[[Record, Record, int, Record], int]  # (b, s, action, state after it)

    def __init__(self, game: Game, module: EntryPoints, compiled: bool) -> None:
        self.game = game
        self.text: str = module.text
        self.compiled = compiled
        self._word: Any = np.uint64 if compiled else int  # of a seed
        self._module = module
        self._seats = len(game.seats)
        for name in RULES:
            setattr(self, name, getattr(module, f"call_{name}"))
        if module.checked:
            self.play = self._play_checked
        self.boards: Any = records(game.board)
        self.board: Record = self.boards[0]
        self.state_type: np.dtype[Any] = record_type(game.state_type)

    def __reduce__(self) -> Any:
        """Return the function and the arguments of a copy. Its code is read from disk, or compiled anew."""
        if type(self) is not CompiledGame:
            raise TypeError(f"a {type(self).__name__} cannot be copied; compile it where it is used")
        arguments = (self.game, self._module.checked) if self.compiled else (self.game,)
        return compile_game if self.compiled else interpret_game, arguments

    def _play_checked(self, b: Record, s: Record, a: int) -> None:
        """Take a step, as `play` does. IllegalMove if it is not possible."""
        possible = [] if s.turn == OVER else self.chances(s)[0] if s.turn == CHANCE else self.actions(s)
        if a not in possible:
            raise IllegalMove(f"{a!r:.80} is no possible action now; possible: {possible}")
        self._module.call_play(b, s, a)

    def record(self, plain: Fields) -> Any:
        """Return a new state record with the values of a plain state."""
        return records(plain)[0]

    def start(self) -> Any:
        """Return a new state record, as it is before the first step."""
        return self.record(self.game.start().s)

    def plain(self, s: Any) -> Fields:
        """Return the plain object of a state record."""
        return to_plain(self.game.state_type, s)

    def actions(self, s: Any) -> list[int]:
        """Return the legal actions of a state record at a player's step, ascending."""
        out = self._row(np.int64)
        return [int(a) for a in out[: self.legal(self.board, s, out)]]

    def chances(self, s: Any) -> tuple[list[int], list[int]]:
        """Return the possible actions of a state record at a chance step, ascending, and their weights."""
        out, weights = self._row(np.int64), self._row(np.int64)
        n = self.odds(self.board, s, out, weights)
        return [int(a) for a in out[:n]], [int(w) for w in weights[:n]]

    def play_games(
        self, policy: list[int], seed: int, first: int, n: int, limit: int = NO_STEP_LIMIT
    ) -> Games:
        """Play n games, numbers first.. of `seed`, under a policy (RANDOM, GREEDY) for each seat.

        ValueError for a policy, seed or number that is not accepted.
        """
        if len(policy) != self._seats:
            raise ValueError(f"a policy for each of {self._seats} seats is needed, not {len(policy)}")
        if any(p not in (RANDOM, GREEDY) for p in policy):
            raise ValueError(f"a policy is RANDOM ({RANDOM}) or GREEDY ({GREEDY}); not {policy}")
        seed = check_seed(seed)
        if first < 0:
            raise ValueError(f"the first game's number must be 0 or more, not {first}")
        batch = self._new_batch(seed, first, n)
        ended = self._module.play_games(self.boards, batch, np.array(policy), limit, self._new_scratch())
        return Games(batch.states, batch.scores, batch.steps, int(ended))

    def trace_game(self, policy: list[int], seed: int, number: int) -> list[int]:
        """Return the actions of the game that `play_games` plays under this seed and number, chance included."""
        steps = int(self.play_games(policy, seed, number, 1).steps[0])
        taken = np.zeros(steps, np.int64)
        batch = self._new_batch(check_seed(seed), number, 1)
        self._module.trace_game(self.boards, batch, np.array(policy), taken, self._new_scratch())
        return [int(a) for a in taken]

    def perft(self, s: Any, depth: int) -> int:
        """Return the number of sequences of exactly `depth` steps from a state record; 1 for depth 0."""
        if depth < 1:
            return 1
        states = np.zeros(depth, self.state_type)
        states[0] = s
        outs = np.zeros((depth, self.game.rules.MOST + 1), np.int64)
        sizes, places = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
        return int(
            self._module.count_lines(self.boards, states, outs, self._row(np.int64), sizes, places, depth)
        )

    def _new_batch(self, seed: int, first: int, n: int) -> Batch:
        """Return n games from the start, numbers first.. of a seed."""
        states = np.zeros(n, self.state_type)
        states[:] = self.start()
        scores, steps = np.zeros((n, self._seats), np.int64), np.zeros(n, np.int64)
        return Batch(states, scores, steps, self._word(seed), first)

    def _new_scratch(self) -> Scratch:
        """Return room for one step at a time, with a random stream for each seat and object."""
        streams = self._row(np.uint64, self._seats + len(self.game.sources))
        spare = np.zeros(1, self.state_type)
        return Scratch(self._row(np.int64), self._row(np.int64), spare, streams, self._seats)

    def _row(self, kind: Any, length: int = 0) -> Any:
        length = length or self.game.rules.MOST + 1
        return np.zeros(length, kind) if self.compiled else [0] * length


def check_seed(seed: object) -> int:
    """Return a seed as an int. ValueError if it is not a whole number from 0 to 2^64 - 1."""
    if not isinstance(seed, (int, np.integer)) or not 0 <= seed < 1 << 64:
        raise ValueError(f"the seed must be a whole number from 0 to 2^64 - 1, not {seed!r:.80}")
    return int(seed)


class Games(NamedTuple):
    """The results of n games played in bulk."""

    states: NDArray[Any]  # [n], the last of each
    scores: NDArray[np.int64]  # [n, seats]; 0 where a game has not ended
    steps: NDArray[np.int64]  # [n]
    ended: int  # how many ended within the limit


def compile_game(game: Game | str, checked: bool | None = None) -> CompiledGame:
    """Compile the rules of a game by Numba; the code is kept on disk.

    `checked` raises RulesIndexError, which is an IndexError, where an index lies outside its array, and IllegalMove
    where `play` gets an action that is not possible; by default the environment's SMALLCHANGE_CHECKED decides.
    """
    game = game_of(game)
    return CompiledGame(game, build_module(game, "", checked=checked), compiled=True)


def interpret_game(game: Game | str) -> CompiledGame:
    """Run the text that is compiled by Python over NumPy records: slow, and strict."""
    game = game_of(game)
    return CompiledGame(game, build_module(game, "", compiled=False, checked=False), compiled=False)
