"""Play Swiss tournaments while the director dies at each statement of each step, and check what is stored.

    python bench/swiss.py [--growth 1.0]

64 entries play 9 rounds, and 33 entries play 6. In every step (a round with its matches, the results of a round, the
end) the connection of the director dies at the first statement, then at the second, and so on, until the step is taken.
After each death every round must be there whole or not at all, and at the end nobody may have met anybody twice and
every pairing must have one match. A growth over 1 skips statements: 2 dies at the first, second, fourth and so on.
It needs the extra `swiss`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.server.swiss_deaths import play_swiss

SIZES = ((64, 9), (33, 6))  # entries and rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--growth", type=float, default=1.0)
    asked = parser.parse_args()
    for entries, rounds in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(play_swiss(Path(folder), entries, rounds, asked.growth))
        print(
            f"{entries} entries, {rounds} rounds: {found.pairings} pairings, {found.deaths:,} deaths, nobody met "
            f"anybody twice, one match a pairing ({found.seconds:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
