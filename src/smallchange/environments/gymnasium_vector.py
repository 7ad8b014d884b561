"""Many games of one kind as a Gymnasium vector environment, stepped by the compiled rules.

`gymnasium.make_vec("smallchange/..-v0", num_envs=1024, vectorization_mode="vector_entry_point")`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from smallchange.core.errors import BadPolicy
from smallchange.core.game import Game, Position

from .batch import OPPONENTS, Batch
from .copies import Copies
from .gymnasium_env import MAX_SEED, Opponent, game_of, seat_of, split_opponent
from .pictures import pixels, text_picture

Observations = NDArray[np.int8]


class GameVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games, each replaced by the next within the step in which it ends.

    Arguments are those of `GameEnv`; an opponent is `greedy` or `random`. `info["action_mask"]` [num_envs,
    num_actions] tells the legal actions; IllegalMove for another one, and nothing has changed. Where a game
    ended, `final_obs` has its last observation, and `score`, `outcome` and `steps` tell its result.
    `passed_over` counts the deals that ended before a choice. `copy=False` spares copies: arrays then change
    with the next step.
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
        self._batch = Batch(self.game, num_envs, 0, inside, copy=False)
        self._shown = self._batch.buffers
        self._copy = copy
        self._arrays = [array.view(np.int8) for array in (self._shown.observation, self._shown.mask)]
        self._copies = [Copies(array) for array in self._arrays]
        self._everywhere = np.ones(num_envs, np.bool_)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_action_space: spaces.Space[Any] = spaces.Discrete(self.game.num_actions)
        self.single_observation_space: spaces.Space[Any] = spaces.MultiBinary(self.game.observation_size)
        self.action_space: spaces.Space[Any] = batch_space(self.single_action_space, num_envs)
        self.observation_space: spaces.Space[Any] = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal all games. One `seed`, a whole number, decides all of them; ValueError for a list of seeds."""
        if isinstance(seed, list):
            raise ValueError("one whole number is the seed of all games; not a list")
        super().reset(seed=seed)
        self._batch.deal(int(self.np_random.integers(MAX_SEED)))
        return self._observations(), self._info()

    def step(
        self, actions: Any
    ) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Take an action in every game."""
        chosen = self._batch.checked_actions(actions)
        self._batch.take(chosen)
        shown = self._shown
        rewards = shown.reward[:, self._seat].astype(np.float64)
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._observations(), rewards, shown.done.copy(), truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal in each game [num_envs, num_actions]."""
        return self._shown.mask.copy()  # type: ignore[no-any-return]

    def render(self) -> tuple[Any, ...] | None:
        """Return the positions of all games as texts or as pixels, as `render_mode` says."""
        if self.render_mode is None:
            return None
        draw = text_picture if self.render_mode == "ansi" else pixels
        states = (self._batch.plain_state(i) for i in range(self.num_envs))
        return tuple(draw(Position(self.game, s)) for s in states)

    def _observations(self) -> Observations:
        observations: Observations = self._copies[0].take() if self._copy else self._arrays[0]
        return observations

    def _info(self) -> dict[str, Any]:
        mask = self._copies[1].take() if self._copy else self._arrays[1]
        info = {"action_mask": mask, "_action_mask": self._everywhere}
        finished = self._batch.finished_games()
        chosen = finished.choices > 0
        info["passed_over"] = np.bincount(finished.place[~chosen], minlength=self.num_envs)
        info["_passed_over"] = self._everywhere
        if not self._shown.done.any():
            return info
        done, places = self._shown.done.copy(), finished.place[chosen]
        results = {"score": finished.scores[:, self._seat], "outcome": finished.outcomes[:, self._seat]}
        for name, values in (results | {"steps": finished.steps}).items():
            info[name] = np.zeros(self.num_envs, np.int64)
            info[name][places] = values[chosen]
            info[f"_{name}"] = done
        info["final_obs"] = np.full(self.num_envs, None, object)
        for i, last in zip(np.flatnonzero(done), self._shown.final[done].view(np.int8), strict=True):
            info["final_obs"][i] = last
        info["_final_obs"] = done
        return info
