"""How strong a search is: whole games on the same deals as `greedy`.

    python bench/strength.py GAME [option=value ..] [-n 200] [--seed 1] [--playouts 1000] [--rash 4] ..
    python bench/strength.py GAME [option=value ..] [-n 200] [--seed 1] [--calm] --values [looks=0] ..

The first is the tree search, the second play by learned values (`fast.values.Plan`; looks=0 width=0 trusts
the net at once).

With --calm the luck of the throws is taken off too (`fast/calm.py`), in games for two: in Coin Age a game
then says as much as fifteen do.

Games for one: win rate, mean score, and the paired difference to greedy. Games for two: the search against
greedy, half of the games as each side. Milliseconds are of processor time, for a move that was searched for.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import fields, replace
from time import process_time
from typing import Any

import numpy as np

import smallchange
from smallchange import BadValues, fast
from smallchange.fast import values
from smallchange.fast.search import Plan, Searcher
from smallchange.fast.thrower import valuer
from smallchange.fast.values import Valuer
from smallchange.lab.measure import Z95, Rate
from smallchange.lab.outcomes import Outcomes


def main() -> None:
    asked = arguments()
    empty = smallchange.game(asked.game)
    given = dict(word.split("=", 1) for word in asked.options)
    game = smallchange.game(
        asked.game, **{o.name: o.parse(given[o.name]) for o in empty.offered if o.name in given}
    )
    plan: Any = Plan(**{f.name: getattr(asked, f.name) for f in fields(Plan)})
    searcher: Any = Searcher(game) if asked.values is None else valuer(game)
    if asked.values is not None:
        plan = values.Plan(**{name: int(n) for name, n in (word.split("=") for word in asked.values)})
    cheap = Plan(playouts=1) if asked.values is None else replace(plan, looks=0, width=min(1, plan.width))
    searcher.play_matches([cheap] * len(game.seats), 0, 0, 1)  # compiles
    print("command: python bench/" + shlex.join(["strength.py", *sys.argv[1:]]))
    if asked.calm:
        calm(searcher, plan, asked.seed, asked.n)
    elif len(game.seats) == 1:
        alone(searcher, plan, asked.seed, asked.n)
    else:
        against(searcher, plan, asked.seed, asked.n)


def alone(searcher: Any, plan: Any, seed: int, n: int) -> None:
    start = process_time()
    games, moves = searcher.play_matches([plan], seed, 0, n)
    ms = 1000 * (process_time() - start) / moves
    greedy, _ = searcher.play_matches([fast.GREEDY], seed, 0, n)
    for name, played in (("search", games), ("greedy", greedy)):
        scores = played.scores[:, 0]
        print(f"{name}: n {n}, won {said(wins(searcher, played)[0], n)}, score {scores.mean():.2f}")
    more = games.scores[:, 0] - greedy.scores[:, 0]
    print(f"search - greedy, same deals: {more.mean():+.2f} +- {half(more):.2f} score; {ms:.2f} ms a move")


def against(searcher: Any, plan: Any, seed: int, n: int) -> None:
    won = lost = played = 0
    spent = moves = 0.0
    for seat in (0, 1):
        policy: list[Any] = [fast.GREEDY, fast.GREEDY]
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


def calm(valuer: Valuer, plan: values.Plan, seed: int, n: int) -> None:
    """Points against greedy, a draw being half, with the luck in them and without."""
    valuer.play_calm(0, replace(plan, looks=0), 0, 0, 1)  # compiles
    start = process_time()
    played = [valuer.play_calm(seat, plan, seed, seat * (n // 2), n // 2) for seat in (0, 1)]
    ms = 1000 * (process_time() - start) / sum(moves for *_, moves in played)
    for name, column in (("as played", 0), ("luck taken off", 1)):
        points = np.concatenate([games[column] for games in played])
        print(f"{name}: n {len(points)}, points {points.mean():.4f} +- {half(points):.4f}")
    print(f"{ms:.0f} ms a move, what luck is worth included")


def half(found: Any) -> float:
    """Half of the 95 % interval of a mean."""
    return Z95 * float(found.std(ddof=1)) / len(found) ** 0.5 if len(found) > 1 else float("nan")


def wins(searcher: Any, games: fast.Games) -> list[int]:
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
    parser.add_argument("--values", nargs="*")
    parser.add_argument("--calm", action="store_true")
    for field in fields(Plan):
        parser.add_argument(f"--{field.name}", type=int, default=field.default)
    asked = parser.parse_intermixed_args()
    if asked.calm and (asked.values is None or len(smallchange.game(asked.game).seats) != 2):
        parser.error("--calm goes with --values, in games for two")
    return asked


if __name__ == "__main__":
    try:
        main()
    except BadValues as missing:
        sys.exit(str(missing))
