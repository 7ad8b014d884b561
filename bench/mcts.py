"""Monte-Carlo tree search beside OpenSpiel's C++ MCTSBot, each side in turn in one run, on one thread.

    pip install open_spiel
    python bench/mcts.py [--rounds 5] [--seconds 2]

Plies played out a second of processor time: simulations times the mean length of a random game, ours on
Dodg'em 6 x 6, theirs on their own breakthrough 6 x 6. Uniform play-outs, one a simulation, from the start; one
search is 20,000 simulations.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time

try:
    import pyspiel
except ModuleNotFoundError as lacking:
    raise SystemExit(f"this needs {lacking.name}: pip install open_spiel") from lacking

import smallchange
from smallchange import engine
from smallchange.engine.search.mcts import Plan, TreeSearcher

SEARCH = 20_000  # simulations


def ours() -> tuple[Callable[[int], None], float]:
    """Return a search of so many simulations under a seed, and the mean length of a random game."""
    searcher = TreeSearcher(smallchange.game("dodgem", quiet_limit=1000))
    games, _ = searcher.play_matches([engine.RANDOM, engine.RANDOM], 1, 0, 20_000)
    start = searcher.start()

    def search(seed: int) -> None:
        searcher.search(start, Plan(random_move_rate=64), seed, lambda done: SEARCH - done)

    return search, float(games.steps.mean())


def theirs(name: str) -> tuple[Callable[[int], None], float]:
    """Return the same for a game of OpenSpiel."""
    game = pyspiel.load_game(name)
    start = game.new_initial_state()

    def search(seed: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, SEARCH, 1000, False, seed, False)
        bot.mcts_search(start)

    return search, mean_length(game)


def mean_length(game: object, n: int = 400) -> float:
    luck, plies = Random(1), 0
    for _ in range(n):
        state = game.new_initial_state()  # type: ignore[attr-defined]
        while not state.is_terminal():
            state.apply_action(luck.choice(state.legal_actions()))
            plies += 1
    return plies / n


def rate(search: Callable[[int], None], seconds: float, seed: int) -> float:
    """Return the simulations per second of processor time."""
    start, searches = process_time(), 0
    while process_time() - start < seconds:
        search(1000 * seed + searches)
        searches += 1
    return searches * SEARCH / (process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    given = parser.parse_args()
    sides = {
        "smallchange, Dodg'em": ours(),
        "OpenSpiel, breakthrough": theirs("breakthrough(rows=6,columns=6)"),
    }
    rates: dict[str, list[float]] = {name: [] for name in sides}
    for search, _ in sides.values():
        search(0)  # compiles
    for seed in range(1, given.rounds + 1):
        for name, (search, _) in sides.items():
            rates[name].append(rate(search, given.seconds, seed))
    for name, (_, length) in sides.items():
        middle = median(rates[name])
        print(
            f"{name:25} {middle:10,.0f} simulations/s ({min(rates[name]):,.0f} to {max(rates[name]):,.0f}), "
            f"{length:.1f} plies, {middle * length / 1e6:.3f} M plies/s"
        )
    mine, others = rates.values()
    lengths = [length for _, length in sides.values()]
    plies = median(lengths[0] * a / (lengths[1] * b) for a, b in zip(mine, others, strict=True))
    print(f"plies a second, ours to those of breakthrough: {plies:.1f}")


if __name__ == "__main__":
    main()
