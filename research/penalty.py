"""Measure how tight the bounds of information relaxation are, late in games for one.

    python -m research.penalty GAME [--left N ..] [-n 5] [--paths 30] [--known SOURCE ..] [--ahead]

N choices before the end of games by the rule of thumb, n positions each that are neither won nor lost and that
the exact solver answers: perfect play's odds; the bound with all throws known, or those of some sources, and no
penalty; with the penalty of the game's learned values, where it has some; with --ahead also by values one step ahead,
the best that the learned values say after a move and its throws; and the positions of a path.

lab-log.md has its figures.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from statistics import fmean

import smallchange
from research.penalized_bounds import ChanceValues, TooManyLines, penalized_bound, step
from smallchange import Match, Position, bots
from smallchange.bots.engines.learned_values import has_learned_values
from smallchange.core.game import Game
from smallchange.engine.search.expectimax import value_searcher
from smallchange.tablebase.exact import Exact, TooLarge

ANSWERED = 20_000  # positions of the exact solver
AHEAD = 200_000  # states whose values are asked for, one step ahead
GAMES = 200  # that are looked through for positions


def main() -> None:
    for_one = [id for id in smallchange.games() if len(smallchange.game(id).seats) == 1]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=for_one)
    parser.add_argument("--left", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("-n", type=int, default=5)
    parser.add_argument("--paths", type=int, default=30)
    parser.add_argument("--known", nargs="+", metavar="SOURCE")
    parser.add_argument("--ahead", action="store_true")
    asked = parser.parse_args()
    game = smallchange.game(asked.game)
    values: dict[str, Callable[[Position], float]] = {"no penalty": lambda _: 0.5}
    if has_learned_values(game):
        net = value_searcher(game)
        values["learned values"] = lambda position: net.estimate(position.s)
        if asked.ahead:
            values["one step ahead"] = one_step_ahead(values["learned values"])
    for left in asked.left:
        found = open_positions(game, left, asked.n)
        if not found:
            print(f"{game.id}: none of {GAMES} games is open and answered {left} choices before its end")
            continue
        perfect = fmean(worth for _, worth in found)
        print(f"{game.id}, {left} choices left, {len(found)} positions: perfect play {perfect:.3f}")
        for name, value in values.items():
            print(
                f"  {name}: {bounds([position for position, _ in found], value, asked.paths, asked.known)}",
                flush=True,
            )


def open_positions(game: Game, left: int, n: int) -> list[tuple[Position, float]]:
    """Return n positions so many choices before the end, with their exact odds, neither 0 nor 1."""
    exact, found = Exact(game), list[tuple[Position, float]]()
    for i in range(GAMES):
        match, thumb = Match(game, random.Random(i).randbytes(16)), bots.bot("greedy", luck=random.Random(i))
        choices = []
        while not match.over:
            if not match.settle():
                choices.append(match.position.copy())
                match.play(thumb(match.position))
        exact.forget()
        try:
            worth = exact.value(choices[-left], positions=ANSWERED) if len(choices) >= left else 0
        except TooLarge:
            continue
        if 0 < worth < 1:
            found.append((choices[-left], float(worth)))
        if len(found) == n:
            break
    return found


def one_step_ahead(value: Callable[[Position], float]) -> Callable[[Position], float]:
    """Return values that are what the best move is worth by others."""
    values = ChanceValues(value, AHEAD)
    return lambda position: max(values(step(position, action)) for action in position.legal_actions())


def bounds(
    positions: list[Position], value: Callable[[Position], float], paths: int, known: list[str] | None
) -> str:
    """Return the mean bound of positions, half its 95 % interval, and the positions of a path, in words."""
    try:
        found = [
            penalized_bound(position, value, paths, seed, known=known)
            for seed, position in enumerate(positions)
        ]
    except TooManyLines as error:
        return str(error)
    half = sum((bound.high - bound.mean) ** 2 for bound in found) ** 0.5 / len(found)
    most = max(bound.positions for bound in found)
    return f"{fmean(bound.mean for bound in found):.3f} +- {half:.3f}, at most {most:,} positions a path"


if __name__ == "__main__":
    main()
