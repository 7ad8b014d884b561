"""Learn what positions of Coin Collectors are worth by temporal differences, from a search over all throws.

    python -m research.td_coin_collectors --games 5000 --seed 1

A small net judges boards; a narrow search over all throws plays by it, and each game moves the net towards what the
search found a move later (`python -m research train` does the same from the command line). It prints the learning
curve, and at the end how often the search wins on new deals with the net and with an untrained one,
and `greedy` on the same deals, each with its 95 % interval. The game is won with all 24 coins.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import process_time

import numpy as np

import smallchange
from research.training import PORTION, TrainingPlan, train
from smallchange.engine.search.expectimax import value_searcher
from smallchange.engine.search.learned_values import Lookahead
from smallchange.engine.search.value_weights import Weights, new_weights
from smallchange.lab.simulate import simulate
from smallchange.lab.statistics import Rate

GAME = smallchange.game("coin-collectors")
ALL_COINS = 24
WIDTH, DEPTH = 8, 4  # of the search: boards of a level, and levels
TEST_SEED = 1_000_003


def evaluate(weights: Weights, n: int) -> tuple[int, float]:
    """Return how many of n new games the search wins with these weights, and its mean score."""
    searcher = value_searcher(GAME, weights)
    games, _ = searcher.play_matches([Lookahead(width=WIDTH, depth=DEPTH)], TEST_SEED, 0, n)
    scores = games.scores[:, 0]
    return int((scores == ALL_COINS).sum()), float(scores.mean())


def share(won: int, n: int) -> str:
    """Write a win rate with its 95 % interval (Wilson)."""
    rate = Rate.of(won, n)
    return f"{rate.p:.2%} ({rate.low:.2%} to {rate.high:.2%}) of {n:,}"


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--games", type=int, default=5000, help="to learn from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--test-games", type=int, default=10_000)
    parser.add_argument("--curve", type=Path, help="a JSON file for the learning curve")
    asked = parser.parse_args()
    plan = TrainingPlan(games=asked.games, width=WIDTH, depth=DEPTH)
    value_searcher(
        GAME, new_weights(GAME, plan.hidden, asked.seed, plan.blend)
    )  # compiled before the clock starts
    begun = process_time()
    means: list[float] = []
    curve: list[dict[str, float]] = []
    print("  sec.    games  score  (the mean of the last games played)", flush=True)

    def report(done: int, mean: float) -> None:
        means.append(mean)
        if done % max(PORTION, asked.games // 10 // PORTION * PORTION) == 0:
            point = {"seconds": process_time() - begun, "games": done, "score": float(np.mean(means))}
            means.clear()
            curve.append(point)
            print("{seconds:6.1f} {games:8,} {score:6.2f}".format(**point), flush=True)

    learned = train(GAME, plan, asked.seed, report)
    print(f"seed {asked.seed}: {process_time() - begun:.0f} seconds of processor time")
    n = asked.test_games
    untrained = new_weights(GAME, plan.hidden, asked.seed, plan.blend)
    for name, weights in (("learned:  ", learned), ("untrained:", untrained)):
        won, score = evaluate(weights, n)
        print(f"{name} wins {share(won, n)}, mean score {score:.2f}", flush=True)
    greedy = simulate(GAME, n, "greedy", TEST_SEED)
    [scores] = greedy.score.values()
    print(f"greedy:    wins {share(greedy.outcomes.get('won', 0), n)}, mean score {scores.mean:.2f}")
    if asked.curve:
        asked.curve.write_text(json.dumps({"seed": asked.seed, "curve": curve}) + "\n")


if __name__ == "__main__":
    main()
