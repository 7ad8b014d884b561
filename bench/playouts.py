"""Uniformly random play-outs: ours beside plain C++ playing the same game, and every game's speed.

    python bench/playouts.py [--seconds 1] [--rounds 5]

Both sides run in turn, `rounds` times; medians of plies per second of processor time, and their ratio.
Then every game compiled and plain, and what a second thread adds beside what a second process of C++
adds (on a machine with one free core neither adds anything).
"""

import argparse
import json
import random
import resource
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import smallchange
from smallchange import engine

TWIN = {"size": 6, "blocked": "pass", "quiet_limit": 1000}  # the C++ has no draw rule
SOURCE = Path(__file__).parent / "dodgem_playout.cpp"


def build_program(folder: str) -> str | None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        return None
    program = str(Path(folder) / "dodgem_playout")
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, str(SOURCE)], check=True)
    return program


def ours(way: engine.CompiledGame, seconds: float, policy: int = engine.RANDOM) -> dict[str, float]:
    """Return the plies and games per second of this thread's processor time."""
    plan = [policy] * len(way.game.seats)
    games = plies = wins = 0
    way.play_games(plan, 0, 0, 10)
    start = time.thread_time()
    while time.thread_time() - start < seconds:
        done = way.play_games(plan, 1, games, 5000 if policy == engine.RANDOM else 500)
        games += len(done.steps)
        plies += int(done.steps.sum())
        wins += int((done.scores[:, 0] > 0).sum())
    spent = time.thread_time() - start
    return {
        "plies_per_s": plies / spent,
        "playouts_per_s": games / spent,
        "mean_plies": plies / games,
        "red_win": wins / games,
    }


def plain(game: smallchange.Game, seconds: float) -> dict[str, float]:
    """Return the same without Numba: the rules over plain objects, driven by a loop in Python."""
    rules, b, luck = game.rules, game.board, random.Random(1)
    out, weights = [0] * rules.MOST, [0] * rules.MOST
    first = game.start().s
    games = plies = 0
    start = time.thread_time()
    while time.thread_time() - start < seconds:
        s = first.copy()
        while s.turn != -2:
            if s.turn == -1:
                n = rules.odds(b, s, out, weights)
                a = luck.choices(out[:n], weights[:n])[0]
            else:
                a = out[int(luck.random() * rules.legal(b, s, out))]
            rules.play(b, s, a)
            plies += 1
        games += 1
    spent = time.thread_time() - start
    return {"plies_per_s": plies / spent, "playouts_per_s": games / spent}


def wall(action: object, at_once: int) -> float:
    """Return the seconds that so many threads take, each doing the action once."""
    threads = [threading.Thread(target=action, args=(i,)) for i in range(at_once)]  # type: ignore[arg-type]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def second_core(way: engine.CompiledGame, program: str | None, rounds: int) -> tuple[float, float | None]:
    """Return the speed of two relative to one: threads of ours, processes of C++."""

    def play(i: int) -> None:
        way.play_games([engine.RANDOM] * 2, 1, 50_000 * i, 50_000)

    threads = statistics.median(2 * wall(play, 1) / wall(play, 2) for _ in range(rounds))
    if program is None:
        return threads, None
    rates = []
    for _ in range(rounds):
        alone = cpp(program, 0.5, 1)[0]["plies_per_s"]
        rates.append(sum(run["plies_per_s"] for run in cpp(program, 0.5, 2)) / alone)
    return threads, statistics.median(rates)


def cpp(program: str, seconds: float, at_once: int) -> list[dict[str, float]]:
    running = [
        subprocess.Popen([program, str(seconds), str(seed)], stdout=subprocess.PIPE, text=True)
        for seed in range(1, at_once + 1)
    ]
    return [json.loads(process.communicate()[0]) for process in running]


def cpp_per_cpu_second(program: str, seconds: float) -> dict[str, float]:
    """Time one run of C++ by its processor time, so that other processes on the core do not count."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = cpp(program, seconds, 1)[0]
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    games = run["games"]
    return {**run, "plies_per_s": games * run["mean_plies"] / spent, "playouts_per_s": games / spent}


def beside_cpp(program: str, seconds: float, rounds: int) -> None:
    way = engine.compile_game(smallchange.game("dodgem", **TWIN))
    mine, theirs = [], []
    for _ in range(rounds):
        theirs.append(cpp_per_cpu_second(program, seconds))
        mine.append(ours(way, seconds))
    for name, runs in (("C++ plain", theirs), ("smallchange", mine)):
        middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
        speed = f"{middle['plies_per_s'] / 1e6:7.1f} M plies/s {middle['playouts_per_s']:10,.0f} games/s"
        print(f"{name:12} {speed}   mean plies {middle['mean_plies']:.2f}   red wins {middle['red_win']:.4f}")
    ratio = statistics.median(m["plies_per_s"] / t["plies_per_s"] for m, t in zip(mine, theirs, strict=True))
    print(f"of plain C++ {ratio:7.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = build_program(folder)
        if program is None:
            print("no C++ compiler found: ours alone")
        else:
            beside_cpp(program, given.seconds, given.rounds)
        way = engine.compile_game(smallchange.game("dodgem", **TWIN))
        threads, processes = second_core(way, program, given.rounds)
        print(f"two workers {threads:8.2f} of one; two processes of C++ {processes or 0:.2f} of one")
    print(
        f"\n{'game':16} {'random M plies/s':>17} {'games/s':>10} {'greedy M':>9} {'plain k':>8} {'times':>6}"
    )
    for id in smallchange.games():
        game = smallchange.game(id)
        way = engine.compile_game(game)
        quick, clever = ours(way, given.seconds), ours(way, given.seconds, engine.GREEDY)
        slow = plain(game, given.seconds)
        print(
            f"{id:16} {quick['plies_per_s'] / 1e6:17.1f} {quick['playouts_per_s']:10,.0f} "
            f"{clever['plies_per_s'] / 1e6:9.1f} {slow['plies_per_s'] / 1e3:8.0f} "
            f"{quick['plies_per_s'] / slow['plies_per_s']:6.0f}"
        )


if __name__ == "__main__":
    main()
