"""The values of ten named positions of the Royal Game of Ur, and what each bot gives away, both by a solved table.

python -m research.ur_values TABLE.. [--games 200] [--bots level1,level2,level3]
"""

from __future__ import annotations

import argparse
import math
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
    asked = parser.parse_args()
    for file in asked.tables:
        for line in report(
            open_values(file), asked.games, asked.against, asked.bots.split(",") if asked.bots else []
        ):
            print(line, flush=True)


if __name__ == "__main__":
    main()
