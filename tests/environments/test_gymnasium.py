"""The games as Gymnasium environments, by Gymnasium's own checker and by what a learner would miss."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import smallchange

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from smallchange.gymnasium import environment_id  # noqa: E402

from .options import CASES  # noqa: E402


def arguments(id: str) -> dict[str, Any]:
    return {"opponent": "greedy"} if len(smallchange.game(id).seats) > 1 else {}


def first_legal(mask: Any) -> Any:
    return mask.argmax(axis=-1)


def test_every_game_has_an_environment() -> None:
    assert all(environment_id(id) in gymnasium.registry for id in smallchange.games())


@pytest.mark.parametrize(("id", "options"), CASES)
def test_gymnasium_finds_no_fault(id: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(environment_id(id), **options, **arguments(id))
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize(
    "code",
    [
        "import gymnasium, smallchange.gymnasium; print(gymnasium.spec('smallchange/Solo-v0').kwargs)",
        "import gymnasium; print(gymnasium.make('smallchange.gymnasium:smallchange/Solo-v0').spec.kwargs)",
    ],
)
def test_the_module_registers_the_games_by_itself_or_in_the_id(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{'game': 'solo'}\n"


@pytest.mark.parametrize("id", smallchange.games())
def test_one_game_and_many_are_played_alike(id: str) -> None:
    env = gymnasium.make(environment_id(id), **arguments(id)).unwrapped
    many = gymnasium.make_vec(
        environment_id(id), num_envs=1, vectorization_mode="vector_entry_point", **arguments(id)
    )
    (here, info), (there, infos) = env.reset(seed=3), many.reset(seed=3)
    over = False
    while not over:
        assert (here == there[0]).all()
        assert (info["action_mask"] == infos["action_mask"][0]).all()
        action = first_legal(info["action_mask"])
        here, reward, over, _, info = env.step(action)
        there, rewards, dones, _, infos = many.step(np.array([action]))
        assert (reward, over) == (rewards[0], dones[0])
    assert (infos["final_obs"][0] == here).all()
    assert [infos[name][0] for name in ("score", "outcome", "steps")] == [
        info[name] for name in ("score", "outcome", "steps")
    ]
    assert not info["action_mask"].any()


def test_an_illegal_action_loses_or_raises() -> None:
    env = gymnasium.make("smallchange/Dodgem-v0", opponent="random", size=3)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(180)
    assert (reward, over, info["illegal_action"]) == (-1, True, "action 180 is not legal; legal: 3 7 8")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(3)
    strict = gymnasium.make("smallchange/Dodgem-v0", opponent="random", illegal_action="raise")
    strict.reset(seed=1)
    with pytest.raises(smallchange.IllegalMove, match="action 180 is not legal"):
        strict.step(180)
    many = gymnasium.make_vec("smallchange/Dodgem-v0", 2, opponent="random")
    many.reset(seed=1)
    with pytest.raises(smallchange.IllegalMove, match="of game 0 is not legal"):
        many.step(np.array([180, 180]))


def test_an_opponent_may_be_a_function_and_the_learner_may_move_second() -> None:
    seen = []

    def first(position: smallchange.Position) -> str:
        seen.append(position.actor)
        return position.legal()[0]

    env = gymnasium.make("smallchange/Dodgem-v0", opponent=first, seat="green", size=3).unwrapped
    _, info = env.reset(seed=1)
    assert seen == ["red"]
    assert env.position.actor == "green"
    over = False
    while not over:
        _, _, over, _, info = env.step(first_legal(info["action_mask"]))
    assert set(seen) == {"red"}


def test_a_level_of_a_bot_may_be_the_opponent() -> None:
    env = gymnasium.make("smallchange/Dodgem-v0", opponent="level1", size=3).unwrapped
    _, info = env.reset(seed=1)
    env.step(first_legal(info["action_mask"]))
    assert env.position.actor == "red"


@pytest.mark.parametrize(
    ("id", "wrong", "says"),
    [
        ("dodgem", {}, "dodgem is for two: name an opponent, one of random, greedy"),
        ("dodgem", {"opponent": "gredy"}, "unknown bot 'gredy'"),
        ("dodgem", {"opponent": "greedy", "seat": "blue"}, "unknown seat 'blue'; the seats are: red, green"),
        ("solo", {"opponent": "greedy"}, "solo is for one player"),
        ("solo", {"bord": "galaxy"}, "bord"),
        ("solo", {"illegal_action": "ignore"}, "illegal_action is 'lose' or 'raise', not 'ignore'"),
    ],
)
def test_what_an_environment_cannot_be_is_refused_by_name(id: str, wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        gymnasium.make(environment_id(id), **wrong)


def test_a_position_is_rendered_as_text_and_as_pixels() -> None:
    env = gymnasium.make("smallchange/Solo-v0", render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert "Coins on the board: 24/24" in text
    env = gymnasium.make("smallchange/Solo-v0", render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape[2] == 3
    assert picture.dtype == np.uint8
    assert len(np.unique(picture)) > 10


def test_a_watched_game_is_printed_after_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make("smallchange/CoinCollectors-v0", render_mode="human")
    _, info = env.reset(seed=1)
    one = len(capsys.readouterr().out)
    env.step(first_legal(info["action_mask"]))
    assert one > 100
    assert len(capsys.readouterr().out) > 100


@pytest.mark.parametrize("most", [None, 10])
def test_endings_of_many_games_are_told_as_those_of_single_environments(most: int | None) -> None:
    limit = {} if most is None else {"max_episode_steps": most}
    single = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make("smallchange/Solo-v0", **limit)],
        autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
    )
    many = gymnasium.make_vec("smallchange/Solo-v0", 1, **limit)
    (_, info), _ = many.reset(seed=4), single.reset(seed=4)
    ended, choices = False, 0
    while not ended:
        actions = first_legal(info["action_mask"])
        (*here, info), (*there, infos) = many.step(actions), single.step(actions)
        assert [it.tolist() for it in here[1:]] == [it.tolist() for it in there[1:]]
        ended, choices = bool(here[2][0] or here[3][0]), choices + 1
    assert here[3].tolist() == [most is not None]
    assert most in (None, choices)
    for name, values in infos["final_info"].items():
        assert (info["final_info"][name] == values).all(), name
    assert (info["final_obs"][0] == infos["final_obs"][0]).all()
    assert info["_final_info"].tolist() == infos["_final_info"].tolist() == [True]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"autoreset_mode": "NextStep"}, "autoreset_mode is AutoresetMode.SAME_STEP, .*, not 'NextStep'"),
        ({"autoreset_mode": gymnasium.vector.AutoresetMode.DISABLED}, "not <AutoresetMode.DISABLED"),
        ({"max_episode_steps": 0}, "max_episode_steps is a whole number from 1, .*, not 0"),
        ({"max_episode_steps": 2.5}, "max_episode_steps is a whole number from 1, .*, not 2.5"),
    ],
)
def test_many_games_refuse_by_name_what_they_cannot_do(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        gymnasium.make_vec("smallchange/Solo-v0", 2, **wrong)


@pytest.mark.parametrize(
    "wrong", [3.999, 3.0, np.float32(3), "3", None, True, float("nan"), [3], np.array([3, 4])]
)
def test_an_action_that_is_no_whole_number_is_refused_and_changes_nothing(wrong: Any) -> None:
    env = gymnasium.make("smallchange/Solo-v0").unwrapped
    _observation, info = env.reset(seed=1)
    with pytest.raises(ValueError, match="an action is a whole number, not"):
        env.step(wrong)
    assert (env.action_masks() == info["action_mask"]).all()
    assert not env.step(np.array(first_legal(info["action_mask"])))[2]


def test_an_action_beyond_every_number_is_illegal() -> None:
    env = gymnasium.make("smallchange/Solo-v0").unwrapped
    env.reset(seed=1)
    assert "is not legal" in env.step(1 << 80)[4]["illegal_action"]


@pytest.mark.parametrize(
    "wrong", [3.0, "3", True, None, [1.0, 2.0], [True, False], [None, None], [[1], [2, 3]]]
)
def test_actions_of_many_games_are_as_many_whole_numbers(wrong: Any) -> None:
    envs = gymnasium.make_vec("smallchange/Solo-v0", 2)
    _observations, infos = envs.reset(seed=1)
    with pytest.raises(ValueError, match="actions must be 2 whole numbers, one for each game, not"):
        envs.step(wrong)
    with pytest.raises(ValueError, match="without reset_mask"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    envs.step(first_legal(infos["action_mask"]))


@pytest.mark.parametrize("what", ["render", "action_masks", "step", "reset"])
def test_nothing_is_done_after_many_games_are_closed(what: str) -> None:
    envs = gymnasium.make_vec("smallchange/Solo-v0", 2).unwrapped
    envs.reset(seed=1)
    envs.close()
    with pytest.raises(
        gymnasium.error.ClosedEnvironmentError, match="the environment is closed: make another"
    ):
        getattr(envs, what)(*([np.array([0, 0])] if what == "step" else []))


@pytest.mark.parametrize("what", ["render", "action_masks", "position", "step"])
@pytest.mark.parametrize("many", [False, True])
def test_what_needs_a_deal_asks_for_a_reset(what: str, many: bool) -> None:
    make = gymnasium.make_vec if many else gymnasium.make
    env = make("smallchange/Solo-v0", render_mode="ansi").unwrapped
    if many and what == "position":
        pytest.skip("many games have many positions")
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"dealt yet: call reset\(\) first"):
        getattr(env, what)(*([np.array([0])] if what == "step" else []))
