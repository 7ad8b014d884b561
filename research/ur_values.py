"""The values of ten named positions of the Royal Game of Ur, what each bot gives away, and which moves are right.

All by a solved table:

python -m research.ur_values TABLE.. [--games 200] [--bots level1,level2,level3] [--against 10000] [--right 1000]
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from statistics import fmean, stdev

from smallchange import Game, Position, bots
from smallchange.core.match import Match
from smallchange.core.state import CHANCE, bit
from smallchange.lab.statistics import Rate
from smallchange.tablebase.chance_table import ValueTable, open_values

FIRST_ROSETTE, MIDDLE_ROSETTE = 4, 8  # steps, in each set
Z = 1.96  # of an interval of 95 %


def named_positions(game: Game) -> Iterator[tuple[str, Position]]:
    """Yield ten positions with their names; nine where the coins give four throws alone. Sun has the first throw."""
    yield "the start", game.start()
    for token, _ in game.start().weights():
        yield f"the first throw is {token.rpartition(':')[2]}", game.start().played(token)
    last = game.board.coins - 1
    yield "one coin to go each, both waiting", set_up(game, home=(last, last))
    yield "one coin to go, waiting, against all", set_up(game, home=(last, 0))
    yield "a coin each on the fourth square", set_up(game, coins=(bit(FIRST_ROSETTE), bit(FIRST_ROSETTE)))
    yield "a coin of Moon on the rosette in the middle", set_up(game, coins=(0, bit(MIDDLE_ROSETTE)))


def set_up(game: Game, coins: tuple[int, int] = (0, 0), home: tuple[int, int] = (0, 0)) -> Position:
    """Return a position in which Sun is to throw."""
    s = game.start().s
    s.turn, s.mover, s.coins, s.home = CHANCE, 0, list(coins), list(home)
    return Position(game, s)


def given_away(table: ValueTable, bot: Callable[[Position], str], deal: bytes) -> float:
    """Play a game of a bot against itself; return the points of 100 that a side gives away in it."""
    match, lost = Match(table.game, deal), 0.0
    while not match.over:
        if match.settle():
            continue
        position = match.position
        token = bot(position)
        if len(position.legal()) > 1:
            worth = table.moves(position)
            lost += max(worth.values()) - worth[token]
        match.play(token)
    return 100 * lost / 2


def perfect_wins(table: ValueTable, bot: Callable[[Position], str], seat: str, deal: bytes) -> bool:
    """Play a game of perfect play at this seat against a bot; return whether perfect play wins."""
    match = Match(table.game, deal)
    while not match.over:
        if match.settle():
            continue
        position = match.position
        if position.actor == seat:
            worth = table.moves(position)
            match.play(max(worth, key=lambda token: worth[token]))
        else:
            match.play(bot(position))
    result = match.result
    return result is not None and result["winner"] == seat


def kinds_of(before: Position, after: Position) -> Iterator[str]:
    """Yield what a move is: a capture, another throw, a coin that enters, a coin that gets home."""
    side = before.s.mover
    if after.s.coins[1 - side].bit_count() < before.s.coins[1 - side].bit_count():
        yield "capture"
    if after.s.turn == CHANCE and after.s.mover == side:
        yield "another throw"
    if after.s.home[side] > before.s.home[side]:
        yield "a coin gets home"
    elif after.s.coins[side].bit_count() > before.s.coins[side].bit_count():
        yield "a coin enters"


def right_moves(table: ValueTable, games: int) -> Iterator[str]:
    """Yield how often each kind of move is best where another kind can be played too, and what throws change."""
    best_of, offered, swings = Counter[str](), Counter[str](), list[float]()
    for i in range(games):
        match, before = Match(table.game, Random(f"right {i}").randbytes(16)), math.nan
        while not match.over:
            position = match.position
            if position.s.turn == CHANCE:
                before = table.value(position)
            if match.settle():
                if not match.over:
                    swings.append(abs(table.value(match.position) - before))
                continue
            worth = table.moves(position)
            best = max(worth, key=lambda token: worth[token])
            kinds = {token: {*kinds_of(position, position.played(token))} for token in worth}
            for kind in {*itertools.chain(*kinds.values())}:
                if any(kind not in of for of in kinds.values()):
                    offered[kind] += 1
                    best_of[kind] += kind in kinds[best]
            match.play(best)
    for kind, n in offered.most_common():
        yield f"| {kind} | {best_of[kind] / n:.1%} of {n:,} choices |"
    points, n = 100 * fmean(swings), len(swings)
    yield f"| the throws before a move change the odds by | {points:.2f} points (n = {n:,} moves, {games} games) |"


def report(table: ValueTable, games: int, against: int, names: list[str]) -> Iterator[str]:
    """Yield the lines for a table: values to Sun; then what bots give away a game, and what perfect play wins of them.

    Both have an interval of 95 %.
    """
    yield f"{table.game!r}: {table.positions:,} positions, each value within {table.error:.2e}"
    for name, position in named_positions(table.game):
        yield f"| {name} | {table.value(position):.5f} |"
    for name in names:
        bot = bots.bot(name, math.inf, Random(f"{name} thinks"))
        lost = [given_away(table, bot, Random(f"{name} {i}").randbytes(16)) for i in range(games)]
        half = Z * stdev(lost) / math.sqrt(games)
        mean = fmean(lost)
        line = f"| {name} | {mean:.2f} ({mean - half:.2f} to {mean + half:.2f}, n = {games}) |"
        if against:
            deals = [Random(f"perfect {name} {i}").randbytes(16) for i in range(against)]
            won = sum(perfect_wins(table, bot, table.game.seats[i % 2], deal) for i, deal in enumerate(deals))
            rate = Rate.of(won, against)
            line += f" {rate.p:.2%} ({rate.low:.2%} to {rate.high:.2%}, n = {against:,}) |"
        yield line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--bots", default="")
    parser.add_argument("--games", type=int, default=200, help="of a bot against itself")
    parser.add_argument("--against", type=int, default=0, help="games of perfect play against a bot")
    parser.add_argument("--right", type=int, default=0, help="games of perfect play against itself")
    asked = parser.parse_args()
    for file in asked.tables:
        for line in report(
            open_values(file), asked.games, asked.against, asked.bots.split(",") if asked.bots else []
        ):
            print(line, flush=True)
        for line in right_moves(open_values(file), asked.right) if asked.right else ():
            print(line, flush=True)


if __name__ == "__main__":
    main()
