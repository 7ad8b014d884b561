"""The inner part of a look-up in the table of a large board, compiled.

Arguments are few and plain arrays, since a call from Python takes longer for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from .placements import Placements, SetRanks

compiled: Any = njit(cache=True, error_model="numpy")
STUCK, NO_WIN, WINNING_STEP = -1, 0, 1


def numbering(places: Placements) -> tuple[Any, Any, Any]:
    """Return the first arguments of `numbers_of`.

    For each upper half of a set of squares, the rank of the first set and how many squares of the lower half may
    be taken: int64[halves, 2]; the ranks that `SetRanks` adds for the lower half; and for each seat the
    placement whose set has a rank: int64[2, placements].
    """
    ranks = SetRanks(places.squares, places.most)
    by_rank = np.stack([np.argsort(sets) for sets in (places.sets, places.seen)])
    return np.stack([ranks.first, ranks.room], axis=1), ranks.lower, by_rank


def steps_of(places: Placements) -> tuple[Any, Any]:
    """Return the first arguments of `winning_step`.

    For each placement its squares as the other side numbers them, and its first step: int64[placements + 1, 2];
    for each step the placement it makes, the square that must be free, and the gain in progress: int32[steps, 3].
    """
    seen = np.append(places.seen, 0)
    of = np.repeat(np.arange(len(places)), np.diff(places.first_step))
    gain = (places.progress[places.to] - places.progress[of]).astype(np.int32)
    return np.stack([seen, places.first_step], axis=1), np.stack([places.to, places.target, gain], axis=1)


@compiled  # type: ignore[untyped-decorator]
def numbers_of(upper_halves: Any, lower_ranks: Any, by_rank: Any, coins: int, others: int, seat: int) -> int:
    """Return the placement of a seat's pieces times 2^32, plus that of the other seat's pieces.

    -1 where the squares of a seat are no placement.
    """
    mine = number_of(upper_halves, lower_ranks, by_rank, coins, seat)
    theirs = number_of(upper_halves, lower_ranks, by_rank, others, 1 - seat)
    return -1 if mine < 0 or theirs < 0 else mine << 32 | theirs


@compiled  # type: ignore[untyped-decorator]
def number_of(upper_halves: Any, lower_ranks: Any, by_rank: Any, coins: int, seat: int) -> int:
    """Return the placement of a seat's pieces on these squares, or -1."""
    halves = lower_ranks.shape[1]
    upper = coins // halves
    if upper < 0 or upper >= len(upper_halves) or upper_halves[upper, 1] < 0:
        return -1
    rank = lower_ranks[upper_halves[upper, 1], coins & (halves - 1)]
    return by_rank[seat, upper_halves[upper, 0] + rank] if rank >= 0 else -1


@compiled  # type: ignore[untyped-decorator]
def winning_step(
    placements: Any, steps: Any, a: int, b: int, here: bytes, here_bit: int, ahead: bytes, ahead_bit: int
) -> int:
    """Say if a step from placement a against b wins: STUCK, NO_WIN or WINNING_STEP.

    `here` and `ahead` are rows with the lost positions of the other player once the mover has stayed in the
    layer or has left it. Placement c has bit `c + here_bit`. A row is empty where nothing is lost.
    """
    taken, empty, stuck = placements[b, 0], len(placements) - 2, True
    for k in range(placements[a, 1], placements[a + 1, 1]):
        if not taken >> steps[k, 1] & 1:
            stuck = False
            c = steps[k, 0]
            if c == empty:
                return WINNING_STEP  # the mover has no piece left
            row, bit = (ahead, c + ahead_bit) if steps[k, 2] else (here, c + here_bit)
            if len(row) and row[bit >> 3] >> (bit & 7) & 1:
                return WINNING_STEP
    return STUCK if stuck else NO_WIN
