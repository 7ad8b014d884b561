"""Measure how well a duplicate pair tells a better player from a worse one, with the same luck or not.

    python -m research.pairs GAME [option=value ..] --better level4 --worse level2 [-n 400] [--seed 1]

Both bots play n pairs, a game from each side against the bot of duels. A pair is won by more points, then by the
larger margin. With the same luck the better player's pair n is compared with the worse player's pair n; with
different luck it is compared with all their other pairs. The bots answer at once or look at no clock, so the same
seed plays the same games.

bench/README.md and docs/decisions/0011-the-duplicate-pair.md have its figures.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from hashlib import sha256
from random import Random

import smallchange
from research.phrases import parse_game, several
from smallchange.bots import levels
from smallchange.core.match import Match
from smallchange.lab.statistics import Rate
from smallchange.server.daily.days import opponent
from smallchange.server.table.live.bot_turns import bot_luck
from smallchange.server.table.model.outcome import margins

FOREVER = 3600.0  # seconds; the plan is what limits a bot
Result = tuple[int, int]  # points and margins


def main() -> None:
    asked = arguments()
    game = parse_game(asked.game, asked.options)
    print("command: python bench/" + shlex.join(["pairs.py", *sys.argv[1:]]))
    better, worse = (
        [play_pair(game, name, asked.seed, number) for number in range(asked.n)]
        for name in (asked.better, asked.worse)
    )
    same = [decide(*results) for results in zip(better, worse, strict=True)]
    others = [decide(one, two) for i, one in enumerate(better) for j, two in enumerate(worse) if i != j]
    rate = Rate.of(round(sum(same)), asked.n)
    print(
        f"{asked.better} before {asked.worse} in {game.id}, against {opponent(game).name}: n {asked.n}, the same luck "
        f"{sum(same) / asked.n:.3f} ({rate.low:.3f} to {rate.high:.3f}), "
        f"different luck {sum(others) / len(others):.3f}"
    )


def play_pair(game: smallchange.Game, name: str, seed: int, number: int) -> Result:
    """Return the result of a pair that a bot plays."""
    points = ahead = 0
    bot, luck = levels.load_bots(game)[name], Random(f"{seed} {number} {name}")
    for seat, player in enumerate(game.seats):
        deal = sha256(f"{seed} {number} {player}".encode()).digest()[:16]
        match = Match(game, deal)
        match.settle()
        while not match.over:
            position = match.position
            mine = position.s.turn == seat
            chosen = bot if mine else opponent(game)
            match.play(chosen.choose(position.copy(), FOREVER, luck if mine else bot_luck(deal, position)))
            match.settle()
        points += 1 + (match.position.score(player) or 0)
        ahead += margins(match)[seat]
    return points, ahead


def decide(one: Result, other: Result) -> float:
    """Return 1 if the first result is better, 0 if the second is, and a half for equal ones."""
    return 0.5 if one == other else float(one > other)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [*levels.BASIC_BOTS, *levels.LEVELS]
    parser.add_argument("game", choices=[id for id in smallchange.games() if smallchange.game(id).margin])
    parser.add_argument("options", nargs="*")
    parser.add_argument("--better", choices=names, required=True)
    parser.add_argument("--worse", choices=names, required=True)
    parser.add_argument("-n", type=several, default=400)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
