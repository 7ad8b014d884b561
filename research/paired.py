"""Compare players of a game for one on the same deals: the scores of each, and its gain on the first.

    python -m research.paired GAME [option=value ..] PLAYER PLAYER .. [-n 400] [--seed 1] [--first 0]

A player is a phrase: "greedy", "tree simulations=1000", "values width=64", or "values net=FILE width=64" for
other weights than those beside the game ("values rollouts=0 width=0" trusts the net at once). What the numbers
mean: `engine.search.mcts.Plan`, `engine.search.learned_values.Lookahead`.
Milliseconds are of processor time, for a move that was thought about.

lab-log.md and bench/README.md have its figures.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from time import process_time
from typing import Any

import numpy as np

import smallchange
from research.phrases import parse_game, parse_player, several
from smallchange.lab.outcomes import endings
from smallchange.lab.statistics import Z95, Rate

OPTION = re.compile(r"\w+=\S*")


def main() -> None:
    asked = arguments()
    game = parse_game(asked.game, asked.options)
    print("command: python bench/" + shlex.join(["paired.py", *sys.argv[1:]]))
    base = None
    for phrase in asked.players:
        scores, won, ms = play_games(game, phrase, asked.seed, asked.first, asked.n)
        rate = Rate.of(int(won.sum()), asked.n)
        pace = f", {ms:.2f} ms a move" if ms else ""
        print(
            f"{phrase}: n {asked.n}, won {rate.p:.3f} ({rate.low:.3f} to {rate.high:.3f}), "
            f"score {scores.mean():.2f}{pace}",
            flush=True,
        )
        if base is None:
            base = scores, won
        else:
            print(
                f"  more than the first: {mean_difference(won, base[1])} won, {mean_difference(scores, base[0])} score"
            )


def play_games(game: smallchange.Game, phrase: str, seed: int, first: int, n: int) -> tuple[Any, Any, float]:
    """Return the scores of a player's games, which were won, and milliseconds a move, 0 without search."""
    player, plan = parse_player(game, phrase)
    player.play_matches([plan], seed, first, 1)  # compiles
    begun = process_time()
    games, moves = player.play_matches([plan], seed, first, n)
    ms = 1000 * (process_time() - begun) / moves if moves else 0.0
    kinds, which = endings(game, games)
    return games.scores[:, 0], np.array([winner is not None for _, winner in kinds])[which], ms


def mean_difference(those: Any, base: Any) -> str:
    """Return the mean difference, game by game, and half its 95 % interval."""
    more = those.astype(float) - base
    return f"{more.mean():+.3f} +- {Z95 * more.std(ddof=1) / np.sqrt(len(more)):.3f}"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for_one = [id for id in smallchange.games() if len(smallchange.game(id).seats) == 1]
    parser.add_argument("game", choices=for_one)
    parser.add_argument("words", nargs="+", metavar="PLAYER")
    parser.add_argument("-n", type=several, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    asked = parser.parse_intermixed_args()
    asked.options = [word for word in asked.words if OPTION.fullmatch(word)]
    asked.players = [word for word in asked.words if word not in asked.options]
    if not asked.players:
        parser.error("a PLAYER is missing: greedy, tree .. or values ..")
    return asked


if __name__ == "__main__":
    main()
