"""Variants that are small enough to be solved in a test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import smallchange
from smallchange import Position
from smallchange.core.game import Game
from smallchange.engine.search.iterative_deepening import is_supported
from smallchange.tablebase import solvable
from smallchange.tablebase.ranked_games import all_positions
from smallchange.tablebase.table import PliesTable, Table

MAX_POSITIONS = 300_000  # positions that are solved for a test


def small_games() -> Iterator[Game]:
    """Yield the variants, by choices and small ranges, that have few positions."""
    for id in set(solvable()) & {id for id in smallchange.games() if is_supported(smallchange.game(id))}:
        offered: Any = smallchange.game(id).offered
        ranges = [
            o.names if hasattr(o, "names") else range(o.low, min(o.high, o.low + 1) + 1) for o in offered
        ]
        for values in product(*ranges):
            chosen = {
                o.name: v if hasattr(o, "names") or o.high < 100 else o.default
                for o, v in zip(offered, values, strict=True)
            }
            game = Game(id, chosen)
            if all_positions(game) <= MAX_POSITIONS:
                yield game


SMALL_GAMES = list(dict.fromkeys(small_games()))


def positions_with_moves(table: Table, n: int, seed: int) -> Iterator[Position]:
    """Yield random positions in which a player has a move."""
    luck = Random(seed)
    while n:
        assert isinstance(table, PliesTable)
        position = table.position(luck.randrange(table.positions), luck.randrange(2))
        if position.legal():
            n -= 1
            yield position


def every_position(table: Table) -> list[Position]:
    """Return the positions of a table with plies, the players to move in turn."""
    assert isinstance(table, PliesTable)
    positions = [table.position(i, i % 2) for i in range(table.positions)]
    return [position for position in positions if position.legal()]
