"""Measure what a search gives away: compare its moves with the best ones, by many more simulations.

    python -m research.looks GAME [option=value ..] --plans PLAN .. [-n 100] [--every 7] [--seed 1] [--looks N]

For games with learned values and looks. A plan is a phrase as "rollouts=300 candidates=12 exploration=150", by the
names of `engine.search.learned_values.Lookahead`; the first one plays, in games for two against the rule of thumb,
and every so manyth of its decisions is kept. There each plan searches twice, with luck of its own, and its move is
compared with the best one by N looks of the first plan, dealt out evenly among the ends of the turn that it looks
at. The game's luck is not in these figures, so that a hundred positions tell more than a thousand games; and what
the looks themselves get wrong is not in them either. Points are of 100; intervals take a position for one
draw.

lab-log.md and bench/README.md have its figures.
"""

from __future__ import annotations

import argparse
import random
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from time import process_time
from typing import Any

import numpy as np

import smallchange
from research.phrases import parse_game, plan, several
from smallchange import BadValues, Match, bots
from smallchange.core.game import Position
from smallchange.engine.search.expectimax import value_searcher
from smallchange.engine.search.learned_values import Lookahead
from smallchange.engine.search.mcts import MoveStats
from smallchange.lab.statistics import Z95

EVENLY = 1 << 40  # so eager that whatever was looked at least is next


def main() -> None:
    asked = arguments()
    game = parse_game(asked.game, asked.options)
    plans = [plan(Lookahead, phrase) for phrase in asked.plans]
    search: Any = value_searcher(game)
    print("command: python bench/" + shlex.join(["looks.py", *sys.argv[1:]]))
    kept: list[Position] = []
    games = 0
    while len(kept) < asked.n:
        kept += list(played_decisions(game, search, plans[0], asked.seed, games, asked.every))[
            : asked.n - len(kept)
        ]
        games += 1
    decisions = len(kept) * asked.every / games
    worths = []
    for i, position in enumerate(kept):
        search_moves(search, position, replace(plans[0], rollouts=asked.looks, exploration=EVENLY), i)
        ends = [end for end in search.afterstates() if end.visits]
        worths.append({end.action: end.won for end in sorted(ends, key=lambda end: end.won)})
    print(f"{len(kept)} positions of {games} games with {decisions:.1f} decisions each")
    for phrase, one in zip(asked.plans, plans, strict=True):
        begun = process_time()
        lost = [
            max(worth.values()) - worth[search_moves(search, position, one, 1000003 * k + i)[0].action]
            for i, (position, worth) in enumerate(zip(kept, worths, strict=True))
            for k in (1, 2)
        ]
        ms = 1000 * (process_time() - begun) / len(lost)
        each = 100 * np.array(lost).reshape(-1, 2).mean(1)
        half = Z95 * each.std(ddof=1) / len(each) ** 0.5
        print(
            f"{phrase}: gives away {each.mean():.3f} +- {half:.3f} points a decision, "
            f"{decisions * each.mean():.2f} +- {decisions * half:.2f} a game; {ms:.1f} ms",
            flush=True,
        )


def search_moves(search: Any, position: Position, plan: Lookahead, seed: int) -> list[MoveStats]:
    looks: list[MoveStats] = search.search(
        position.s, plan, seed, lambda done: plan.rollouts - done, plan.rollouts
    )
    return looks


def played_decisions(
    game: smallchange.Game, search: Any, plan: Lookahead, seed: int, i: int, every: int
) -> Iterator[Position]:
    """Yield every n-th decision of game i, played by the plan."""
    match = Match(game, random.Random(f"{seed} {i}").randbytes(16))
    thumb = bots.bot("greedy", bots.MOVE_TIME_S, random.Random(f"{seed} {i} answers"))
    seat, decisions = game.seats[i % len(game.seats)], 0
    while not match.over:
        position = match.position
        legal = position.legal()
        if position.actor == "chance":
            match.settle()
        elif position.actor != seat:
            match.play(thumb(position))
        elif len(legal) == 1:
            match.play(legal[0])
        else:
            decisions += 1
            if decisions % every == 0:
                yield position.copy()
            match.play(game.tokens[search_moves(search, position, plan, decisions)[0].action])


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=smallchange.games())
    parser.add_argument("options", nargs="*")
    parser.add_argument("--plans", nargs="+", required=True)
    parser.add_argument("-n", type=several, default=100)
    parser.add_argument("--every", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--looks", type=int, default=18000)
    return parser.parse_intermixed_args()


if __name__ == "__main__":
    try:
        main()
    except BadValues as missing:
        sys.exit(str(missing))
