"""How strong the tree search is: whole games on the same deals as `greedy`.

    python bench/strength.py GAME [option=value ..] [-n 200] [--seed 1] [--playouts 1000] [--rash 4] ..

Games for one: win rate, mean score, and the paired difference to greedy. Games for two: the search against
greedy, half of the games as each side. Milliseconds are of processor time, for a move that was searched for.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import fields
from time import process_time

import numpy as np

import smallchange
from smallchange import fast
from smallchange.fast.search import Plan, Searcher
from smallchange.lab.measure import Rate
from smallchange.lab.outcomes import Outcomes


def main() -> None:
    asked = arguments()
    empty = smallchange.game(asked.game)
    given = dict(word.split("=", 1) for word in asked.options)
    game = smallchange.game(
        asked.game, **{o.name: o.parse(given[o.name]) for o in empty.offered if o.name in given}
    )
    plan = Plan(**{f.name: getattr(asked, f.name) for f in fields(Plan)})
    searcher = Searcher(game)
    searcher.play_matches([Plan(playouts=1)] * len(game.seats), 0, 0, 1)  # compiles
    print("command: python bench/" + shlex.join(["strength.py", *sys.argv[1:]]))
    if len(game.seats) == 1:
        alone(searcher, plan, asked.seed, asked.n)
    else:
        against(searcher, plan, asked.seed, asked.n)


def alone(searcher: Searcher, plan: Plan, seed: int, n: int) -> None:
    start = process_time()
    games, moves = searcher.play_matches([plan], seed, 0, n)
    ms = 1000 * (process_time() - start) / moves
    greedy, _ = searcher.play_matches([fast.GREEDY], seed, 0, n)
    for name, played in (("search", games), ("greedy", greedy)):
        scores = played.scores[:, 0]
        print(f"{name}: n {n}, won {said(wins(searcher, played)[0], n)}, score {scores.mean():.2f}")
    more = games.scores[:, 0] - greedy.scores[:, 0]
    half = 1.96 * more.std(ddof=1) / np.sqrt(n) if n > 1 else float("nan")
    print(f"search - greedy, same deals: {more.mean():+.2f} +- {half:.2f} score; {ms:.2f} ms a move")


def against(searcher: Searcher, plan: Plan, seed: int, n: int) -> None:
    won = lost = played = 0
    spent = moves = 0.0
    for seat in (0, 1):
        policy: list[int | Plan] = [fast.GREEDY, fast.GREEDY]
        policy[seat] = plan
        start = process_time()
        games, searched = searcher.play_matches(policy, seed, seat * (n // 2), n // 2)
        spent += process_time() - start
        moves += searched
        won += wins(searcher, games)[seat]
        lost += wins(searcher, games)[1 - seat]
        played += n // 2
    ms = 1000 * spent / moves
    print(f"search against greedy: n {played}, won {said(won, played)}, lost {lost}; {ms:.2f} ms a move")


def wins(searcher: Searcher, games: fast.Games) -> list[int]:
    outcomes = Outcomes(searcher.game)
    outcomes.add(games)
    return [outcomes.wins[player] for player in searcher.game.seats]


def said(hits: int, n: int) -> str:
    rate = Rate.of(hits, n)
    return f"{rate.p:.3f} (95 %: {rate.low:.3f} to {rate.high:.3f})"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=smallchange.games())
    parser.add_argument("options", nargs="*")
    parser.add_argument("-n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    for field in fields(Plan):
        parser.add_argument(f"--{field.name}", type=int, default=field.default)
    return parser.parse_intermixed_args()


if __name__ == "__main__":
    main()
