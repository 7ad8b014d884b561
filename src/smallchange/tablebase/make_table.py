"""Tables made: a game solved, written, and opened.

A board whose pairs of placements fit in memory is solved with the plies to the end, in seconds. A larger one is
solved for its values alone (`layered_solve.py`).
"""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from smallchange.engine.kernels.solver_interface import (
    SolvedBlock,  # which says what to install without NumPy
)

# isort: split
import numpy as np

from smallchange.core.errors import BadOption
from smallchange.core.game import Game, game_of

from .compiled_solver import Kit
from .layered_solve import BITS, lowest_affordable, memory_needed, solve_layers
from .placements import placements
from .ranked_games import all_positions, index_of, smaller
from .solve import Progress, Solver
from .table import Table
from .table_files import open_table
from .table_writer import write_table

__all__ = ["Needs", "make_table"]

MOST_WITH_PLIES = (1 << 31) - 1  # positions of a table that names the plies to the end
MOST_BY_LAYERS = 1 << 40  # positions of a table without them: the next larger board takes terabytes
PLIES_BITS = 7  # of such a file that a position takes at most, by experience
PLIES_BYTES = 8  # of memory that a position takes while it is solved with its plies
RUNTIME = 300_000_000  # bytes of memory that Python and Numba take
ROWS = 64  # whose values a thread numbers at a time


@dataclass(frozen=True)
class Needs:
    """The memory and disk that a solve takes, in bytes, at most, by experience."""

    positions: int
    memory: int
    disk: int


def make_table(
    file: str | Path,
    game: Game | str,
    threads: int = 1,
    budget: int | None = None,
    progress: Progress = lambda *_: None,
    memory: float | None = None,
    disk: float | None = None,
) -> Table:
    """Solve a game into a file, and open it. A large solve that was killed goes on from its last diagonal.

    With a budget, in bytes of file, only a part is written: of a table with plies the positions with few
    pieces, of a larger one those near the end. `memory` and `disk` are limits in bytes; without them all that
    is free may be taken. BadOption where the game cannot be solved, or needs more than that.
    """
    file, game = Path(file), game_of(game)
    needs = requirements(game, budget)
    refuse_too_large(game, needs, free_memory() if memory is None else memory, "memory")
    refuse_too_large(game, needs, free_disk(file) if disk is None else disk, "disk")
    if has_plies(game):
        positions = affordable(game, budget)
        write_table(file, game, solve_with_plies(Kit(game), positions, threads, progress))
    else:
        lowest = 0 if budget is None else lowest_affordable(placements(Kit(game)), budget)
        solve_layers(file, game, threads, lowest, progress)
    return open_table(file)


def has_plies(game: Game) -> bool:
    """Return whether the game is small enough to be solved with the plies to the end."""
    return all_positions(game) <= MOST_WITH_PLIES


def requirements(game: Game, budget: int | None = None) -> Needs:
    """Return the memory and disk that a solve takes. BadOption if the game cannot be solved."""
    positions = affordable(game, budget)
    if all_positions(game) > MOST_BY_LAYERS:
        fewer = "".join(f"; a smaller --{name.replace('_', '-')} has fewer" for name in smaller(game))
        raise BadOption(f"{all_positions(game):,} positions are too many to solve{fewer}")
    if has_plies(game):
        return Needs(
            positions, RUNTIME + PLIES_BYTES * all_positions(game), positions * PLIES_BITS // 8 + 10_000
        )
    places = placements(Kit(game))
    if budget is None:
        return Needs(positions, memory_needed(places), int(positions * BITS / 8))
    return Needs(positions, memory_needed(places, lowest_affordable(places, budget)), budget)


def refuse_too_large(game: Game, needs: Needs, limit: float, what: str) -> None:
    """Raise BadOption where a solve needs more than the limit."""
    amount = getattr(needs, what)
    if amount > limit:
        fewer = "".join(f"a smaller --{name.replace('_', '-')} has fewer" for name in smaller(game))
        raise BadOption(
            f"{needs.positions:,} positions need {amount / 1e9:.1f} GB of {what}, and there are "
            f"{limit / 1e9:.1f}; {fewer}"
        )


def affordable(game: Game, budget: int | None) -> int:
    """Count the positions that fit a budget of file, all of them without one. BadOption where there are none."""
    index, positions = index_of(game), all_positions(game)
    if budget is not None:
        if has_plies(game):
            sizes = [index.places(game.board, n) for n in range(index.shelves(game.board) + 1)]
            positions = max(n for n in sizes if n * PLIES_BITS <= 8 * budget)
        else:
            positions = min(positions, int(8 * budget / BITS))
    if positions == 0:
        raise BadOption(f"{budget} bytes are too few for any positions of {game.id}")
    return positions


def solve_with_plies(kit: Kit, positions: int, threads: int, progress: Progress = lambda *_: None) -> Any:
    """Solve a game, and return the values of its first `positions` positions, int16, as tables hold them."""
    progress(0, 2)
    places = placements(kit)
    n = len(places) - 1  # without the empty one
    tiles = -(-n // 64)
    plies = np.zeros((64 * tiles, 64 * tiles), np.uint8)
    values = np.zeros(positions, np.int16)
    with ThreadPoolExecutor(threads) as pool:
        solver = Solver(places, [0, n], pool, threads)
        (block,) = solver.solve_pair(0, 0, distances=plies)
        progress(1, 2)
        planes = block.planes
        solved = SolvedBlock(places.sets, places.seen[:n], planes.valid, planes.won, planes.lost, plies)

        def number(first: int) -> None:
            kit.code.number_values(kit.boards, kit.states(), solved, values, first, min(first + ROWS, n))

        list(pool.map(number, range(0, n, ROWS)))
    progress(2, 2)
    return values


def free_memory() -> float:
    """Return the machine's free memory in bytes; inf where the system does not report it."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="utf-8")
        return 1024.0 * int(text.split("MemAvailable:")[1].split()[0])
    except (OSError, IndexError, ValueError):
        pass
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError):
        return inf


def free_disk(file: Path) -> float:
    """Return the free bytes where a file is to be written."""
    folder = next(parent for parent in file.absolute().parents if parent.exists())
    return float(shutil.disk_usage(folder).free)
