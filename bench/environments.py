"""Player steps a second of the environments: a batch, Gymnasium's vector form, one game, PettingZoo's AEC.

    python bench/environments.py [--games 1024] [--seconds 1] [--sync 256]

All in one run on one core, each for `seconds` of wall time after a warm-up, with random legal actions that are
chosen outside the clock. `sync` is the number of single environments that SyncVectorEnv steps; its figure is
the player steps of all of them. Opponents in games for two are `random` there, both seats are the learner's
in a batch. At the end PettingZoo's own benchmark, which takes five seconds a game.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from pettingzoo.test import performance_benchmark

import smallchange
import smallchange.pettingzoo
from smallchange.gymnasium import environment_id


def speed(choose: Callable[[], Any], step: Callable[[Any], object], n: int, seconds: float) -> float:
    """Player steps a second of `step`, which takes n of them; `choose` is not timed."""
    step(choose())
    taken, spent = 0, 0.0
    while spent < seconds:
        actions = choose()
        start = time.perf_counter()
        step(actions)
        spent += time.perf_counter() - start
        taken += n
    return taken / spent


def batch(id: str, n: int, seconds: float, copy: bool) -> float:
    games = smallchange.batch(smallchange.game(id), n, seed=1, copy=copy)
    games.reset()
    return speed(games.sample, lambda actions: games.step(actions), n, seconds)


def many(id: str, n: int, seconds: float, mode: str) -> float:
    two = len(smallchange.game(id).seats) == 2
    opponent: dict[str, Any] = {"opponent": "random"} if two else {}
    env = gymnasium.make_vec(environment_id(id), num_envs=n, vectorization_mode=mode, **opponent)
    luck, seen = np.random.default_rng(1), env.reset(seed=1)[1]

    def choose() -> Any:
        mask = seen["action_mask"]
        order = luck.integers(1, 127, mask.shape[1], np.int8)  # one for all games
        return (mask * order).argmax(axis=1)

    def step(actions: Any) -> None:
        nonlocal seen
        seen = env.step(actions)[4]

    return speed(choose, step, n, seconds)


def one(id: str, seconds: float) -> float:
    two = len(smallchange.game(id).seats) == 2
    opponent: dict[str, Any] = {"opponent": "random"} if two else {}
    env = gymnasium.make(environment_id(id), **opponent)
    luck, seen = np.random.default_rng(1), env.reset(seed=1)[1]

    def step(action: Any) -> None:
        nonlocal seen
        _, _, over, _, seen = env.step(action)
        if over:
            seen = env.reset()[1]

    return speed(lambda: luck.choice(np.flatnonzero(seen["action_mask"])), step, 1, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--sync", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--pettingzoo", action="store_true", help="run PettingZoo's benchmark too")
    asked = parser.parse_args()
    print("| game | batch | batch, copies | vector | SyncVectorEnv | ratio | one game |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for id in smallchange.games():
        views, copies = (batch(id, asked.games, asked.seconds, copy) for copy in (False, True))
        vector = many(id, asked.games, asked.seconds, "vector_entry_point")
        sync = many(id, asked.sync, asked.seconds, "sync")
        millions = " | ".join(f"{rate / 1e6:.2f} M" for rate in (views, copies, vector))
        alone = one(id, asked.seconds)
        print(f"| {id} | {millions} | {sync:,.0f} | {vector / sync:.0f} | {alone:,.0f} |", flush=True)
    if asked.pettingzoo:
        for id in smallchange.games():
            if len(smallchange.game(id).seats) == 2:
                performance_benchmark(smallchange.pettingzoo.env(id))


if __name__ == "__main__":
    main()
