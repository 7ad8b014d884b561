"""Positions solved by rows of bits, 64 positions to an operation, compiled.

A block holds all positions with one group of placements for the player to move (rows) and one for the other
player (columns). A plane of a block is uint64[rows, words], rows padded to a multiple of 64. Work is counted
in tiles of 64 rows and chunks of CHUNK words, and is done again only where its input has changed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from smallchange.engine.compile.runtime_numba import count, lowest

CHUNK = 32  # words
PASSES, WINS, LOSES = 0, 1, -1  # the value for a player who has no step
compiled: Any = njit(cache=True, nogil=True, error_model="numpy")


class Side(NamedTuple):
    """The placements of one side and its steps, as `placements.py` has them."""

    sets: Any
    first_step: Any
    to: Any
    target: Any
    squares: int
    most: int
    blocked: int


class Outlook(NamedTuple):
    """The inputs from which a block is solved: rows of bits over its columns.

    Row r of lost_after and won_after holds the values for the other player once row r's placement is reached.
    """

    columns: Any  # uint64[words]: a bit for each column
    occupied: Any  # uint64[squares + 1, words]: the columns that occupy a square
    lost_ahead: Any  # values for the other player once a placement of the next group is reached
    won_ahead: Any
    lost_after: Any
    won_after: Any
    news: Any  # uint8[rows, chunks]: where lost_after and won_after have changed


class Planes(NamedTuple):
    """The planes of a block."""

    valid: Any  # the placements do not overlap
    hopeless: Any  # valid, there is a step, and each step out of the block gives the other a win
    won: Any
    lost: Any
    can_block: Any  # bool[rows]: the other side has pieces enough to leave no step
    changed: Any  # uint8[tiles of rows, chunks]: where won and lost have changed


class Round(NamedTuple):
    """One round of growing."""

    first: bool  # all is new, and steps out of the block count too
    plies: int
    distances: Any  # uint8[rows, columns] gets `plies` for each new value; none where it is empty


@compiled  # type: ignore[untyped-decorator]
def begin_rows(
    first_row: int, rows: int, start: int, onward: int, side: Any, outlook: Any, planes: Any, tally: Any
) -> None:
    """Write what steps out of the block say of rows first_row.., which have no value yet.

    Row r is placement start + r; placements from `onward` on are those of the next group. Writes the planes
    `valid`, `hopeless` and `can_block`, and the wins and losses of players who are blocked. Adds to tally[0]
    the positions with a step or a pass, to tally[1] those that end as a player is blocked.
    """
    sets, first_step, to, target = side.sets, side.first_step, side.to, side.target
    squares, most, blocked = side.squares, side.most, side.blocked
    columns, occupied, won_ahead = outlook.columns, outlook.occupied, outlook.won_ahead
    valid, hopeless, can_block = planes.valid, planes.hopeless, planes.can_block
    won, lost = planes.won, planes.lost
    words = len(columns)
    barred = np.empty(words, np.uint64)
    for r in range(first_row, first_row + rows):
        a = start + r
        row, all_lose = valid[r], hopeless[r]
        for w in range(words):
            row[w] = columns[w]
        for square in range(squares):
            if (sets[a] >> square) & 1:
                there = occupied[square]
                for w in range(words):
                    row[w] &= ~there[w]
        for w in range(words):
            all_lose[w] = row[w]
        targets = 0
        for k in range(first_step[a], first_step[a + 1]):
            targets |= 1 << target[k]
            if to[k] >= onward:
                won_there, there = won_ahead[to[k] - onward], occupied[target[k]]
                for w in range(words):
                    all_lose[w] &= won_there[w] | there[w]
        can_block[r] = (targets >> squares) == 0 and count(targets) <= most
        ended = 0
        if can_block[r]:
            for w in range(words):
                barred[w] = row[w]
            for k in range(first_step[a], first_step[a + 1]):
                there = occupied[target[k]]
                for w in range(words):
                    barred[w] &= there[w]
            for w in range(words):
                if blocked != LOSES:
                    all_lose[w] &= ~barred[w]
                if blocked == WINS:
                    won[r, w] = barred[w]
                elif blocked == LOSES:
                    lost[r, w] = barred[w]
                if blocked != PASSES:
                    ended += count(np.int64(barred[w]))
        for w in range(words):
            tally[0] += count(np.int64(row[w]))
        tally[0] -= ended
        tally[1] += ended


@compiled  # type: ignore[untyped-decorator]
def grow_rows(
    first_row: int, rows: int, start: int, onward: int, side: Any, outlook: Any, planes: Any, now: Any
) -> int:
    """Add to won and lost of rows first_row.. what the values after one step say; return how many were added."""
    first_step, to, target, blocked = side.first_step, side.to, side.target, side.blocked
    occupied, news, lost_ahead = outlook.occupied, outlook.news, outlook.lost_ahead
    lost_after, won_after = outlook.lost_after, outlook.won_after
    valid, hopeless, can_block = planes.valid, planes.hopeless, planes.can_block
    won, lost, changed = planes.won, planes.lost, planes.changed
    first, plies, distances = now.first, now.plies, now.distances
    words = valid.shape[1]
    wins, losses = np.empty(CHUNK, np.uint64), np.empty(CHUNK, np.uint64)
    barred = np.empty(CHUNK, np.uint64)
    added = 0
    for r in range(first_row, first_row + rows):
        a = start + r
        passes = blocked == PASSES and can_block[r]
        for chunk in range(news.shape[1]):
            new = first or (passes and news[r, chunk] != 0)
            if not new:
                for k in range(first_step[a], first_step[a + 1]):
                    if to[k] < onward and news[to[k] - start, chunk] != 0:
                        new = True
                        break
            if not new:
                continue
            low = chunk * CHUNK
            n = min(CHUNK, words - low)
            undecided = np.uint64(0)
            for w in range(n):
                undecided |= valid[r, low + w] & ~won[r, low + w] & ~lost[r, low + w]
                wins[w] = np.uint64(0)
                losses[w] = hopeless[r, low + w]
            if undecided == 0:
                continue
            for k in range(first_step[a], first_step[a + 1]):
                if to[k] < onward:
                    lost_there = lost_after[to[k] - start]
                    won_there = won_after[to[k] - start]
                    there = occupied[target[k]]
                    for w in range(n):
                        wins[w] |= lost_there[low + w]
                        losses[w] &= won_there[low + w] | there[low + w]
                elif first:
                    lost_there = lost_ahead[to[k] - onward]
                    for w in range(n):
                        wins[w] |= lost_there[low + w]
            if passes:
                for w in range(n):
                    barred[w] = valid[r, low + w]
                for k in range(first_step[a], first_step[a + 1]):
                    there = occupied[target[k]]
                    for w in range(n):
                        barred[w] &= there[low + w]
                for w in range(n):
                    wins[w] |= barred[w] & lost_after[r, low + w]
                    losses[w] |= barred[w] & won_after[r, low + w]
            fresh = 0
            for w in range(n):
                new_wins = wins[w] & valid[r, low + w] & ~won[r, low + w]
                new_losses = losses[w] & ~lost[r, low + w]
                won[r, low + w] |= new_wins
                lost[r, low + w] |= new_losses
                fresh += count(np.int64(new_wins)) + count(np.int64(new_losses))
                if len(distances) > 0:
                    both = np.int64(new_wins | new_losses)
                    while both != 0:
                        distances[r, 64 * (low + w) + lowest(both)] = plies
                        both &= both - 1
            if fresh:
                changed[r >> 6, chunk] = 1
                added += fresh
    return added


@compiled  # type: ignore[untyped-decorator]
def turn_tiles(first_tile: int, tiles: int, plane: Any, turned: Any, changed: Any, news: Any) -> None:
    """Turn tiles of 64 rows, where they changed, so that rows become columns; say in `news` where it matters.

    plane is uint64[64 * t, words], turned uint64[64 * words, t]; news[64 * words, chunks of turned].
    """
    words = plane.shape[1]
    block = np.empty(64, np.uint64)
    for word in range(words):
        for tile in range(first_tile, first_tile + tiles):
            if changed[tile, word // CHUNK] == 0:
                continue
            some = np.uint64(0)
            for k in range(64):
                block[k] = plane[64 * tile + k, word]
                some |= block[k]
            if some == 0:
                continue
            turn_block(block)
            for k in range(64):
                row = 64 * word + k
                if turned[row, tile] != block[k]:
                    turned[row, tile] = block[k]
                    news[row, tile // CHUNK] = 1


@compiled  # type: ignore[untyped-decorator]
def turn_block(block: Any) -> None:
    """Turn 64 words of 64 bits: bit c of word r becomes bit r of word c."""
    swap(block, 32, np.uint64(0x00000000FFFFFFFF))
    swap(block, 16, np.uint64(0x0000FFFF0000FFFF))
    swap(block, 8, np.uint64(0x00FF00FF00FF00FF))
    swap(block, 4, np.uint64(0x0F0F0F0F0F0F0F0F))
    swap(block, 2, np.uint64(0x3333333333333333))
    swap(block, 1, np.uint64(0x5555555555555555))


@compiled  # type: ignore[untyped-decorator]
def swap(block: Any, size: int, mask: Any) -> None:
    """Exchange the squares of `size` bits beside the diagonal; the mask has their low columns."""
    shift = np.uint64(size)
    for base in range(0, 64, 2 * size):
        for k in range(base, base + size):
            other = ((block[k] >> shift) ^ block[k + size]) & mask
            block[k + size] ^= other
            block[k] ^= other << shift


@compiled  # type: ignore[untyped-decorator]
def count_bits(plane: Any, first: int, last: int) -> int:
    """Return the number of bits set in rows first..last - 1 of a plane."""
    total = 0
    for r in range(first, last):
        for w in range(plane.shape[1]):
            total += count(np.int64(plane[r, w]))
    return total


@compiled  # type: ignore[untyped-decorator]
def pack_codes(values: Any, codes: Any, bits: int, packed: Any) -> None:
    """Write codes[value] of each value, `bits` each, lowest bit first; `packed` has three bytes to spare."""
    for i in range(len(values)):
        at = i * bits
        code = np.int64(codes[values[i]]) << (at & 7)
        for byte in range(3):
            packed[(at >> 3) + byte] |= np.uint8(code >> (8 * byte) & 255)
