"""Measure a player of a game for two against `greedy`, in half of the games as each side.

    python -m research.strength GAME [option=value ..] PLAYER [-n 200] [--seed 1] [--calm]

A player is a phrase as for `research/paired.py`, which is for games for one: "tree simulations=1000",
"values rollouts=60 turns=1". With --calm the luck of the throws is taken off too
(`kernels/variance_reduction.py`), for a player by learned values: in Coin Age a game then
says as much as fifteen do. Milliseconds are of processor time, for a move that was thought about.

lab-log.md and bench/README.md have its figures.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import replace
from time import process_time
from typing import Any

import numpy as np

import smallchange
from research.adjusted_play import AdjustedPlay
from research.phrases import parse_game, parse_player, several
from smallchange import engine
from smallchange.engine.search.learned_values import Lookahead, ValueSearcher
from smallchange.lab.outcomes import Outcomes
from smallchange.lab.statistics import Z95, Rate


def main() -> None:
    asked = arguments()
    player, plan = parse_player(parse_game(asked.game, asked.options), asked.player)
    print("command: python bench/" + shlex.join(["strength.py", *sys.argv[1:]]))
    (calm if asked.calm else against)(player, plan, asked.seed, asked.n)


def against(searcher: Any, plan: Any, seed: int, n: int) -> None:
    searcher.play_matches([plan, engine.GREEDY], 0, 0, 1)  # compiles
    won = lost = played = 0
    spent = moves = 0.0
    for seat in (0, 1):
        policy: list[Any] = [engine.GREEDY, engine.GREEDY]
        policy[seat] = plan
        start = process_time()
        games, searched = searcher.play_matches(policy, seed, seat * (n // 2), n // 2)
        spent += process_time() - start
        moves += searched
        won += wins(searcher, games)[seat]
        lost += wins(searcher, games)[1 - seat]
        played += n // 2
    ms = 1000 * spent / max(1, moves)
    print(f"search against greedy: n {played}, won {rate_text(won, played)}, lost {lost}; {ms:.2f} ms a move")


def calm(valuer: ValueSearcher, plan: Lookahead, seed: int, n: int) -> None:
    """Return the points against greedy, a draw being half, with luck and with luck subtracted."""
    player = AdjustedPlay(valuer.game, valuer.weights())
    player.play_adjusted(0, replace(plan, rollouts=0), 0, 0, 1)  # compiles
    start = process_time()
    played = [player.play_adjusted(seat, plan, seed, seat * (n // 2), n // 2) for seat in (0, 1)]
    ms = 1000 * (process_time() - start) / sum(moves for *_, moves in played)
    for name, column in (("as played", 0), ("luck taken off", 1)):
        points = np.concatenate([games[column] for games in played])
        print(f"{name}: n {len(points)}, points {points.mean():.4f} +- {half(points):.4f}")
    print(f"{ms:.0f} ms a move, what luck is worth included")


def half(found: Any) -> float:
    """Return half of the 95 % interval of a mean."""
    return Z95 * float(found.std(ddof=1)) / len(found) ** 0.5 if len(found) > 1 else float("nan")


def wins(searcher: Any, games: engine.Games) -> list[int]:
    outcomes = Outcomes(searcher.game)
    outcomes.add(games)
    return [outcomes.wins[player] for player in searcher.game.seats]


def rate_text(hits: int, n: int) -> str:
    rate = Rate.of(hits, n)
    return f"{rate.p:.3f} (95 %: {rate.low:.3f} to {rate.high:.3f})"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for_two = [id for id in smallchange.games() if len(smallchange.game(id).seats) == 2]
    parser.add_argument("game", choices=for_two)
    parser.add_argument("options", nargs="*")
    parser.add_argument("player", metavar="PLAYER")
    parser.add_argument("-n", type=several, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--calm", action="store_true")
    asked = parser.parse_intermixed_args()
    if asked.calm and not asked.player.startswith("values"):
        parser.error("--calm goes with a player by learned values")
    return asked


if __name__ == "__main__":
    main()
