"""Measure how well a search plays the first part of whole deals, by the exact odds of what is left.

    python -m research.early_play coin-collectors [-n 75] [--seed 1] [--width 256] [--left 16] [--values FILE]

The search plays until so many squares are left. There the deal is solved (`whole_deals.py`), and the odds of perfect
play stand for the rest of the game, without its luck: 75 deals say as much as 700 games. Every width plays the same
deals with the same throws of each die. Seconds are of processor time.

lab-log.md has its figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Any

import smallchange
from research.whole_deal_layers import FACES
from research.whole_deals import WholeDeals, has_whole_deals
from smallchange.core.game import Position
from smallchange.core.match import Match
from smallchange.engine.search.expectimax import ExpectimaxSearcher
from smallchange.engine.search.value_weights import read_weights

CHOOSING_DICE = 2  # the stage of `ai/dice_moves.py`
Z = 1.96  # of an interval of 95 %


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument(
        "game", choices=[id for id in smallchange.games() if has_whole_deals(smallchange.game(id))]
    )
    parser.add_argument("-n", type=int, default=75, help="deals")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=256, help="of the search: boards of a level")
    parser.add_argument("--left", type=int, default=16, help="squares left where the deal is solved")
    parser.add_argument("--values", type=Path, help="a file of learned values, not the game's own")
    asked = parser.parse_args()
    game = smallchange.game(asked.game)
    search = ExpectimaxSearcher(game, read_weights(game, asked.values))
    begun, odds = process_time(), list[float]()
    for number in range(asked.n):
        match = Match(game, Random(f"{asked.seed} {number}").randbytes(16))
        odds.append(odds_left(match, search, asked.width, asked.left))
    error = Z * stdev(odds) / len(odds) ** 0.5
    print(
        f"{fmean(odds):.3f} ± {error:.3f} of {asked.n} deals; {odds.count(0)} lost; {process_time() - begun:.0f} s"
    )


def odds_left(match: Match, search: ExpectimaxSearcher, width: int, left: int) -> float:
    """Play a deal until so many squares are left; return the odds of perfect play from there, 0 where it is lost."""
    game: Any = match.game
    while not match.over:
        if match.settle():
            continue
        s = match.position.s
        if (
            game.dice_moves.dice_stage(game.board, s) == CHOOSING_DICE
            and squares_left(match.position) <= left
        ):
            return solved_odds(match.position)
        match.play(game.action_to_token(search.search_moves(s, width)[0][0].action))
    return 0.0


def squares_left(position: Position) -> int:
    """Return how many squares are still to be collected."""
    rules: Any = position.game.rules
    return int(rules.uncollected_squares(position.s)).bit_count()


def solved_odds(position: Position) -> float:
    """Return the odds of perfect play where dice are chosen; 0 where the squares left cannot all be collected."""
    try:
        values = WholeDeals(position).values(position)
    except ValueError:
        return 0.0
    faces: Sequence[int] = position.s.dice
    by_face = values.reshape((FACES,) * len(faces))
    ways = product(*((face, slice(None)) for face in faces))  # to keep a die, or to roll it
    return max(float(by_face[way].mean()) for way in ways)


if __name__ == "__main__":
    main()
