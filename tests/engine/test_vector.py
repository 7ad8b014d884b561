"""Does this Numba compute a vectorised loop rightly on this processor?

Numba 0.66.0 to 0.68.1 (LLVM 22.1) silently gave wrong sums for loops of this shape on machines with
AVX-512, which is why pyproject.toml keeps to versions before them.
"""

from typing import Any

import numpy as np
from numba import njit

LANES = 64
ONE, TWO, MASK, NONE = np.uint64(1), np.uint64(2), np.uint64(63), np.uint64(0)
RED, GREEN = np.uint64(7), np.uint64(9)


def play(goal: int, words: Any) -> Any:
    """Play lock-step lanes that end at random; count games, their plies, and wins of the first side."""
    red = np.full(LANES, RED, np.uint64)
    green = np.full(LANES, GREEN, np.uint64)
    plies = np.zeros(LANES, np.int64)
    games = total = wins = t = 0
    while games < goal:
        ended = 0
        for i in range(LANES):
            word = words[t, i]
            r = red[i] if (word & MASK) != ONE else NONE
            g = green[i] if (word & MASK) != TWO else NONE
            red[i] = r
            green[i] = g
            plies[i] += 2
            ended += 1 if (r == NONE) | (g == NONE) else 0
        t += 1
        if ended > 0:
            for i in range(LANES):
                if red[i] == NONE:
                    games += 1
                    total += plies[i] - 1
                    wins += 1
                    red[i] = RED
                    green[i] = GREEN
                    plies[i] = 0
                elif green[i] == NONE:
                    games += 1
                    total += plies[i]
                    red[i] = RED
                    green[i] = GREEN
                    plies[i] = 0
    return games, total, wins


def test_numba_computes_a_vectorised_loop_rightly() -> None:
    words = np.random.default_rng(1).integers(0, 2**63, (400, LANES), dtype=np.uint64)
    assert njit(play)(300, words) == play(300, words)
