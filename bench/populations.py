"""Simulate populations of players, and say how well ratings recover their true strengths.

    python bench/populations.py [GAME ..] [-n 60] [--bots a,b,c] [--players 200] [--seed 1]

Everybody plays in waves, as quick pairing pairs them, and is rated after each game, as the site does it. The result
is the rank correlation (Spearman) of ratings and true strengths after 30 and 100 waves, with the mean number of games
of a player.

First a game without luck, where the stronger always wins. Then each game for two: a ladder of its bots, n games of
each pair, says how far the best play is above random play in Elo; the true strengths are spread evenly over this range,
and each game is decided by the expected score of Bradley and Terry's model.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from random import Random

import numpy as np
from scipy.stats import bootstrap, spearmanr

import smallchange
from smallchange.core.glicko2 import Rating, rate_match
from smallchange.lab.ladder import ladder, usual
from smallchange.lab.ratings import ELO
from smallchange.server.meeting.pairing import Seek, pair_seeks
from smallchange.server.table.model.new_tables import Wish

WAVES = (30, 100)
WAIT_MS = 10_000  # how long each has waited in a wave
GAP_MS = 8 * 3600 * 1000  # between two waves
WISH = Wish("game", "5+3")
GAMES = [id for id in smallchange.games() if len(smallchange.game(id).seats) == 2]

Decide = Callable[[float, float, Random], float]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", choices=[*GAMES, []], help=", ".join(GAMES))
    parser.add_argument("-n", type=int, default=60, help="games of each pair of the ladder")
    parser.add_argument("--players", type=int, default=200, help="from 4 on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bots", help="of the ladder, with commas; all without it")
    asked = parser.parse_args()
    print("command: python bench/" + shlex.join(["populations.py", *sys.argv[1:]]))
    report("without luck", asked.players, asked.seed, 1.0, stronger_wins)
    for id in asked.games or GAMES:
        game = smallchange.game(id)
        bots = asked.bots.split(",") if asked.bots else usual(game)
        elo = [rating.elo for rating in ladder(game, bots, asked.n, asked.seed).ratings]
        spread = max(elo) - min(elo)
        report(f"{id}, {spread:.0f} Elo from end to end", asked.players, asked.seed, spread, by_chance)


def report(title: str, players: int, seed: int, spread: float, decide: Decide) -> None:
    """Print the rank correlations of one population."""
    luck = Random(seed)
    strengths = [spread * n / (players - 1) for n in range(players)]
    luck.shuffle(strengths)
    ratings, games = [Rating()] * players, [0] * players
    for wave in range(1, max(WAVES) + 1):
        ratings, paired = play_wave(ratings, strengths, decide, luck)
        for player in paired:
            games[player] += 1
        if wave in WAVES:
            points = np.array([rating.points for rating in ratings])
            low, high = interval(points, np.array(strengths), seed)
            found = spearmanr(points, strengths).statistic
            print(
                f"{title}: n {players} players, {np.mean(games):.1f} games each: rank correlation {found:.3f} "
                f"({low:.3f} to {high:.3f})"
            )


def play_wave(
    ratings: list[Rating], strengths: list[float], decide: Decide, luck: Random
) -> tuple[list[Rating], list[int]]:
    """Pair all who can be paired, and return everybody's rating after it with the players who played."""
    key = (WISH.game, WISH.speed)
    seeks = [
        Seek(f"{luck.random()}", str(n), (WISH,), True, 0, {key: rating.points})
        for n, rating in enumerate(ratings)
    ]
    after, paired = list(ratings), list[int]()
    for pair in pair_seeks(seeks, WAIT_MS, lambda a, b: True):
        a, b = int(pair.first.account), int(pair.second.account)
        score = decide(strengths[a], strengths[b], luck)
        after[a], after[b] = rate_match(ratings[a], ratings[b], score, (GAP_MS, GAP_MS))
        paired += [a, b]
    return after, paired


def stronger_wins(first: float, second: float, luck: Random) -> float:
    return float(first > second)


def by_chance(first: float, second: float, luck: Random) -> float:
    return float(luck.random() < 1 / (1 + np.exp((second - first) / ELO)))


def interval(points: np.ndarray, strengths: np.ndarray, seed: int) -> tuple[float, float]:
    """Return the 95 % interval of the rank correlation, by bootstrap over players."""
    found = bootstrap(
        (points, strengths),
        lambda a, b: spearmanr(a, b).statistic,
        paired=True,
        vectorized=False,
        n_resamples=400,
        method="percentile",
        random_state=np.random.default_rng(seed),
    ).confidence_interval
    return float(found.low), float(found.high)


if __name__ == "__main__":
    main()
