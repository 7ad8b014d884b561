"""Dodg'em solved: how long it takes, what it takes, and which boards are won.

    python bench/solve.py speed [SIZE]         solve the classic board: seconds, memory, file, look-ups, proof
    python bench/solve.py boards [SIZE] [-p]   the rows of docs/dodgem-solved.md to this size; -p: proved
    python bench/solve.py bot [SIZE] [N]       are a bot's steps best, at N positions of these boards?
    python bench/solve.py endgames [N]         .. of the endgames of 6 x 6 that are solved
    python bench/solve.py large FILE [N] [WINS]     .. of N positions of a table by layers, and WINS wins played out
    python bench/solve.py layers [SIZE] [FILE ..]   counts by progress of all boards to this size, and of these
                                               tables by layers, written to docs/dodgem
    python bench/solve.py look-up FILE ..      time of a look-up in these tables, at random places and again
    python bench/solve.py book FILE BYTES      the opening book of a table by layers, into the game's folder
    python bench/solve.py against COMMIT [SIZE]     the solver of an older commit beside this one

`boards` keeps its tables where bots look for them and does not make those again that are there.
"""

import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import numpy as np

import smallchange
from smallchange import Position
from smallchange.bots.engines.tablebase import layer, safe_moves
from smallchange.core.game import Game
from smallchange.tablebase import PliesTable, Table, open_table, tables_folder
from smallchange.tablebase.layered_solve import solve_layers
from smallchange.tablebase.layered_values import LayeredTable
from smallchange.tablebase.make_table import make_table
from smallchange.tablebase.opening_book import book_file, write_book
from smallchange.tablebase.position_counts import counts_of
from smallchange.tablebase.table import NOBODY
from smallchange.tablebase.table_files import file_name
from smallchange.tablebase.table_writer import read_values
from smallchange.tablebase.verify import check_sample, verify

THREADS = os.cpu_count() or 1
DOCS = Path(__file__).parents[1] / "docs" / "dodgem"
STARTS, BLOCKED = ("facing", "crosswise"), ("pass", "wins", "loses")


def board(size: int, start: str = "crosswise", blocked: str = "wins") -> Game:
    return smallchange.game("dodgem", size=size, start=start, blocked=blocked)


def speed(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        warm = make_table(Path(folder) / "warm.table", board(3), THREADS)
        assert isinstance(warm, PliesTable)
        verify(warm)  # compiles
        wall, cpu = time.perf_counter(), time.process_time()
        table = make_table(Path(folder) / "solved.table", board(size), THREADS)
        assert isinstance(table, PliesTable)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        file = (Path(folder) / "solved.table").stat().st_size / 1e6
        print(f"{size} x {size}, {table.positions:,} positions, {THREADS} threads")
        print(f"solved in {wall:.1f} s ({cpu:.1f} CPU seconds), {peak:.2f} GB at most, {file:.1f} MB on disk")
        print(f"a look-up takes {look_up(table)}")
        wall, cpu = time.perf_counter(), time.process_time()
        proved = verify(table, THREADS)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"proved in {wall:.1f} s ({cpu:.1f} CPU seconds): {proved}")


def look_up(table: Table, n: int = 3000) -> str:
    """Return the microseconds that look-ups of n random positions take: median and 99 of 100.

    Cold is a position far from those asked before, hot the same one again. Each is the shortest of seven
    times, since other work of the machine only adds to it.
    """
    luck = Random(1)
    places: list[Position] = []
    while len(places) < n:
        position = table.random_position(luck)
        if position.legal():
            places.append(position)
    times = np.empty((7, n, 2))
    for of_round in times:
        for k, position in enumerate(places):
            begun = time.perf_counter_ns()
            table.value(position)
            between = time.perf_counter_ns()
            table.value(position)
            of_round[k] = between - begun, time.perf_counter_ns() - between
    median, late = np.percentile(times.min(axis=0) / 1e3, (50, 99), axis=0)
    return f"cold {median[0]:.1f} us (99 %: {late[0]:.1f}), hot {median[1]:.1f} us (99 %: {late[1]:.1f})"


def bot(games: list[Game], n: int) -> None:
    """Check in n random positions, as many of each game, that every step that a bot may take is best."""
    luck, begun, positions, steps, worse = Random(2), time.process_time(), 0, 0, 0
    for game in games:
        file = tables_folder() / file_name(game)
        if not file.exists():
            command = shlex.join(["smallchange", "solve", game.id, *game.arguments])
            raise SystemExit(f"there is no {file}: {command}")
        table = open_table(file, check=False)
        for _ in range(n // len(games)):
            position = table.random_position(luck)
            legal = position.legal()
            value = table.value(position) if legal else None
            positions += bool(legal)
            for token in safe_moves(position, legal, table) if legal else []:
                steps += 1
                after = table.after(position, token)
                assert value is not None
                assert after.outcome == value.outcome, position.key()
                worse += after != value
        print(f"{table.game!r}: {positions:,} positions so far", flush=True)
    seconds = time.process_time() - begun
    print(
        f"{steps:,} steps from {positions:,} positions keep their value; {worse:,} of them win later "
        f"than could be, or lose sooner; {seconds:.0f} CPU s"
    )


def large(file: Path, n: int, wins: int) -> None:
    """Check in n random positions of a table by layers that every step that a bot may take keeps the value.

    So many of those that are won are played out, against an opponent who makes no progress wherever he can.
    """
    table = open_table(file, check=False)
    luck, begun, values, steps = Random(2), time.process_time(), Counter[str](), 0
    won: list[Position] = []
    for _ in range(n):
        position = table.random_position(luck)
        if legal := position.legal():
            value = table.value(position).outcome
            values[value] += 1
            for token in safe_moves(position, legal, table):
                steps += 1
                assert table.after(position, token).outcome == value, position.key()
            if value == "win":
                won.append(position)
    print(f"{file.name}: {steps:,} steps from {dict(values)} keep the value", flush=True)
    plies = [play_out(table, position, luck) for position in won[:wins]]
    print(
        f"{len(plies):,} wins are won, in {max(plies)} plies at most; {time.process_time() - begun:.0f} CPU s"
    )


def play_out(table: Table, position: Position, luck: Random) -> int:
    """Return the plies in which a won position is won by the table."""
    winner = position.s.turn
    here, plies = Position(Game(table.game.id, {**table.game.options, "quiet_limit": 1000}), position.s), 0
    while here.actor is not None:
        legal = here.legal()
        if here.s.turn == winner:
            here.play(luck.choice(safe_moves(here, legal, table)))
        else:
            luck.shuffle(legal)
            here.play(max(legal, key=lambda token: layer(table, here.played(token))))
        plies += 1
    assert here.s.winner == winner, position.key()
    return plies


def boards(size: int, proved: bool) -> Iterator[str]:
    yield from HEAD.strip().splitlines()
    for n, start, blocked in product(range(3, size + 1), STARTS, BLOCKED):
        game = board(n, start, blocked)
        file = tables_folder() / file_name(game)
        file.parent.mkdir(parents=True, exist_ok=True)
        table = open_table(file) if file.exists() else make_table(file, game, THREADS)
        assert isinstance(table, PliesTable)
        if proved:
            verify(table, THREADS)
        counts, values = counts_of(table), read_values(table)
        longest = np.abs(values[values != NOBODY]).max()
        row = [f"{n} x {n}", start, blocked, verdict(table), f"{counts.won:,}", f"{counts.drawn:,}"]
        yield " | ".join(["", *row, f"{counts.lost:,}", str(longest), f"{megabytes(file)}", ""]).strip()


def layers(size: int, files: list[Path]) -> None:
    """Write the counts by progress of all boards to a size, and of tables by layers."""
    with tempfile.TemporaryDirectory() as folder:
        for n, start, blocked in product(range(3, size + 1), STARTS, BLOCKED):
            file = Path(folder) / f"{n}-{start}-{blocked}.table"
            solve_layers(file, board(n, start, blocked), THREADS)
            write_layers(file)
    for file in files:
        write_layers(file)


def write_layers(file: Path) -> None:
    """Write the counts of a table by layers as a file of the documentation."""
    table = open_table(file)
    blocks = [block for section in table.header["diagonals"] for block in section["blocks"]]
    names = ("i", "j", "won", "drawn", "lost", "ended")
    options = table.game.options
    about = {
        "size": options["size"],
        "start": options["start"],
        "blocked": options["blocked"],
        **counts_of(table)._asdict(),
        "value_of_start": table.value(table.game.start()).outcome,
        "table_bytes": file.stat().st_size,
        "table_digest": table.header["digest"],
        "columns": names,
    }
    name = f"{options['size']}x{options['size']}-{options['start']}-{options['blocked']}.json"
    rows = ",\n".join(json.dumps([block[name] for name in names]) for block in blocks)
    DOCS.mkdir(exist_ok=True)
    text = json.dumps(about, indent=0).removesuffix("\n}")
    (DOCS / name).write_text(f'{text},\n"blocks": [\n{rows}\n]\n}}\n')
    print(f"{name}: {counts_of(table)}", flush=True)


def book(file: Path, max_bytes: int) -> None:
    """Write the opening book of a table by layers, and say what it has."""
    table = open_table(file)
    assert isinstance(table, LayeredTable)
    made = book_file(table.game)
    made.parent.mkdir(exist_ok=True)
    write_book(made, table, max_bytes, THREADS)
    opened = open_table(made)
    size = made.stat().st_size
    print(
        f"{made.name}: {opened.positions:,} positions in {size:,} bytes, {8 * size / opened.positions:.4f} bits each"
    )
    print(f"checked: {check_sample(opened, 10_000)}")


def against(commit: str, size: int) -> None:
    """Solve the classic board by an older commit and by this one, and hold the values against each other."""
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "old"
        subprocess.run(["git", "worktree", "add", "-q", "--detach", str(old), commit], check=True)
        try:
            for name, source in (("old", old / "src"), ("new", Path(__file__).parents[1] / "src")):
                command = [sys.executable, "-c", TIMED, str(Path(folder) / name), str(size), str(THREADS)]
                subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(source)})
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(old)], check=True)
        values = [open_values(Path(folder) / f"{name}.table") for name in ("old", "new")]
        print("the values are the same" if values[0] == values[1] else "THE VALUES DIFFER")


def open_values(file: Path) -> bytes:
    """Return what a table holds after its two lines of header."""
    return file.read_bytes().split(b"\n", 2)[2]


TIMED = """
import resource, sys, time
from pathlib import Path
import smallchange
try:
    from smallchange.tablebase.make_table import make_table
except ModuleNotFoundError:
    from smallchange.solve.make import make_table
name, size, threads = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
def solve(size, file):
    return make_table(file, smallchange.game("dodgem", size=size, start="crosswise", blocked="wins"), threads)
solve(3, name.with_suffix(".warm"))
wall, cpu = time.perf_counter(), time.process_time()
table = solve(size, name.with_suffix(".table"))
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
print(f"{name.name}: {size} x {size} in {wall:.1f} s, {cpu:.1f} CPU s, {peak:.2f} GB at most", flush=True)
"""


def megabytes(file: Path) -> str:
    size = file.stat().st_size / 1e6
    return f"{size:.1f}" if size >= 0.1 else "< 0.1"


def verdict(table: Table) -> str:
    value = table.value(table.game.start())
    if value.plies is None:
        return "drawn"
    return f"**{'red' if value.outcome == 'win' else 'green'} wins** in {value.plies}"


HEAD = """
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
    elif what == "large":
        large(Path(rest[0]), *(numbers or [10_000, 400]))
    elif what == "layers":
        layers(size, [Path(word) for word in rest if not word.isdigit()])
    elif what == "look-up":
        for file in rest:
            print(f"{Path(file).name}: {look_up(open_table(file, check=False))}")
    elif what == "book":
        book(Path(rest[0]), int(rest[1]))
    elif what == "against":
        against(rest[0], int(rest[1]) if len(rest) > 1 else 5)
    elif what == "speed":
        speed(size)
    else:
        print(__doc__)


if __name__ == "__main__":
    main()
