"""Measure how early in a game exact odds are found: positions of greedy games after so many choices.

    python -m research.exact GAME [OPTION=VALUE ..] --after CHOICES .. [-n 4] [--seconds 60] [--seed 1]

A row for each number of choices: of the positions, those solved in time, and what these took at most, in
positions kept and in seconds of processor time. Coin Collectors has two choices a coin.

bench/README.md has its figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from time import process_time

import smallchange
from research.phrases import parse_game
from smallchange import Match, Position
from smallchange.bots.engines.greedy import choose
from smallchange.tablebase.exact import Exact, TooLarge


def main() -> None:
    asked = arguments()
    game = parse_game(asked.game, asked.options)
    Exact(game).value(last(game))  # compiles
    print("| choices made | solved | positions, at most | CPU s, at most |\n| --- | --- | --- | --- |")
    for after in asked.after:
        known, spent = [0], [0.0]
        for position in positions(game, after, asked.seed, asked.n):
            solver, begun = Exact(game), process_time()
            try:
                solver.value(position, asked.seconds)
            except TooLarge:
                continue
            known.append(solver.positions)
            spent.append(process_time() - begun)
        print(f"| {after} | {len(known) - 1} of {asked.n} | {max(known):,} | {max(spent):.1f} |", flush=True)


def positions(game: smallchange.Game, after: int, seed: int, n: int) -> Iterator[Position]:
    """Return the positions after so many choices of the first n greedy games that last longer."""
    number = 0
    while n:
        match = play_greedily(game, seed, number)
        number += 1
        choices = [i for i, step in enumerate(match) if step.actor != "chance"]
        if after < len(choices):
            n -= 1
            yield match.until(choices[after]).position


def last(game: smallchange.Game) -> Position:
    """Return the position before the last choice of a game."""
    match = play_greedily(game, 0, 0)
    return match.until(max(i for i, step in enumerate(match) if step.actor != "chance")).position


def play_greedily(game: smallchange.Game, seed: int, number: int) -> Match:
    """Play a whole greedy game."""
    match, luck = Match(game, Random(f"{seed} {number}").randbytes(16)), Random(f"{seed} {number} thinks")
    while not match.over:
        if not match.settle():
            match.play(choose(match.position, match.position.legal(), 0, luck))
    return match


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=smallchange.games())
    parser.add_argument("options", nargs="*", metavar="OPTION=VALUE")
    parser.add_argument("--after", type=int, nargs="+", required=True, metavar="CHOICES")
    parser.add_argument("-n", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
