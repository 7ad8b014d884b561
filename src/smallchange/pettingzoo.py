"""Games for two as PettingZoo environments: `smallchange.pettingzoo.env(GAME, **options)`; extra `pettingzoo`.

Agents are the players, who move one at a time; one may move several times in a row. An observation is a dict:
"observation", the position as zeros and ones (`docs/environments.md`), and "action_mask", which is all zeros for
the agent that is not to move.
"""

from __future__ import annotations

import sys
from typing import Any, ClassVar

from smallchange.extras import require

require("pettingzoo", "pettingzoo", "gymnasium")
require("fast", "numba", "numpy")

import numpy as np  # noqa: E402
from gymnasium import spaces  # noqa: E402
from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.utils import seeding  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from .core.errors import IllegalMove, UnknownGame  # noqa: E402
from .core.game import Game, Position  # noqa: E402
from .core.observation import fields_of  # noqa: E402
from .environments.batch import Batch  # noqa: E402
from .environments.gymnasium_env import MAX_SEED, NOT_DEALT, action_number, game_of  # noqa: E402
from .environments.pictures import pixels, text_picture  # noqa: E402

__all__ = ["TwoPlayerEnv", "env", "raw_env"]


def env(game: str | Game, render_mode: str | None = None, **options: Any) -> Any:
    """Return the environment of a game for two, in which an illegal action loses.

    `options` are the game's own. UnknownGame, BadOption; UnknownGame too for a game for one.
    """
    checked = wrappers.TerminateIllegalWrapper(raw_env(game, render_mode, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


def raw_env(game: str | Game, render_mode: str | None = None, **options: Any) -> TwoPlayerEnv:
    """Return the environment without PettingZoo's checks: an illegal action raises IllegalMove."""
    return TwoPlayerEnv(game_of(game, options), render_mode)


class Actions(spaces.Discrete):
    """The actions of a game, whole numbers: True is none."""

    def contains(self, x: Any) -> bool:
        """Return whether this is an action."""
        return not isinstance(x, bool) and super().contains(x)


class TwoPlayerEnv(AECEnv):  # type: ignore[misc]
    """A game for two. Rewards come at the end: 1 for a win, 0 for a draw, -1 for a loss."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "smallchange_v0",
        "render_modes": ["ansi", "rgb_array", "human"],
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        if len(game.seats) == 1:
            raise UnknownGame(f"{game.id} is for one player; PettingZoo's environments are for two")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(self.metadata["render_modes"])
            raise ValueError(f"unknown render_mode {render_mode!r}; the modes are: {modes}")
        self.game = game
        self.render_mode = render_mode
        self.possible_agents: list[str] = list(game.seats)
        self.agents: list[str] = []
        self._batch = Batch(game, 1, 0, copy=False)
        self._action = np.zeros(1, np.int64)
        self._spaces = {agent: self._observation_space() for agent in game.seats}
        self._action_spaces = {agent: Actions(game.num_actions) for agent in game.seats}
        self._luck: np.random.Generator | None = None
        self._last = np.zeros(game.observation_size, np.int8)

    def _observation_space(self) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": spaces.MultiBinary(self.game.observation_size),
                "action_mask": spaces.MultiBinary(self.game.num_actions),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game. The same `seed` deals the same game, and then the same games after it."""
        if seed is not None or self._luck is None:
            self._luck, _ = seeding.np_random(seed)
        self._batch.deal(int(self._luck.integers(MAX_SEED)))
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, int] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._show()
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Take the action of the agent to move; None for an agent whose game is over. ResetNeeded before a reset."""
        self._require_deal()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = action_number(action)
        if not 0 <= number < self.game.num_actions:
            raise IllegalMove(
                f"action {number} of {agent} is not legal: actions are 0 to {self.game.num_actions - 1}"
            )
        self._action[0] = number
        self._batch.take(self._action)
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._show()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees. ResetNeeded before a reset; ValueError where there is no such agent."""
        self._require_deal()
        if agent not in self.possible_agents:
            raise ValueError(
                f"unknown agent {agent!r:.80}; the agents are: {', '.join(self.possible_agents)}"
            )
        to_move = agent == self.agent_selection and not self.terminations.get(agent, True)
        mask = (
            self._batch.buffers.mask[0].astype(np.int8)
            if to_move
            else np.zeros(self.game.num_actions, np.int8)
        )
        return {"observation": self._last.copy(), "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return what `observe` gives the agent to move, with its rewards and ends. ResetNeeded before a reset."""
        self._require_deal()
        last: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return last

    @property
    def position(self) -> Position:
        """The position that was observed last. ResetNeeded before a reset."""
        self._require_deal()
        return Position(self.game, fields_of(self.game.state_type, self._last.tolist()))

    def render(self) -> Any:
        """Return the position as text or as pixels [height, width, 3], or print it, as `render_mode` says."""
        self._require_deal()
        if self.render_mode == "rgb_array":
            return pixels(self.position)
        if self.render_mode == "human":
            sys.stdout.write(text_picture(self.position))
            return None
        return text_picture(self.position) if self.render_mode else None

    def close(self) -> None:
        """Close the environment, which holds nothing."""

    def _require_deal(self) -> None:
        if not self._batch.is_dealt:
            raise ResetNeeded(NOT_DEALT)

    def _show(self) -> None:
        """Take what is shown after a step: whose turn it is, or rewards and ends."""
        shown = self._batch.buffers
        if not shown.done[0]:
            self._last = shown.observation[0].astype(np.int8)
            self.agent_selection = self.possible_agents[shown.mover[0]]
            return
        self._last = shown.final[0].astype(np.int8)
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = int(shown.reward[0, seat])
            self.terminations[agent] = True
