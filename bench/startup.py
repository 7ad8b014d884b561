"""How long things take to start: each in a process of its own, medians, seconds of wall time.

    python bench/startup.py [--rounds 5]

"ever" begins with an empty cache folder, "again" finds the code on disk.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import smallchange

QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def took(arguments: list[str], **environment: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env={**os.environ, **environment}, check=True, **QUIET)  # type: ignore[call-overload]
    return time.perf_counter() - start


def median(rounds: int, arguments: list[str], **environment: str) -> float:
    took(arguments, **environment)  # warm
    return statistics.median(took(arguments, **environment) for _ in range(rounds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    python = median(rounds, ["-c", "pass"])
    load = median(rounds, ["-c", "import smallchange"])
    board = median(rounds, ["-m", "smallchange", "play", "dodgem"])
    print(f"python alone                         {python:6.3f}")
    print(f"import smallchange                   {load:6.3f}  ({load - python:.3f} above python alone)")
    print(f"smallchange play dodgem, first board {board:6.3f}")
    for id in smallchange.games():
        simulate = ["-m", "smallchange", "simulate", id, "-n", "1000", "--seed", "1"]
        with tempfile.TemporaryDirectory() as empty:
            ever = took(simulate, SMALLCHANGE_CACHE=empty)
            again = median(rounds, simulate, SMALLCHANGE_CACHE=empty)
        print(f"simulate {id:16} ever        {ever:6.2f}   again {again:5.2f}")


if __name__ == "__main__":
    main()
