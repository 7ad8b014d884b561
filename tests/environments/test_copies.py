"""Copies of environments in mid-game, by copy and by pickle, go on alike and independently."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import smallchange
import smallchange.bots
from smallchange.engine import RANDOM
from smallchange.environments.batch import Batch
from smallchange.tablebase import open_table
from smallchange.tablebase.exact import Exact
from smallchange.tablebase.make_table import make_table

gymnasium = pytest.importorskip("gymnasium")
from smallchange.gymnasium import environment_id  # noqa: E402

WAYS: list[Callable[[Any], Any]] = [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]
each_way = pytest.mark.parametrize("duplicate", WAYS, ids=["deepcopy", "pickle"])
each_game = pytest.mark.parametrize("id", smallchange.games())
STEPS, MORE_STEPS = 2, 120


def opponent_of(id: str, name: Any = "greedy") -> dict[str, Any]:
    return {"opponent": name} if len(smallchange.game(id).seats) > 1 else {}


def last_token(position: smallchange.Position) -> str:
    return position.legal()[-1]


class Counting:
    """An opponent with a memory: it plays its n-th turn by n."""

    turns = 0

    def __call__(self, position: smallchange.Position) -> str:
        self.turns += 1
        legal = position.legal()
        return legal[self.turns % len(legal)]


def equal(one: Any, other: Any) -> bool:
    """Return whether two values are equal, arrays and arrays of arrays in them included."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, np.ndarray) and one.dtype == object:
        return equal(one.tolist(), other.tolist())
    return np.array_equal(one, other)


@each_way
@each_game
def test_a_copy_of_a_batch_goes_on_alike_and_independently(
    id: str, duplicate: Callable[[Batch], Batch]
) -> None:
    seats = smallchange.game(id).seats
    games = smallchange.batch(smallchange.game(id), 3, seed=4, opponents=[None, "random"][: len(seats)])
    games.reset()
    for _ in range(STEPS):
        games.step(games.sample())
    twin, before = duplicate(games), games.states.copy()
    seen = [twin.step(twin.sample()) for _ in range(MORE_STEPS)]
    assert np.array_equal(games.states, before)
    assert all(equal(games.step(games.sample()), view) for view in seen)


def test_a_copy_of_a_batch_that_python_runs_goes_on_alike() -> None:
    games = Batch(smallchange.game("thrag"), 2, 1, compiled=False)
    games.reset()
    twin = copy.copy(games)
    assert equal(games.step(games.sample()), twin.step(twin.sample()))


@each_way
@pytest.mark.parametrize("opponent", ["greedy", "random", "level1", last_token, Counting()])
@each_game
def test_a_copy_of_an_environment_goes_on_alike_and_independently(
    id: str, opponent: Any, duplicate: Callable[[Any], Any]
) -> None:
    against = opponent_of(id, opponent)
    if not against and opponent != "greedy":
        pytest.skip("a game for one has no opponent")
    env = gymnasium.make(environment_id(id), **against)
    _, info = env.reset(seed=3)
    env.action_space.seed(5)
    for _ in range(STEPS):
        _, _, over, _, info = env.step(info["action_mask"].nonzero()[0][-1])
        assert not over
    seen = play_on(duplicate(env), info)
    assert equal(play_on(env, info), seen)


def play_on(env: Any, info: dict[str, Any]) -> list[Any]:
    """Play on by the first legal actions, into the games after this one; return all that was shown."""
    seen: list[Any] = [env.action_space.sample()]
    over = False
    for _ in range(MORE_STEPS):
        shown = env.reset() if over else env.step(info["action_mask"].argmax())
        over, info = not over and shown[2], shown[-1]
        seen.append(shown)
    return seen


@each_way
@each_game
def test_a_copy_of_many_games_goes_on_alike_and_independently(
    id: str, duplicate: Callable[[Any], Any]
) -> None:
    many = gymnasium.make_vec(environment_id(id), 3, max_episode_steps=20, **opponent_of(id))
    _, info = many.reset(seed=1)
    for _ in range(STEPS):
        *_, info = many.step(info["action_mask"].argmax(axis=1))
    seen = [play_many_on(twin, info) for twin in (duplicate(many), many)]
    assert equal(*seen)


def play_many_on(many: Any, info: dict[str, Any]) -> list[Any]:
    seen: list[Any] = []
    for _ in range(MORE_STEPS):
        seen.append(many.step(info["action_mask"].argmax(axis=1)))
        info = seen[-1][-1]
    return [*seen, many.reset()]


@each_way
@pytest.mark.parametrize("form", ["env", "raw_env"])
def test_a_copy_of_a_pettingzoo_environment_goes_on_alike_and_independently(
    form: str, duplicate: Callable[[Any], Any]
) -> None:
    pytest.importorskip("pettingzoo")
    import smallchange.pettingzoo

    env = getattr(smallchange.pettingzoo, form)("royal-ur")
    env.reset(seed=1)
    for _ in range(STEPS):
        env.step(env.last()[0]["action_mask"].argmax())
    shown = [play_both_sides(twin) for twin in (duplicate(env), env)]
    assert equal(*shown)


def play_both_sides(env: Any) -> list[Any]:
    shown = []
    while env.agents:
        shown.append(env.last())
        env.step(None if shown[-1][2] else shown[-1][0]["action_mask"].argmax())
    env.reset()
    return [*shown, env.last()]


@each_way
def test_an_environment_is_copied_before_its_first_deal_too(duplicate: Callable[[Any], Any]) -> None:
    env, games = gymnasium.make("smallchange/Solo-v0"), smallchange.batch(smallchange.game("solo"), 2, seed=1)
    assert equal(duplicate(env).reset(seed=2), env.reset(seed=2))
    assert equal(duplicate(games).reset(), games.reset())


@each_way
@each_game
def test_a_copy_of_a_bot_has_luck_of_its_own_that_goes_on_alike(
    duplicate: Callable[[Any], Any], id: str
) -> None:
    match = smallchange.Match(smallchange.game(id), deal=bytes(16))
    match.settle()
    bot = smallchange.bots.bot("random", luck=Random(1))
    bot(match.position)
    copied = duplicate(bot)
    played = [bot(match.position) for _ in range(20)]
    assert [copied(match.position) for _ in range(20)] == played


@each_way
def test_a_copy_of_exact_worths_finds_the_same(duplicate: Callable[[Any], Any]) -> None:
    exact = Exact(smallchange.game("solo"), goal="score", memory=1 << 20, compiled=False)
    copied = duplicate(exact)
    assert (copied.game, copied.goal, copied.positions) == (exact.game, "score", 0)
    assert vars(copied).keys() == vars(exact).keys()


@each_way
def test_a_copy_of_a_table_and_of_compiled_rules_is_like_the_original(
    duplicate: Callable[[Any], Any], tmp_path: Path
) -> None:
    game = smallchange.game("dodgem", size=3)
    make_table(tmp_path / "small.table", game)
    table = open_table(tmp_path / "small.table")
    assert duplicate(table).steps(game.start()) == table.steps(game.start())
    rules = smallchange.compile_game(game)
    one, other = (
        each.play_games([RANDOM] * 2, seed=1, first=0, n=9).scores for each in (rules, duplicate(rules))
    )
    assert np.array_equal(one, other)
