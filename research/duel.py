"""One engine against another in a game for two: won, drawn and lost from the start, half as each side.

    python -m research.duel GAME [option=value ..] --one alphabeta:nodes=20000 --other mcts:simulations=1000
        [-n 1000]

An engine is a module of `smallchange.bots.engines`, with its plan, or a bot of the game, such as level4; nobody looks
at the clock, so the same seed plays the same games. `--random N` lets the first N plies be chosen at random,
the same for both sides of a pair. Milliseconds are of processor time, for a move that was a choice.

bench/README.md and docs/decisions/0012-pairs-between-two-people.md have its figures.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from random import Random
from time import process_time

import smallchange
from research.phrases import parse_game, several
from smallchange import Position
from smallchange.bots import levels
from smallchange.lab.statistics import Rate

FOREVER = 3600.0  # seconds; the plan is what limits an engine


class Engine:
    """An engine with its plan, and the time it took."""

    def __init__(self, said: str, game: smallchange.Game) -> None:
        name, _, plan = said.partition(":")
        numbers = {word.split("=")[0]: int(word.split("=")[1]) for word in plan.split(",") if word}
        self.said = said
        self.bot = levels.load_bots(game).get(name) or levels.Level(said, name, numbers)
        self.spent, self.moves = 0.0, 0

    def choose(self, position: Position, luck: Random) -> str:
        legal = position.legal()
        if len(legal) == 1:
            return legal[0]
        began = process_time()
        token = self.bot.choose(position.copy(), FOREVER, luck)
        self.spent += process_time() - began
        self.moves += 1
        return token

    @property
    def ms(self) -> float:
        return 1000 * self.spent / max(1, self.moves)


def after_chance(position: Position, luck: Random) -> Position:
    """Return the position after chance has moved, if the step is chance's."""
    while position.actor == "chance":
        tokens, weights = zip(*position.weights(), strict=True)
        position.play(luck.choices(tokens, weights)[0])
    return position


def play(position: Position, one: Engine, other: Engine, seat: str, luck: Random) -> int:
    """Return the final lead of the first engine, in the seat."""
    while position.actor is not None:
        position.play((one if position.actor == seat else other).choose(position, luck))
        after_chance(position, luck)
    scores = {player: position.score(player) or 0 for player in position.game.seats}
    return 2 * scores[seat] - sum(scores.values())


def opening(game: smallchange.Game, plies: int, luck: Random) -> Position:
    position = after_chance(game.start(), luck)
    for _ in range(plies):
        after = position.played(luck.choice(position.legal()))
        after_chance(after, luck)
        if after.actor is None:
            break
        position = after
    return position


def main() -> None:
    asked = arguments()
    game = parse_game(asked.game, asked.options)
    one, other = Engine(asked.one, game), Engine(asked.other, game)
    for engine in (one, other):
        engine.choose(after_chance(game.start(), Random(0)), Random(0))  # compiles
        engine.spent, engine.moves = 0.0, 0
    print("command: python bench/" + shlex.join(["duel.py", *sys.argv[1:]]))
    total: Counter[str] = Counter()
    for side, seat in enumerate(game.seats):
        found: Counter[str] = Counter()
        for i in range(asked.n // 2):
            luck = Random(f"{asked.seed} {i} {side}")
            start = opening(game, asked.random, Random(f"{asked.seed} {i}"))
            lead = play(start, one, other, seat, luck)
            found["won" if lead > 0 else "lost" if lead < 0 else "drawn"] += 1
        print(f"as {seat}: won {found['won']}, drawn {found['drawn']}, lost {found['lost']}", flush=True)
        total += found
    tell(total, asked.n // 2 * 2, one, other)


def tell(total: Counter[str], n: int, one: Engine, other: Engine) -> None:
    rates = [Rate.of(total[name], n) for name in ("won", "lost")]
    said = [f"{rate.p:.3f} (95 %: {rate.low:.3f} to {rate.high:.3f})" for rate in rates]
    print(f"{one.said} against {other.said}: n {n}, won {said[0]}, lost {said[1]}")
    print(f"{one.ms:.2f} and {other.ms:.2f} ms a move")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=smallchange.games())
    parser.add_argument("options", nargs="*")
    parser.add_argument("--one", required=True)
    parser.add_argument("--other", required=True)
    parser.add_argument("-n", type=several, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=0)
    return parser.parse_intermixed_args()


if __name__ == "__main__":
    main()
