"""Measure how long commands take to start, each in a new process; print medians.

    python bench/startup.py [--rounds 5]

Seconds of wall time, and in brackets of processor time, which others on the same cores disturb less.
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


class Took:
    """The seconds that several runs of a command took."""

    def __init__(self, rounds: int, arguments: list[str], **environment: str) -> None:
        walls, spents = [], []
        for _ in range(rounds):
            before, start = os.times(), time.perf_counter()
            subprocess.run(
                [sys.executable, *arguments],
                env={**os.environ, **environment},
                check=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            walls.append(time.perf_counter() - start)
            after = os.times()
            spents.append(
                after.children_user + after.children_system - before.children_user - before.children_system
            )
        self.wall = statistics.median(walls)
        self.spent = statistics.median(spents)

    def __str__(self) -> str:
        return f"{self.wall:6.2f} ({self.spent:5.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    modules = tempfile.TemporaryDirectory()  # compiled once, as by any installation
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = modules.name
    print(f"python alone                         {Took(rounds, ['-c', 'pass'])}")
    print(f"import smallchange                   {Took(rounds, ['-c', 'import smallchange'])}")
    for id in smallchange.games():
        play = Took(rounds, ["-m", "smallchange", "play", id])
        print(f"play {id:16} to the first board {play}")
    for id in smallchange.games():
        simulate = ["-m", "smallchange", "simulate", id, "-n", "1000", "--seed", "1"]
        with tempfile.TemporaryDirectory() as empty:
            ever = Took(1, simulate, SMALLCHANGE_CACHE=empty)
            again = Took(rounds, simulate, SMALLCHANGE_CACHE=empty)
        print(f"simulate {id:16}  ever {ever}  again {again}")
    print(f"a board of Solo that is new, beside 2,000 games: {new_board_ms(rounds):.1f} ms")


def new_board_ms(rounds: int) -> float:
    """Return the time that a drawing takes beside its games, where the game has been compiled; the median."""
    taken = []
    for n in range(rounds + 1):
        drawing = f"#########\n#########\n{'##'.rjust(n + 2, '.').ljust(9, '.')}"
        game = smallchange.Game("solo", {"board": drawing})
        start = time.perf_counter()
        played = smallchange.simulate(game, 2000, seed=1, workers=1)
        taken.append(1000 * (time.perf_counter() - start - played.seconds))
    return statistics.median(taken[1:])


if __name__ == "__main__":
    main()
