"""Measure what the tree search gives away near the end, where the odds of every move are exact.

    python -m research.regret coin-collectors --games 30 --playouts 3000

Each game is played by the search, with --first play-outs a move as long as exact odds are not found within
--seconds. From then on, what its move is worth less than the best is added up: the expectation of that sum is
what exact play from there on would win more often. So a few games say what thousands of results would.

lab-log.md has its figures.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from random import Random
from statistics import fmean, stdev
from time import process_time

import smallchange
from research.phrases import several
from smallchange.engine.search.mcts import Plan, TreeSearcher
from smallchange.tablebase.exact import Exact, TooLarge


class Trial:
    """Compare tree search with the exact values of late positions of one game."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.game = smallchange.game(arguments.game)
        self.searcher, self.solver = TreeSearcher(self.game), Exact(self.game, memory=1 << 31)
        self.first, self.playouts, self.seconds = arguments.first, arguments.playouts, arguments.seconds
        self.thought, self.moves = 0.0, 0

    def odds(self, position: smallchange.Position) -> dict[str, Fraction]:
        """Return the exact odds of every move, or nothing where that takes too long."""
        if self.solver.is_out_of_memory:
            self.solver.forget()
        try:
            return dict(self.solver.moves(position, self.seconds))
        except TooLarge:
            return {}

    def play(self, luck: Random) -> tuple[Fraction, Fraction] | None:
        """Return the odds when they were first exact and the loss since; None if they never were."""
        position, start, lost = self.game.start(), None, Fraction(0)
        while position.actor is not None:
            if position.actor == "chance":
                tokens, weights = zip(*position.weights(), strict=True)
                position.play(luck.choices(tokens, weights)[0])
                continue
            odds = self.odds(position) if len(position.legal()) > 1 else {}
            token = self.choice(position, luck, self.playouts if odds else self.first, bool(odds))
            if odds:
                best = max(odds.values())
                start = best if start is None else start
                lost += best - odds[token]
            position.play(token)
        return None if start is None else (start, lost)

    def choice(self, position: smallchange.Position, luck: Random, n: int, timed: bool) -> str:
        legal = position.legal()
        if len(legal) == 1:
            return legal[0]
        begun = process_time()
        looks = self.searcher.search(position.s, Plan(), luck.getrandbits(60), lambda done: n - done)
        if timed:
            self.thought, self.moves = self.thought + process_time() - begun, self.moves + 1
        return self.game.tokens[looks[0].action]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    # the worths of exact odds are those of the first seat
    alone = [id for id in smallchange.games() if len(smallchange.game(id).seats) == 1]
    parser.add_argument("game", choices=alone)
    parser.add_argument("--games", type=several, default=30)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--playouts", type=int, default=3000)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    trial = Trial(arguments)
    found = [trial.play(Random(arguments.seed + i)) for i in range(arguments.games)]
    starts = [float(f[0]) for f in found if f]
    lost = [float(f[1]) for f in found if f]
    half = 1.96 * stdev(lost) / len(lost) ** 0.5
    print(f"{len(lost)} of {arguments.games} games came to exact odds: {fmean(starts):.3f} on the average")
    print(f"given away since: {fmean(lost):.4f} +- {half:.4f} (95 %)")
    print(f"{1000 * trial.thought / max(1, trial.moves):.1f} ms of one core a move")


if __name__ == "__main__":
    main()
