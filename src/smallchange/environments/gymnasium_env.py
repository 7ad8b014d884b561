"""One game as a Gymnasium environment: `gymnasium.make("smallchange/..-v0", **options)`."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from random import Random
from typing import Any, ClassVar, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from smallchange import bots
from smallchange.core.errors import BadOption, BadPolicy, IllegalMove
from smallchange.core.game import Game, Position, complete_game
from smallchange.core.observation import fields_of

from .batch import OPPONENTS, Batch
from .pictures import pixels, text_picture

__all__ = [
    "MAX_SEED", "NOT_DEALT", "GameEnv", "Opponent", "action_number", "game_of", "seat_of", "split_opponent",
]  # fmt: skip

Observation = NDArray[np.int8]
Opponent = str | Callable[[Position], str] | None
MAX_SEED = 1 << 62
LOST = -1.0  # the reward of an illegal action
NOT_DEALT = "no game is dealt yet: call reset() first"
DERIVED = frozenset(  # attributes of an environment that are made anew in a copy
    (
        "_outside",
        "_action",
        "_step",
        "_shown",
        "_current",
        "_final",
        "_legal",
        "_done",
        "_rewards",
        "_nothing",
    )
)


class GameEnv(gymnasium.Env[Observation, np.int64]):
    """A game for one player, or a seat of a game for two against an opponent.

    `options` are the game's own. In a game for two `opponent` is the name of a bot or a function from a
    position to a token, and `seat` the player that learns, by default the one that moves first. The reward
    comes at the end: 1 for a win, 0 for a draw, -1 for a loss, which is 0 in a game for one.

    An illegal action ends the game with reward -1, and `info["illegal_action"]` says what was legal; with
    `illegal_action="raise"` it raises IllegalMove. `info["action_mask"]`, int8 as `action_space.sample(mask)` demands,
    and `action_masks()`, bool, tell the legal ones. A deal that ends before the first choice is passed over and
    counted in `info["passed_over"]`.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["ansi", "rgb_array", "human"],
        "render_fps": 4,
    }

    def __init__(
        self,
        game: str | Game,
        render_mode: str | None = None,
        opponent: Opponent = None,
        seat: str | None = None,
        illegal_action: Literal["lose", "raise"] = "lose",
        **options: Any,
    ) -> None:
        self.game: Game = game_of(game, options)
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(self.metadata["render_modes"])
            raise ValueError(f"unknown render_mode {render_mode!r}; the modes are: {modes}")
        if illegal_action not in ("lose", "raise"):
            raise ValueError(f"illegal_action is 'lose' or 'raise', not {illegal_action!r}")
        self.render_mode = render_mode
        self._raises = illegal_action == "raise"
        self._seat = seat_of(self.game, seat)
        self._opponent = opponent
        inside, _ = split_opponent(self.game, self._seat, opponent)
        self._batch = Batch(self.game, 1, 0, inside, copy=False)
        self._batch.deal()
        self._luck = Random(0)
        self._is_open = self._is_dealt = False
        self._last: Observation = np.zeros(self.game.observation_size, np.int8)
        self._mask = np.zeros(self.game.num_actions, np.int8)
        self._bind()
        self.action_space: gymnasium.spaces.Space[Any] = gymnasium.spaces.Discrete(self.game.num_actions)
        self.observation_space: gymnasium.spaces.Space[Any] = gymnasium.spaces.MultiBinary(
            self.game.observation_size
        )

    def _bind(self) -> None:
        """Make the attributes derived from the batch and the opponent: functions, and views of arrays."""
        self._outside = split_opponent(self.game, self._seat, self._opponent)[1]
        self._action = np.zeros(1, np.int64)
        self._step = self._batch.stepper(self._action)
        shown = self._shown = self._batch.buffers
        self._current, self._final = (it.view(np.int8)[0] for it in (shown.observation, shown.final))
        self._legal, self._done, self._rewards = shown.mask.view(np.int8)[0], shown.done, shown.reward[0]
        self._nothing = np.zeros(self.game.num_actions, np.int8)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle and copy: the game as it stands, less the attributes that `_bind` makes."""
        return {name: value for name, value in vars(self).items() if name not in DERIVED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a game. The same `seed` deals the same game, and then the same games after it."""
        super().reset(seed=seed)
        passed_over = 0
        while True:
            self._batch.deal(int(self.np_random.integers(MAX_SEED)))
            passed_over += self._batch.num_finished
            if self._outside is None:
                break
            self._luck = Random(self._batch.seed)
            if not self._answer():  # the opponent's first moves may end it
                break
            passed_over += 1
        self._is_open = self._is_dealt = True
        self._show(over=False)
        if self.render_mode == "human":
            self.render()
        return self._last, {"action_mask": self._mask, "passed_over": passed_over}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action, then play chance and the opponent until the next choice or the end."""
        if not self._is_open:
            raise gymnasium.error.ResetNeeded(
                "the game is over: call reset() first" if self._is_dealt else NOT_DEALT
            )
        number = action_number(action)
        if not 0 <= number < len(self._legal):
            return self._forfeit(number)
        self._action[0] = number
        if self._step() < 0:
            return self._forfeit(number)
        over = self._done.item() or (self._outside is not None and self._answer())
        self._is_open = not over
        self._show(over)
        info: dict[str, Any] = {"action_mask": self._mask}
        if over:
            ended_games = self._batch.ended_games
            info["score"] = ended_games.scores[0, self._seat].item()
            info["outcome"] = ended_games.values[0, self._seat].item()
            info["steps"] = ended_games.steps[0].item()
        if self.render_mode == "human":
            self.render()
        return self._last, self._rewards[self._seat].item() if over else 0.0, over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal [num_actions]; none is after the end. ResetNeeded before a reset."""
        self._require_deal()
        return self._mask.astype(np.bool_)

    @property
    def position(self) -> Position:
        """The position that was observed last. ResetNeeded before a reset."""
        self._require_deal()
        return Position(self.game, fields_of(self.game.state_type, self._last.tolist()))

    def render(self) -> Any:
        """Return the position as text or as pixels [height, width, 3], or print it, as `render_mode` says."""
        if self.render_mode == "ansi":
            return text_picture(self.position)
        if self.render_mode == "rgb_array":
            return pixels(self.position)
        if self.render_mode == "human":
            sys.stdout.write(text_picture(self.position))
        return None

    def _require_deal(self) -> None:
        if not self._is_dealt:
            raise gymnasium.error.ResetNeeded(NOT_DEALT)

    def _show(self, over: bool) -> None:
        """Take new arrays of what is shown."""
        self._last = (self._final if over else self._current).copy()
        self._mask = self._nothing.copy() if over else self._legal.copy()

    def _forfeit(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """End the game because of an illegal action."""
        legal = " ".join(map(str, np.flatnonzero(self._mask)))
        why = f"action {action} is not legal; legal: {legal}"
        if self._raises:
            raise IllegalMove(why)
        self._is_open = False
        self._last, self._mask = self._last.copy(), np.zeros_like(self._mask)
        return self._last, LOST, True, False, {"action_mask": self._mask, "illegal_action": why}

    def _answer(self) -> bool:
        """Let an opponent from outside play until the learner is to move; return whether the game is over."""
        shown = self._shown
        while self._outside is not None and shown.mover[0] != self._seat:
            position = Position(self.game, self._batch.plain_state(0))
            self._action[0] = position.action(self._outside(position, self._luck))
            self._batch.take(self._action)
            if shown.done[0]:
                return True
        return False


def action_number(action: Any) -> int:
    """Return an action as a whole number. ValueError for anything else: 3.0, True, None, a text, an array of two.

    >>> action_number(np.array(3))
    3
    """
    try:
        if not isinstance(action, bool):
            return operator.index(action)
    except TypeError:
        pass
    raise ValueError(f"an action is a whole number, not {action!r:.80}")


def game_of(game: str | Game, options: dict[str, Any]) -> Game:
    """Return a complete game with these options. UnknownGame, BadOption."""
    if isinstance(game, str):
        return complete_game(game, options)
    if options:
        raise BadOption(f"a Game has its options already; not {', '.join(options)} too")
    return game


def seat_of(game: Game, seat: str | None) -> int:
    """Return the number of the learner's seat. ValueError where the game has no such player."""
    if seat is not None and seat not in game.seats:
        raise ValueError(f"unknown seat {seat!r}; the seats are: {', '.join(game.seats)}")
    return 0 if seat is None else game.seats.index(seat)


def split_opponent(
    game: Game, seat: int, opponent: Opponent
) -> tuple[list[str | None], Callable[[Position, Random], str] | None]:
    """Return the opponent at each seat that compiled rules play, or else the function that plays it.

    BadPolicy where the game has no such bot, needs an opponent, or has room for none.
    """
    inside: list[str | None] = [None] * len(game.seats)
    if len(game.seats) == 1:
        if opponent is not None:
            raise BadPolicy(f"{game.id} is for one player; an opponent needs a game for two")
        return inside, None
    if opponent is None:
        raise BadPolicy(f"{game.id} is for two: name an opponent, one of {', '.join(bots.names(game))}")
    if callable(opponent):
        return inside, lambda position, luck: opponent(position)
    level = bots.level(opponent, game)
    if level.engine in OPPONENTS and not level.blunders:
        name = level.engine
        return [None if i == seat else name for i in range(len(game.seats))], None
    if level.install_advice:
        raise BadPolicy(level.install_advice.en)
    wait = bots.COMPILE_TIMEOUT_S
    return inside, lambda position, luck: level.choose(position, bots.MOVE_TIME_S, luck, wait)
