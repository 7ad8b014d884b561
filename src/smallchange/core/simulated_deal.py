"""The luck of a simulated game: throws that follow from a seed and the game's number.

Simulations and experiments use a faster generator than HMAC. The formula, with its sources, is in
`engine/kernels/random_streams.py`; here it is for one throw, in plain Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

GOLDEN, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
ALL, LOW = 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF
FIRST_OBJECT = 8  # of the streams: those before are of the seats


class SimulatedDeal(NamedTuple):
    """The deal of game `number` under `seed`, the same for every player, simulation and experiment.

    >>> SimulatedDeal(7, 0).choose(0, 0, [1, 1, 1, 1])
    3
    """

    seed: int
    number: int

    def choose(self, place: int, k: int, weights: Sequence[int]) -> int:
        """Return the index of the outcome at the k-th asking (from 0) of the object at `place` in SOURCES."""
        stream = _mix(_mix(_mix(self.seed) + self.number & ALL) + FIRST_OBJECT + place & ALL)
        rest = _below(stream + k * GOLDEN & ALL, sum(weights))
        for i, weight in enumerate(weights):
            if rest < weight:
                return i
            rest -= weight
        raise AssertionError("a draw lies below the sum of the weights")


def _mix(z: int) -> int:
    z = (z ^ z >> 30) * FIRST & ALL
    z = (z ^ z >> 27) * SECOND & ALL
    return z ^ z >> 31


def _below(before: int, n: int) -> int:
    """Return the number from 0 to n - 1 that the word after `before` gives, as `random_streams.below` does."""
    z = _mix(before + GOLDEN & ALL)
    while (z >> 32) * n & LOW < (LOW - n + 1) % n:
        z = _mix(z + GOLDEN & ALL)
    return (z >> 32) * n >> 32
