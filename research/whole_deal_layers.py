"""The inner loops of solving whole deals, compiled.

A key is a set of squares left and, above it, PAWN_BITS for each pawn: the first square that has the same of them beside
it, or GONE for none. Values are odds times WON.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

SQUARES, PAWNS, DICE, FACES = 25, 4, 4, 6
GONE = SQUARES
PAWN_BITS = 5
PAWN_MASK = (1 << PAWN_BITS) - 1
ALL_SQUARES = (1 << SQUARES) - 1
MOST_STEPS = 16  # four pawns, four ways
WON = 65535
TOGETHER = 32  # states whose numbers lie side by side
SIDE = FACES + 1  # the faces of a die, and the mean of all
LATTICE = SIDE**DICE
THROWS = FACES**DICE
SIXTH, HALF = np.float32(1 / FACES), np.float32(0.5)
compiled: Any = njit(cache=True, nogil=True, error_model="numpy")


@compiled  # type: ignore[untyped-decorator]
def pawn_of(near: Any, live: int, square: int) -> int:
    """Return the first square that has the same squares left beside it as `square`."""
    ways = near[square] & live
    if ways == 0:
        return GONE
    other = 0
    while near[other] & live != ways:
        other += 1
    return other


@compiled  # type: ignore[untyped-decorator]
def key_of(near: Any, live: int, pawns: Any, alike: bool) -> int:
    """Return the key of a state; where pawns are `alike`, their squares are sorted."""
    found = np.empty(PAWNS, np.int64)
    for i in range(PAWNS):
        found[i] = GONE if pawns[i] == GONE else pawn_of(near, live, pawns[i])
    if alike:
        found.sort()
    key = live
    for i in range(PAWNS):
        key |= found[i] << (SQUARES + PAWN_BITS * i)
    return key


@compiled  # type: ignore[untyped-decorator]
def steps_from(near: Any, key: int, alike: bool, to: Any, taker: Any) -> int:
    """Write the keys after each step, with SQUARES * pawn + square; return how many there are."""
    live = key & ALL_SQUARES
    pawns = np.empty(PAWNS, np.int64)
    for i in range(PAWNS):
        pawns[i] = (key >> (SQUARES + PAWN_BITS * i)) & PAWN_MASK
    n = 0
    for i in range(PAWNS):
        if pawns[i] == GONE:
            continue
        before = pawns[i]
        for square in range(SQUARES):
            if near[before] & live & (1 << square) != 0:
                pawns[i] = square
                to[n] = key_of(near, live ^ (1 << square), pawns, alike)
                taker[n] = SQUARES * i + square
                n += 1
        pawns[i] = before
    return n


@compiled  # type: ignore[untyped-decorator]
def all_steps(near: Any, keys: Any, alike: bool, first: Any, to: Any, taker: Any) -> None:
    """Write the steps of each state behind one another; first[i] is where those of state i begin."""
    n = 0
    for i in range(len(keys)):
        first[i] = n
        n += steps_from(near, keys[i], alike, to[n:], taker[n:])
    first[len(keys)] = n


@compiled  # type: ignore[untyped-decorator]
def solve_layer(first: Any, to: Any, taker: Any, collects: Any, after: Any, now: Any) -> None:
    """Find the values of a layer before a choice of dice to roll, from those of the next: uint16[states, THROWS].

    collects[taker] has all bits of a throw set if it lets the pawn collect the square, and none otherwise.
    """
    spread = np.empty(THROWS, np.int64)
    for throw in range(THROWS):
        spread[throw] = place_in_lattice(throw)
    lattice = np.zeros((LATTICE, TOGETHER), np.float32)
    best = np.empty((TOGETHER, THROWS), np.uint16)
    states = len(first) - 1
    for start in range(0, states, TOGETHER):
        best[:] = 0
        together = min(TOGETHER, states - start)
        for lane in range(together):
            for step in range(first[start + lane], first[start + lane + 1]):
                take_step(best[lane], after[to[step]], collects[taker[step]])
        for throw in range(THROWS):
            row = lattice[spread[throw]]
            for lane in range(TOGETHER):
                row[lane] = best[lane, throw]
        choose_dice(lattice.reshape(-1))
        for throw in range(THROWS):
            row = lattice[spread[throw]]
            for lane in range(TOGETHER):
                best[lane, throw] = np.uint16(row[lane] + HALF)
        now[start : start + together] = best[:together]


@compiled  # type: ignore[untyped-decorator]
def take_step(best: Any, after: Any, collects: Any) -> None:
    """Raise the values of the throws that let a pawn collect a square to those of the state after it."""
    for throw in range(THROWS):
        best[throw] = max(best[throw], after[throw] & collects[throw])


@compiled  # type: ignore[untyped-decorator]
def place_in_lattice(throw: int) -> int:
    """Return the number to base SIDE that has the digits of a throw, which is a number to base FACES."""
    place, scale = 0, 1
    for _ in range(DICE):
        place += throw % FACES * scale
        throw //= FACES
        scale *= SIDE
    return place


@compiled  # type: ignore[untyped-decorator]
def choose_dice(lattice: Any) -> None:
    """Make of the values after a throw those before it: the best over all sets of dice that may be rolled."""
    for take_best in (False, True):
        stride = TOGETHER
        while stride < len(lattice):
            for base in range(0, len(lattice), SIDE * stride):
                line = lattice[base : base + SIDE * stride]
                if take_best:
                    for face in range(FACES):
                        take_better(line[face * stride :], line[FACES * stride :])
                else:
                    take_mean(line, stride)
            stride *= SIDE


@compiled  # type: ignore[untyped-decorator]
def take_mean(line: Any, stride: int) -> None:
    """Write the mean of the values of all faces behind them."""
    a, b, c = line[:stride], line[stride : 2 * stride], line[2 * stride : 3 * stride]
    d, e, f = line[3 * stride : 4 * stride], line[4 * stride : 5 * stride], line[5 * stride : 6 * stride]
    mean = line[FACES * stride :]
    for i in range(len(mean)):
        mean[i] = (a[i] + b[i] + c[i] + d[i] + e[i] + f[i]) * SIXTH


@compiled  # type: ignore[untyped-decorator]
def take_better(values: Any, mean: Any) -> None:
    """Raise values to those of a roll of the die."""
    for i in range(len(mean)):
        values[i] = max(values[i], mean[i])
