"""Many games of one kind as a Gymnasium vector environment, stepped by the compiled rules.

`gymnasium.make_vec("smallchange/..-v0", num_envs=1024, vectorization_mode="vector_entry_point")`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import error, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from smallchange.core.errors import BadPolicy
from smallchange.core.game import Game, Position

from .batch import OPPONENTS, Batch
from .copies import Copies
from .gymnasium_env import MAX_SEED, NOT_DEALT, Opponent, game_of, seat_of, split_opponent
from .pictures import pixels, text_picture

__all__ = ["GameVectorEnv"]

Observations = NDArray[np.int8]
CLOSED = "the environment is closed: make another"
DERIVED = frozenset(("_shown", "_arrays", "_copies"))  # attributes that are made anew in a copy


class GameVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games, each replaced by the next within the step in which it ends.

    Arguments are those of `GameEnv`; an opponent is `greedy` or `random`. After `max_episode_steps` choices a
    game is truncated. `info["action_mask"]` [num_envs, num_actions] tells the legal actions; IllegalMove for
    another one, and nothing has changed. Where a game ended, `final_obs` has its last observation and
    `final_info` its last info; `score`, `outcome` and `steps` tell its result. `passed_over` counts the deals
    that ended before a choice. `copy=False` spares copies: arrays then change with the next step.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        render_mode: str | None = None,
        opponent: Opponent = None,
        seat: str | None = None,
        copy: bool = True,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        **options: Any,
    ) -> None:
        self.game: Game = game_of(game, options)
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(self.metadata["render_modes"])
            raise ValueError(f"unknown render_mode {render_mode!r}; the modes are: {modes}")
        self._seat = seat_of(self.game, seat)
        inside, outside = split_opponent(self.game, self._seat, opponent)
        if outside is not None:
            names = ", ".join(OPPONENTS)
            raise BadPolicy(f"an opponent of many games at once is one of {names}, not {opponent!r:.80}")
        _require_same_step(autoreset_mode)
        self._max_steps = _checked_max_steps(max_episode_steps)
        self._batch = Batch(self.game, num_envs, 0, inside, copy=False)
        self._copy = copy
        self._bind()
        self._everywhere = np.ones(num_envs, np.bool_)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_action_space: spaces.Space[Any] = spaces.Discrete(self.game.num_actions)
        self.single_observation_space: spaces.Space[Any] = spaces.MultiBinary(self.game.observation_size)
        self.action_space: spaces.Space[Any] = batch_space(self.single_action_space, num_envs)
        self.observation_space: spaces.Space[Any] = batch_space(self.single_observation_space, num_envs)

    def _bind(self) -> None:
        """Make the attributes derived from the batch: views of its arrays, and room for copies."""
        self._shown = self._batch.buffers
        self._arrays = [array.view(np.int8) for array in (self._shown.observation, self._shown.mask)]
        self._copies = [Copies(array) for array in self._arrays]

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle and copy: the games as they stand, less the attributes that `_bind` makes."""
        return {name: value for name, value in vars(self).items() if name not in DERIVED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind()

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal all games. One `seed`, a whole number, decides all of them; ValueError for a list of seeds."""
        if self.closed:
            raise error.ClosedEnvironmentError(CLOSED)
        if isinstance(seed, list):
            raise ValueError("one whole number is the seed of all games; not a list")
        if options and "reset_mask" in options:
            raise ValueError(
                "all games are dealt together: a game that ends is replaced at once, without reset_mask"
            )
        super().reset(seed=seed)
        self._batch.deal(int(self.np_random.integers(MAX_SEED)))
        return self._observations(), self._info()

    def step(
        self, actions: Any
    ) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Take an action in every game. ResetNeeded before a reset."""
        self._require_deal()
        self._batch.take(self._batch.checked_actions(actions))
        shown = self._shown
        rewards, done = shown.reward[:, self._seat].astype(np.float64), shown.done.copy()
        truncated, legal = np.zeros(self.num_envs, np.bool_), self._arrays[1]
        if self._max_steps is not None:
            legal = legal.copy()
            truncated = self._batch.truncate(self._max_steps)
        info = self._info()
        if (done | truncated).any():
            info |= self._endings(done, truncated, legal)
        return self._observations(), rewards, done, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal in each game [num_envs, num_actions]. ResetNeeded before a reset."""
        self._require_deal()
        return self._shown.mask.copy()  # type: ignore[no-any-return]

    def render(self) -> tuple[Any, ...] | None:
        """Return the positions of all games as texts or as pixels, as `render_mode` says.

        ResetNeeded before a reset.
        """
        self._require_deal()
        if self.render_mode is None:
            return None
        draw = text_picture if self.render_mode == "ansi" else pixels
        states = (self._batch.plain_state(i) for i in range(self.num_envs))
        return tuple(draw(Position(self.game, s)) for s in states)

    def _observations(self) -> Observations:
        observations: Observations = self._copies[0].take() if self._copy else self._arrays[0]
        return observations

    def _require_deal(self) -> None:
        if self.closed:
            raise error.ClosedEnvironmentError(CLOSED)
        if not self._batch.is_dealt:
            raise error.ResetNeeded(NOT_DEALT)

    def _info(self) -> dict[str, Any]:
        mask = self._copies[1].take() if self._copy else self._arrays[1]
        finished = self._batch.finished_games()
        passed_over = np.bincount(finished.place[finished.choices == 0], minlength=self.num_envs)
        return {
            "action_mask": mask,
            "_action_mask": self._everywhere,
            "passed_over": passed_over,
            "_passed_over": self._everywhere,
        }

    def _endings(self, done: Any, truncated: Any, legal: Any) -> dict[str, Any]:
        """Return what an info has of games that ended: results, last observations and last infos.

        `legal` are the masks before the truncated games were replaced.
        """
        finished, ended = self._batch.finished_games(), done | truncated
        chosen = finished.choices > 0
        scores, outcomes = finished.scores[:, self._seat], finished.outcomes[:, self._seat]
        results: dict[str, Any] = {}
        for name, values in (("score", scores), ("outcome", outcomes), ("steps", finished.steps)):
            results[name] = np.zeros(self.num_envs, np.int64)
            results[name][finished.place[chosen]] = values[chosen]
            results[f"_{name}"] = done
        last = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            last[i] = self._shown.final[i].view(np.int8).copy()
        mask = np.zeros_like(legal)
        mask[truncated] = legal[truncated]
        final_info = results | {"action_mask": mask, "_action_mask": ended}
        endings = {"final_obs": last, "_final_obs": ended, "final_info": final_info, "_final_info": ended}
        return results | endings


def _require_same_step(mode: AutoresetMode | str) -> None:
    """Raise ValueError where games are not to be replaced within the step in which they end."""
    if mode not in (AutoresetMode.SAME_STEP, AutoresetMode.SAME_STEP.value):
        raise ValueError(
            f"autoreset_mode is AutoresetMode.SAME_STEP, because a game is replaced within the step in which it ends, "
            f"not {mode!r:.80}; SyncVectorEnv over single environments has the other modes"
        )


def _checked_max_steps(most: Any) -> int | None:
    """Return after how many choices a game is truncated; None and Gymnasium's -1 are never. ValueError."""
    if most is None or most == -1:
        return None
    if isinstance(most, bool) or not isinstance(most, (int, np.integer)) or most < 1:
        raise ValueError(
            f"max_episode_steps is a whole number from 1, or None for no limit, not {most!r:.80}"
        )
    return int(most)
