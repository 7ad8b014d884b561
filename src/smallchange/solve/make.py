"""A table made: solved, written, and opened."""

from __future__ import annotations

import hashlib
import os
from math import inf
from pathlib import Path

from smallchange.errors import BadOption
from smallchange.game import Game

from .kit import Kit
from .layers import Said, solve
from .numbering import all_positions, index_of, smaller
from .pack import write_table
from .parts import Parts
from .table import Table, open_table

MOST = (1 << 31) - 1  # positions that a solve can hold
BYTES = 10  # of memory that a position takes while it is solved
BITS = 7  # of file that a position takes at most, by experience


def make_table(
    file: str | Path,
    game: Game,
    threads: int = 1,
    budget: int | None = None,
    said: Said = lambda *_: None,
) -> Table:
    """Solve a game into a file. A solve that was killed goes on from the levels it had finished.

    With a budget, in bytes of file, only as many shelves of the game's index as fit: the positions with few
    pieces. BadOption where the game cannot be solved, or is too large, for this machine too.
    """
    file, positions = Path(file), affordable(game, budget)
    if BYTES * positions > memory():
        raise BadOption(
            f"{positions:,} positions need {BYTES * positions / 1e9:.1f} GB of memory, and this machine has "
            f"{memory() / 1e9:.1f}; a smaller budget takes those of fewer pieces"
        )
    kit = Kit(game)
    key = hashlib.sha256(f"{kit.text}\n{sorted(game.options.items())}\n{positions}".encode()).hexdigest()
    parts = Parts(file.with_name(file.name + ".part"), key)
    write_table(file, game, solve(kit, positions, threads, parts, said))
    parts.remove()
    return open_table(file)


def affordable(game: Game, budget: int | None) -> int:
    """How many positions the shelves have that fit a budget, all of them without one."""
    index, positions = index_of(game), all_positions(game)
    if budget is not None:
        sizes: list[int] = [index.places(game.board, n) for n in range(index.shelves(game.board) + 1)]
        positions = max(n for n in sizes if n * BITS <= 8 * budget)
    if positions > MOST:
        fewer = "".join(f"a smaller --{name.replace('_', '-')} has fewer, " for name in smaller(game))
        raise BadOption(
            f"{positions:,} positions are more than can be solved; {fewer}and a budget (--budget MB) takes "
            "those of few pieces"
        )
    if positions == 0:
        raise BadOption(f"{budget} bytes are too few for any positions of {game.id}")
    return positions


def memory() -> float:
    """The machine's memory in bytes; inf where the system does not say."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError):
        return inf
