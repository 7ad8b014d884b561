"""A large board solved diagonal by diagonal into a file; a solve that was killed goes on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

from smallchange.core.game import Game

from .compiled_solver import Kit
from .layered_table import LayeredWriter
from .placements import Placements, placements
from .solve import Block, Progress, Solver

BITS = 0.3  # of file that a position takes at most, by experience
PLANES = 4  # of a block besides the turned ones
RUNTIME = 500_000_000  # bytes of memory that Python, Numba and the lists of placements take


def solve_layers(
    file: Path,
    game: Game,
    threads: int = 1,
    lowest: int = 0,
    progress: Progress = lambda *_: None,
) -> None:
    """Solve a game into a layered table; of the diagonals only those from `lowest` on."""
    places = placements(Kit(game))
    bounds = places.layers[:-1]
    writer = LayeredWriter(file, game)
    with ThreadPoolExecutor(threads) as pool:
        solver = Solver(places, bounds, pool, threads)
        last = 2 * solver.groups - 2
        work = {total: work_of(bounds, total) for total in range(last, lowest - 1, -1)}
        done = sum(work[section["total"]] for section in writer.diagonals if section["total"] >= lowest)
        progress(done, sum(work.values()))
        known = resume_losses(writer, solver)
        first = min((section["total"] for section in writer.diagonals), default=last + 1) - 1
        if known:
            for i, j in solver.diagonal(first + 1):
                solver.solve_pair(i, j, known)
        known.clear()
        for total in range(first, lowest - 1, -1):
            written = done

            def solved_blocks(total: int = total) -> Any:
                nonlocal done
                for i, j in solver.diagonal(total):
                    for block in solver.solve_pair(i, j):
                        yield block.planes.lost[: bounds[block.i + 1] - bounds[block.i]], note(solver, block)
                        done += solver.size(block.i, block.j)
                        progress(done, sum(work.values()))

            writer.write(total, solved_blocks(), pool)
            assert done == written + work[total]
    writer.finish()


def resume_losses(writer: LayeredWriter, solver: Solver) -> dict[tuple[int, int], Any]:
    """Return the lost positions of the last diagonal written, and give the solver those of the one before."""
    if not writer.diagonals:
        return {}
    last = writer.diagonals[-1]["total"]
    sections = writer.read()
    for total in [section["total"] for section in writer.diagonals[-2:-1]]:
        for (i, j), plane in sections.planes(total, solver.bounds):
            solver.recall(i, j, plane)
    return dict(sections.planes(last, solver.bounds))


def note(solver: Solver, block: Block) -> dict[str, int]:
    """Return the counts of a block and the rounds that its pair took."""
    return {"i": block.i, "j": block.j, "rounds": solver.rounds, **solver.counts(block)._asdict()}


def work_of(bounds: Any, total: int) -> int:
    """Return the number of columns and rows that the blocks of a diagonal have together."""
    sizes = [int(last - first) for first, last in pairwise(bounds)]
    return sum(sizes[i] * sizes[total - i] for i in range(len(sizes)) if 0 <= total - i < len(sizes))


def memory_needed(places: Placements, lowest: int = 0) -> int:
    """Bytes of memory that a solve down to a diagonal takes: the turned planes of one, and a pair of blocks."""
    bounds = places.layers[:-1]
    sizes = [64 * -(-int(last - first) // 64) for first, last in pairwise(bounds)]
    most = 0
    for total in range(lowest, 2 * len(sizes) - 1):
        blocks = {i: sizes[i] * sizes[total - i] for i in range(len(sizes)) if 0 <= total - i < len(sizes)}
        ahead = {
            i: sizes[i] * sizes[total + 1 - i] for i in range(len(sizes)) if 0 <= total + 1 - i < len(sizes)
        }
        kept = max(sum(blocks.values()), sum(ahead.values())) + max(ahead.values(), default=0)
        most = max(most, 2 * kept + 2 * (PLANES + 2) * max(blocks.values()))
    return RUNTIME + most // 8


def lowest_affordable(places: Placements, budget: int) -> int:
    """Return the lowest diagonal so that it and those above fit a budget of bytes of file, by experience."""
    bounds = places.layers[:-1]
    total, bits = 2 * len(bounds) - 4, 0.0
    while total >= 0:
        bits += BITS * work_of(bounds, total)
        if bits > 8 * budget:
            break
        total -= 1
    return total + 1
