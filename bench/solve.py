"""Dodg'em solved: how long it takes, what it takes, and which boards are won.

    python bench/solve.py speed [SIZE]         solve the classic board: seconds, memory, file, look-ups, proof
    python bench/solve.py reach [SIZE]         count the positions that can come up, as sekika/dodgem-py does
    python bench/solve.py boards [SIZE] [-p]   all boards to this size, as docs/dodgem-solved.md; -p: proved
    python bench/solve.py bot [SIZE] [N]       are a bot's steps best, at N positions of these boards?
    python bench/solve.py endgames [N]         .. of the endgames of 6 x 6 that are solved

`boards` keeps its tables where bots look for them and does not make those again that are there.
"""

import os
import resource
import shlex
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import numpy as np

import smallchange
from smallchange import Position
from smallchange.game import Game
from smallchange.mind._solved import sound
from smallchange.solve import Table, open_table, tables_folder
from smallchange.solve.found import file_name
from smallchange.solve.make import make_table
from smallchange.solve.pack import read_values
from smallchange.solve.reach import reachable
from smallchange.solve.table import NOBODY
from smallchange.solve.verify import verify

THREADS = os.cpu_count() or 1
STARTS, BLOCKED = ("facing", "crosswise"), ("pass", "wins", "loses")


def board(size: int, start: str = "crosswise", blocked: str = "wins") -> Game:
    return smallchange.game("dodgem", size=size, start=start, blocked=blocked)


def speed(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        verify(make_table(Path(folder) / "warm.table", board(3), THREADS))  # compiles
        wall, cpu = time.perf_counter(), time.process_time()
        table = make_table(Path(folder) / "solved.table", board(size), THREADS)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        file = (Path(folder) / "solved.table").stat().st_size / 1e6
        print(f"{size} x {size}, {table.positions:,} positions, {THREADS} threads")
        print(f"solved in {wall:.1f} s ({cpu:.1f} CPU seconds), {peak:.2f} GB at most, {file:.1f} MB on disk")
        print(f"a look-up takes {look_up(table):.1f} us")
        wall, cpu = time.perf_counter(), time.process_time()
        proved = verify(table, THREADS)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"proved in {wall:.1f} s ({cpu:.1f} CPU seconds): {proved}")


def look_up(table: Table, n: int = 20_000) -> float:
    """CPU microseconds a look-up of positions at random takes, the best of five."""
    luck = Random(1)
    places: list[Position] = []
    while len(places) < n:
        position = table.position(luck.randrange(table.positions), luck.randrange(2))
        if position.legal():
            places.append(position)
    times = []
    for _ in range(5):
        begun = time.process_time()
        for position in places:
            table.value(position)
        times.append((time.process_time() - begun) / n * 1e6)
    return min(times)


def bot(games: list[Game], n: int) -> None:
    """N positions at random, as many of each game: is every step that a bot may take best?"""
    luck, begun, positions, steps, worse = Random(2), time.process_time(), 0, 0, 0
    for game in games:
        file = tables_folder() / file_name(game)
        if not file.exists():
            command = shlex.join(["smallchange", "solve", game.id, *game.arguments])
            raise SystemExit(f"there is no {file}: {command}")
        table = open_table(file, check=False)
        for _ in range(n // len(games)):
            position = table.position(luck.randrange(table.positions), luck.randrange(2))
            legal = position.legal()
            value = table.value(position) if legal else None
            positions += bool(legal)
            for token in sound(position, legal, table) if legal else []:
                steps += 1
                after = table.after(position, token)
                assert value is not None
                assert after.outcome == value.outcome, str(position)
                worse += after != value
        print(f"{table.game!r}: {positions:,} positions so far", flush=True)
    seconds = time.process_time() - begun
    print(
        f"{steps:,} steps from {positions:,} positions keep their value; {worse:,} of them win later "
        f"than could be, or lose sooner; {seconds:.0f} CPU s"
    )


def reach(size: int) -> None:
    begun = time.perf_counter()
    print(f"{size} x {size}: {reachable(board(size), ('coins', 'winner')):,} positions can come up")
    print(f"{time.perf_counter() - begun:.1f} s")


def boards(size: int, proved: bool) -> Iterator[str]:
    yield from HEAD.strip().splitlines()
    for n, start, blocked in product(range(3, size + 1), STARTS, BLOCKED):
        game = board(n, start, blocked)
        file = tables_folder() / file_name(game)
        file.parent.mkdir(parents=True, exist_ok=True)
        table = open_table(file) if file.exists() else make_table(file, game, THREADS)
        if proved:
            verify(table, THREADS)
        values = read_values(table)
        counts = [np.count_nonzero(kind) for kind in (values > 0, values == 0, values < 0)]
        none = np.count_nonzero(values == NOBODY)
        longest = np.abs(values[values != NOBODY]).max()
        row = [f"{n} x {n}", start, blocked, verdict(table), f"{counts[0] - none:,}", f"{counts[1]:,}"]
        yield " | ".join(["", *row, f"{counts[2]:,}", str(longest), f"{megabytes(file)}", ""]).strip()


def megabytes(file: Path) -> str:
    size = file.stat().st_size / 1e6
    return f"{size:.1f}" if size >= 0.1 else "< 0.1"


def verdict(table: Table) -> str:
    value = table.value(table.game.start())
    if value.plies is None:
        return "drawn"
    return f"**{'red' if value.outcome == 'win' else 'green'} wins** in {value.plies}"


HEAD = """
# Which boards of Dodg'em are won

Every position of these boards is solved: its value, and in how many plies the winner can force the end.
Red moves first. Play may go on for ever, which is a draw; the limit of quiet plies (DG-4) is left out.

The columns: the value of the start; then of all positions with a player to move, each player having at
least one coin on the board, how many that player wins, draws and loses (as many with red to move as with
green, by symmetry); the longest win or loss in plies; the table's size in MB.

Written by `python bench/solve.py boards > docs/dodgem-solved.md`. A table is proved, entry by entry, by
`smallchange solve dodgem --size N --start START --blocked BLOCKED --verify`. So were all of these.

| board | start | a blocked player | from the start | won | drawn | lost | longest | MB |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


def main() -> None:
    what, *rest = sys.argv[1:] or [""]
    numbers = [int(word) for word in rest if word.isdigit()]
    size = numbers[0] if numbers else 5
    if what == "boards":
        for line in boards(size, "-p" in rest):
            print(line, flush=True)
    elif what == "bot":
        games = [board(*one) for one in product(range(3, size + 1), STARTS, BLOCKED)]
        bot(games, numbers[1] if len(numbers) > 1 else 1_000_000)
    elif what == "endgames":
        bot([smallchange.game("dodgem")], numbers[0] if numbers else 1_000_000)
    elif what in ("speed", "reach"):
        (speed if what == "speed" else reach)(size)
    else:
        print(__doc__)


if __name__ == "__main__":
    main()
