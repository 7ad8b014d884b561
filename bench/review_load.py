"""Measure reviews on a server: until their figures are there, and what they cost moves at other tables.

    python bench/review_load.py times [-n 3] [GAME ..]
    python bench/review_load.py moves [--tables 200] [--seconds 15] [--rounds 2]

times: of finished games, which `greedy` played, the seconds from asking for a review until the first choice is
judged, and until all are, with nothing else asked of the server; after the stroke the processor time of its workers in
all, which is what one idle core would take. Of each the best, the median and the worst.
moves: Dodg'em at so many tables, a move every 2 s each, without reviews and with as many waited for as one address may
ask for, in turn, on a new server each. A move counts when both players were shown it. How many choices were judged
meanwhile says that the reviews never paused.

`moves` needs Node.js and, once, `npm install` in bench/boardgameio.
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import server as bench
from smallchange import Game, bots, games
from smallchange.client import Server
from smallchange.server.insight.reviews import MAX_WAITED_FOR_PER_ADDRESS

POLL_S = 0.05
THINK_MS = 2000
SATURATING = "dodgem"  # its reviews take longest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    times = kinds.add_parser("times")
    times.add_argument("games", nargs="*", metavar="GAME")
    times.add_argument("-n", type=int, default=3)
    moves = kinds.add_parser("moves")
    for name, default in (("tables", 200), ("seconds", 15), ("rounds", 2)):
        moves.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    print("command: python bench/" + shlex.join(["review_load.py", *sys.argv[1:]]))
    os.environ["SMALLCHANGE_HINTS"] = "100000"
    if asked.kind == "times":
        print_times(asked.games or games(), asked.n)
    else:
        print_moves(asked.tables, asked.seconds, asked.rounds)


@contextmanager
def serving() -> Iterator[tuple[int, int]]:
    with tempfile.TemporaryDirectory() as folder, bench.ours(Path(folder) / "tables.db") as running:
        yield running


def print_times(ids: Sequence[str], n: int) -> None:
    with serving() as (port, pid):
        player = Server(f"http://127.0.0.1:{port}")
        for id in ids:
            wait_for_review(player, play_game(player, id, 0), pid)  # compiles
            found = [wait_for_review(player, play_game(player, id, seed), pid) for seed in range(1, n + 1)]
            first, all, worked_first, worked, totals = map(sorted, zip(*found, strict=True))
            print(
                f"{id:16} first {spread(first)} / {spread(worked_first)} s  all {spread(all)} / {spread(worked)} s"
                f"  choices {totals[0]} to {totals[-1]}",
                flush=True,
            )


def spread(times_s: Sequence[float]) -> str:
    return f"{times_s[0]:.2f} {statistics.median(times_s):.2f} {times_s[-1]:.2f}"


def play_game(player: Server, id: str, seed: int) -> str:
    """Play a game to its end, all seats by one player. Return the match."""
    game, play = Game(id), bots.bot("greedy", luck=Random(seed))
    table = player.open_table(id, {}, dict.fromkeys(game.seats, "me"), "ann")
    while not table["ended"]:
        position = game.start()
        for token in table["tokens"]:
            position.play(token)
        table = player.act(table["match"], table["ply"], play(position))
    match: str = table["match"]
    return match


def wait_for_review(player: Server, match: str, pid: int) -> tuple[float, float, float, float, int]:
    """Return the seconds until its first choice is judged and until all are, by the clock and by the processor.

    Last, the number of choices.
    """
    begun, worked, first = time.perf_counter(), work_s(pid), (0.0, 0.0)
    while True:
        found = player.ask(f"/matches/{match}/review")
        took = time.perf_counter() - begun, work_s(pid) - worked
        if found["done"] and not first[0]:
            first = took
        if found["done"] == found["total"]:
            return first[0], took[0], first[1], took[1], found["total"]
        time.sleep(POLL_S)


def work_s(pid: int) -> float:
    """Return the processor time of the server's workers, in seconds."""
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    workers = {child for thread in threads for child in thread.read_text().split()}
    spent = 0
    for worker in workers:
        fields = Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()
        spent += int(fields[11]) + int(fields[12])
    return spent / os.sysconf("SC_CLK_TCK")


def print_moves(tables: int, seconds: int, rounds: int) -> None:
    options = {"n": tables, "seconds": seconds, "think": THINK_MS}
    for _ in range(rounds):
        for reviews in (0, MAX_WAITED_FOR_PER_ADDRESS):
            with serving() as (port, pid), full_queue(port, reviews) as judged:
                said = bench.load("ours.js", port, pid, **options)
                report = {key: said[key] for key in ("p50_ms", "p95_ms", "p99_ms", "moves_per_s", "errors")}
                print(
                    f"{reviews} reviews waited for, {sum(judged.values())} choices judged:",
                    report,
                    flush=True,
                )


@contextmanager
def full_queue(port: int, n: int) -> Iterator[dict[str, int]]:
    """Keep so many reviews waited for. Yield how many choices of each were judged."""
    player, judged, stop = Server(f"http://127.0.0.1:{port}"), dict[str, int](), threading.Event()
    matches = [play_game(player, SATURATING, seed) for seed in range(n)]

    def ask() -> None:
        while not stop.wait(1):
            for match in matches:
                judged[match] = player.ask(f"/matches/{match}/review")["done"]

    waiting = threading.Thread(target=ask)
    waiting.start()
    try:
        yield judged
    finally:
        stop.set()
        waiting.join()


if __name__ == "__main__":
    main()
