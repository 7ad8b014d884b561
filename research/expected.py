"""Compare the odds of the search in a game without chance with the points that follow.

    python -m research.expected GAME [option=value ..] [-n 200] [--seed 1]

The best bot plays itself, from positions after 2 to 9 random plies. The value v that a hint finds for the
player to move (without contempt for draws, unlike the bot's moves) is taken for the odds
1 / (1 + exp(-v / SCALE)), a draw being half a win. SCALE is fitted to the games with even numbers by the log
loss; the games with odd numbers show how right the odds are with it, and with that of the game's
`evaluation.py`. Intervals take a whole game for one draw of luck.

lab-log.md and bench/README.md have its figures.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator
from math import exp, inf, log
from statistics import fmean
from typing import NamedTuple

import smallchange
from research.bins import print_bins
from research.calibrate.hints import play_game
from research.phrases import parse_game, several
from smallchange.bots.engines import alphabeta as _alphabeta
from smallchange.engine.search.iterative_deepening import is_supported
from smallchange.lab.reliability import Forecast

GAMES = [id for id in smallchange.games() if is_supported(smallchange.game(id))]
SCALES = range(50, 1001, 10)


class Prediction(NamedTuple):
    """The odds given for a position, and the points that its player got in the end."""

    game: int
    value: float
    points: float


def main() -> None:
    asked = arguments()
    game = parse_game(asked.game, asked.options)
    print("command: python bench/" + shlex.join(["expected.py", *sys.argv[1:]]))
    said = [one for i in range(asked.n) for one in predictions(game, asked.seed, i)]
    even, odd = ([one for one in said if one.game % 2 == half] for half in (0, 1))
    fitted = min(SCALES, key=lambda scale: loss(even, scale))
    for scale in (fitted, _alphabeta.evaluation_scale(game)):
        print(f"\nSCALE {scale}: said, points (95 %), positions, games; log loss {loss(odd, scale):.4f}")
        print_bins([Forecast(1 / (1 + exp(-one.value / scale)), one.points, one.game) for one in odd])


def predictions(game: smallchange.Game, seed: int, i: int) -> Iterator[Prediction]:
    """Yield the values found in game i of a seed, where neither a table nor the search saw the end."""
    scale = _alphabeta.evaluation_scale(game)
    for one in play_game(game, seed, i):
        if not one.exact and 0 < one.value < 1:
            yield Prediction(i, scale * log(one.value / (1 - one.value)), one.points)


def loss(said: list[Prediction], scale: float) -> float:
    """Return the log loss of odds by this scale; inf if there are no odds."""
    if not said:
        return inf
    return fmean(log(1 + exp(-one.value / scale)) + (1 - one.points) * one.value / scale for one in said)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("options", nargs="*", metavar="option=value")
    parser.add_argument("-n", type=several, default=200)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
