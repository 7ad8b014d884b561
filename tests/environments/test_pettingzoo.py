"""Games for two as PettingZoo environments, by PettingZoo's own checkers."""

import contextlib
import io
from collections.abc import Callable
from typing import Any

import pytest

import smallchange

pytest.importorskip("pettingzoo")
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, render_test, seed_test

import smallchange.pettingzoo

from .options import CASES

FOR_TWO = [(id, options) for id, options in CASES if len(smallchange.game(id).seats) == 2]


# it advises against dicts with a mask, which its own games have, and against names without a number
@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo.test")
@pytest.mark.parametrize(("id", "options"), FOR_TWO)
def test_pettingzoo_finds_no_fault(id: str, options: dict[str, Any]) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        api_test(smallchange.pettingzoo.env(id, **options), num_cycles=100)
        seed_test(lambda: smallchange.pettingzoo.env(id, **options), num_cycles=20)


def test_pettingzoo_renders_a_game() -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        render_test(lambda render_mode=None: smallchange.pettingzoo.env("dodgem", render_mode, size=3))


def test_rewards_are_those_of_the_position_at_the_end() -> None:
    env = smallchange.pettingzoo.raw_env("coin-age", quiet_limit=2)
    env.reset(seed=4)
    while not any(env.terminations.values()):
        agent = env.agent_selection
        assert env.position.actor == agent
        other = next(name for name in env.agents if name != agent)
        assert not env.observe(other)["action_mask"].any()
        env.step(env.observe(agent)["action_mask"].argmax())
    assert env.rewards == {agent: env.position.reward(agent) for agent in env.possible_agents}


def test_an_illegal_action_loses() -> None:
    env = smallchange.pettingzoo.env("dodgem", size=3)
    env.reset(seed=1)
    with contextlib.redirect_stdout(io.StringIO()):
        env.step(180)
    assert env.terminations == {"red": True, "green": True}
    assert env.rewards["red"] == -1


def test_a_game_for_one_is_refused() -> None:
    with pytest.raises(smallchange.UnknownGame, match="solo is for one player"):
        smallchange.pettingzoo.env("solo")


@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.observe("red"),
        lambda env: env.render(),
        lambda env: env.last(),
        lambda env: env.step(3),
        lambda env: env.position,
    ],
)
def test_what_needs_a_deal_asks_for_a_reset(use: Callable[[Any], Any]) -> None:
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
        use(smallchange.pettingzoo.raw_env("dodgem", "ansi"))


@pytest.mark.parametrize("wrong", [None, True, 3.0, "3", -1, 1 << 80])
def test_the_environment_with_checks_takes_no_action_that_is_none(wrong: object) -> None:
    env = smallchange.pettingzoo.env("dodgem", size=3)
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(wrong)


def test_what_is_no_action_and_no_agent_is_refused_by_name() -> None:
    env = smallchange.pettingzoo.raw_env("dodgem", size=3)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"an action is a whole number, not 3[.]999"):
        env.step(3.999)
    with pytest.raises(smallchange.IllegalMove, match=f"action {env.game.num_actions} of red is not legal"):
        env.step(env.game.num_actions)
    with pytest.raises(ValueError, match="unknown agent 'blue'; the agents are: red, green"):
        env.observe("blue")
    env.step(3)
    assert env.agent_selection == "green"
