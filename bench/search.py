"""Measure the tree search: plies a second of processor time, Dodg'em 6 x 6, uniform play-outs.

python bench/search.py
"""

from __future__ import annotations

from statistics import median
from time import process_time

import smallchange
from smallchange import engine
from smallchange.engine.search.mcts import Plan, TreeSearcher

PLAYOUTS = 50_000


def main() -> None:
    game = smallchange.game("dodgem", quiet_limit=1000)
    searcher = TreeSearcher(game)
    games, _ = searcher.play_matches([engine.RANDOM, engine.RANDOM], 1, 0, 20_000)
    length = games.steps.mean()  # of play-outs from the start; those from within the graph are shorter
    plan = Plan(random_move_rate=64)
    start = searcher.start()
    searcher.search(start, plan, 0, lambda done: 1 - done)
    rates = []
    for seed in range(5):
        began = process_time()
        searcher.search(start, plan, seed, lambda done: PLAYOUTS - done)
        rates.append(PLAYOUTS / (process_time() - began))
    middle = median(rates)
    print(f"{middle:,.0f} play-outs/s ({min(rates):,.0f} to {max(rates):,.0f}), {PLAYOUTS:,} a search")
    print(f"about {middle * length / 1e6:.1f} M plies/s, at {length:.1f} plies a game")


if __name__ == "__main__":
    main()
