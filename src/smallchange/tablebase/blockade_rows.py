"""The inner loops of a search for a blockade, compiled: one block of positions by rows of bits.

A block has a row for each placement of the attacker with one profile, and a bit of it for each placement of the
blocker in one group. `waiting` are the positions with the attacker to move that the blocker can hold, `moving`
those with the blocker to move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from smallchange.engine.compile.runtime_numba import count

from .bit_rows import PASSES, WINS, turn_block

TOGETHER = 8  # words of rows whose bits are turned together
ROWS = 64 * TOGETHER
FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
compiled: Any = njit(cache=True, nogil=True, error_model="numpy")


class Lanes(NamedTuple):
    """The board as a side sees it: lines across its way, with the same places in each.

    A square is `line * width + place`. A piece goes to the next line, or to a place beside it in its line.
    """

    width: int
    masks: Any  # int64[width + 1, most sets]: the sets of so many places of a line, ascending
    rank: Any  # int64[1 << width]: the number of a set among those of its size
    across: Any  # int64[width * width]: the same square as the other side numbers it
    blocked: int  # the value for a player who has no step


class Profile(NamedTuple):
    """The placements with so many pieces in each line, numbered by the sets of places, the last line fastest."""

    pieces: Any  # int64[width]: pieces in a line
    stride: Any  # int64[width]: by line
    places: Any  # int16[placements, width + 1]: the places taken in each line, as bits; the last is empty


class Group(NamedTuple):
    """Placements of the blocker with the same progress, and their steps within the group and to the next."""

    occupied: Any  # uint64[squares, words]: the placements that occupy a square, as the attacker numbers it
    everyone: Any  # uint64[words]
    first: Any  # int64[size + 1]: of a placement's steps
    to: Any  # int64[steps]: a placement of this group, size + one of the next, HOME, or OUTSIDE
    target: Any  # int64[steps]: the square that must be free, as the attacker numbers it; squares for none
    can_block: Any  # bool[size]: the attacker has pieces enough to leave no step


class Block(NamedTuple):
    """The planes of a block, and what is still to be looked at."""

    waiting: Any  # uint64[rows, words]: the positions held with the attacker to move
    moving: Any  # .. and with the blocker to move
    leaving: Any  # uint64[chunks of rows, size, TOGETHER]: a good step leads out of the group
    stuck: Any  # uint8[rows]: the attacker may have to pass
    rows: Any  # uint8[rows]: in which `waiting` may shrink
    chunks: Any  # uint8[chunks of rows]: in which `moving` may shrink


class Scratch(NamedTuple):
    """Rows and columns of a chunk exchanged: a word has ROWS / TOGETHER rows."""

    waiting: Any  # uint64[64 * words, TOGETHER]
    moving: Any
    there: Any  # uint64[squares + 1, TOGETHER]: the rows that occupy a square


HOME, OUTSIDE = -1, -2  # a step that wins; a step to a placement that the blocker does not use


@compiled  # type: ignore[untyped-decorator]
def copy_sets(profile: Any, row: int, sets: Any) -> None:
    """Write the places taken in each line, as bits."""
    for line in range(len(sets)):
        sets[line] = profile.places[row, line]


@compiled  # type: ignore[untyped-decorator]
def encode(lanes: Any, stride: Any, sets: Any) -> int:
    """Return the number of a placement of a profile with these strides."""
    row = 0
    for line in range(lanes.width):
        row += lanes.rank[sets[line]] * stride[line]
    return row


@compiled  # type: ignore[untyped-decorator]
def begin(lanes: Any, profile: Any, group: Any, waiting: Any, stuck: Any) -> None:
    """Write the positions without overlap, less those in which the attacker is blocked, and wins by that.

    `stuck` marks the rows in which the attacker may be blocked.
    """
    words = waiting.shape[1]
    sets, barred = np.zeros(lanes.width + 1, np.int64), np.empty(words, np.uint64)
    for row in range(len(profile.places)):
        copy_sets(profile, row, sets)
        waiting[row] = group.everyone
        clear_overlaps(lanes, group, sets, waiting[row])
        stuck[row] = 0
        if sets[lanes.width - 1] != 0:  # a piece can leave the board
            continue
        barred[:] = group.everyone
        bar(lanes, group, sets, barred)
        for w in range(words):
            if barred[w] & waiting[row, w] != 0:
                stuck[row] = 1
                if lanes.blocked == WINS:
                    waiting[row, w] &= ~barred[w]


@compiled  # type: ignore[untyped-decorator]
def clear_overlaps(lanes: Any, group: Any, sets: Any, left: Any) -> None:
    """Take from `left` the placements of the blocker that occupy a square of the attacker."""
    for line in range(lanes.width):
        for place in range(lanes.width):
            if sets[line] >> place & 1:
                for w in range(len(left)):
                    left[w] &= ~group.occupied[line * lanes.width + place, w]


@compiled  # type: ignore[untyped-decorator]
def step_ahead(lanes: Any, profile: Any, group: Any, line: int, onward: Any, moving: Any, base: Any) -> None:
    """Take from `base` the positions in which a step of the attacker out of a line reaches one not in `moving`.

    `moving` are those of the profile with one piece less in the line and one more in the next; `onward` its strides.
    """
    width, words = lanes.width, base.shape[1]
    sets = np.zeros(width + 1, np.int64)
    for row in range(len(profile.places)):
        copy_sets(profile, row, sets)
        here, ahead = sets[line], sets[line + 1]
        for place in range(width):
            if not here >> place & 1:
                continue
            sets[line] = here & ~(1 << place)
            if line == width - 1:
                there = encode(lanes, onward, sets)
                for w in range(words):
                    base[row, w] &= moving[there, w]
            elif not ahead >> place & 1:
                sets[line + 1] = ahead | 1 << place
                there, square = encode(lanes, onward, sets), (line + 1) * width + place
                for w in range(words):
                    base[row, w] &= moving[there, w] | group.occupied[square, w]
        sets[line], sets[line + 1] = here, ahead


@compiled  # type: ignore[untyped-decorator]
def turn_in(plane: Any, first_row: int, turned: Any) -> None:
    """Turn ROWS rows of a plane: turned[bit, word of rows]. Rows behind the last count as empty."""
    block = np.empty(64, np.uint64)
    rows = min(ROWS, plane.shape[0] - first_row)
    for word in range(plane.shape[1]):
        for part in range(TOGETHER):
            some = np.uint64(0)
            for k in range(64):
                row = 64 * part + k
                block[k] = plane[first_row + row, word] if row < rows else np.uint64(0)
                some |= block[k]
            if some != 0:
                turn_block(block)
            for k in range(64):
                turned[64 * word + k, part] = block[k]


@compiled  # type: ignore[untyped-decorator]
def occupied_by(lanes: Any, profile: Any, first_row: int, there: Any) -> None:
    """Write which of ROWS rows occupy a square: there[square, word of rows]; the last square is never occupied."""
    width = lanes.width
    sets = np.zeros(width + 1, np.int64)
    there[:] = 0
    for k in range(min(ROWS, len(profile.places) - first_row)):
        copy_sets(profile, first_row + k, sets)
        for line in range(width):
            for place in range(width):
                if sets[line] >> place & 1:
                    there[line * width + place, k >> 6] |= np.uint64(1) << np.uint64(k & 63)


@compiled  # type: ignore[untyped-decorator]
def replies_out(lanes: Any, profile: Any, group: Any, size_ahead: int, waiting_ahead: Any, out: Any) -> None:
    """Write the positions in which the blocker has a good step out of the group, or is blocked and wins.

    out[chunk of rows, placement, word of rows]; waiting_ahead[rows, words] is that of the next group.
    """
    width, size = lanes.width, len(group.first) - 1
    there = np.zeros((width * width + 1, TOGETHER), np.uint64)
    turned = np.zeros((64 * waiting_ahead.shape[1], TOGETHER), np.uint64)
    barred = np.empty(TOGETHER, np.uint64)
    for chunk in range(out.shape[0]):
        occupied_by(lanes, profile, chunk * ROWS, there)
        if size_ahead:
            turn_in(waiting_ahead, chunk * ROWS, turned)
        for a in range(size):
            found = out[chunk, a]
            for w in range(TOGETHER):
                found[w] = np.uint64(0)
                barred[w] = FULL
            for k in range(group.first[a], group.first[a + 1]):
                taken, to = there[group.target[k]], group.to[k]
                for w in range(TOGETHER):
                    barred[w] &= taken[w]
                if to == HOME:
                    for w in range(TOGETHER):
                        found[w] = FULL
                elif to >= size:
                    for w in range(TOGETHER):
                        found[w] |= turned[to - size, w] & ~taken[w]
            if lanes.blocked == WINS and group.can_block[a]:
                for w in range(TOGETHER):
                    found[w] |= barred[w]


@compiled  # type: ignore[untyped-decorator]
def reply(lanes: Any, profile: Any, group: Any, block: Any, scratch: Any) -> None:
    """Write `moving` from `waiting` in the chunks that are marked; mark the rows in which `waiting` may shrink."""
    waiting, moving, rows = block.waiting, block.moving, block.rows
    tile = np.empty(64, np.uint64)
    for chunk in range(len(block.chunks)):
        if not block.chunks[chunk]:
            continue
        block.chunks[chunk] = 0
        first_row = chunk * ROWS
        occupied_by(lanes, profile, first_row, scratch.there)
        turn_in(waiting, first_row, scratch.waiting)
        find_replies(lanes, group, block.leaving[chunk], scratch)
        last_row = min(first_row + ROWS, waiting.shape[0])
        for row in range(first_row, last_row, 64):
            for word in range(waiting.shape[1]):
                for k in range(64):
                    tile[k] = scratch.moving[64 * word + k, (row - first_row) >> 6]
                turn_block(tile)
                for k in range(min(64, last_row - row)):
                    if moving[row + k, word] != tile[k]:
                        moving[row + k, word] = tile[k]
                        rows[row + k] |= 2
        for row in range(first_row, last_row):
            if rows[row] & 2:
                rows[row] = 1 if block.stuck[row] else rows[row] & 1
                mark_beside(lanes, profile, row, rows)


@compiled  # type: ignore[untyped-decorator]
def find_replies(lanes: Any, group: Any, leaving: Any, scratch: Any) -> None:
    """Write the positions of a chunk in which a step of the blocker leads to one of `waiting`."""
    size = len(group.first) - 1
    barred = np.empty(TOGETHER, np.uint64)
    for a in range(size):
        good = scratch.moving[a]
        for w in range(TOGETHER):
            good[w] = leaving[a, w]
            barred[w] = FULL
        for k in range(group.first[a], group.first[a + 1]):
            to, taken = group.to[k], scratch.there[group.target[k]]
            if 0 <= to < size:
                after = scratch.waiting[to]
                for w in range(TOGETHER):
                    good[w] |= after[w] & ~taken[w]
        if lanes.blocked == PASSES and group.can_block[a]:
            for k in range(group.first[a], group.first[a + 1]):
                taken = scratch.there[group.target[k]]
                for w in range(TOGETHER):
                    barred[w] &= taken[w]
            for w in range(TOGETHER):
                good[w] |= barred[w] & scratch.waiting[a, w]


@compiled  # type: ignore[untyped-decorator]
def mark_beside(lanes: Any, profile: Any, row: int, rows: Any) -> None:
    """Mark the placements from which a step to the side leads to this one."""
    for line in range(lanes.width):
        here = np.int64(profile.places[row, line])
        for place in range(lanes.width - 1):
            if (here >> place & 3) == 1 or (here >> place & 3) == 2:
                step = lanes.rank[here ^ (3 << place)] - lanes.rank[here]
                rows[row + step * profile.stride[line]] |= 1


@compiled  # type: ignore[untyped-decorator]
def shrink(lanes: Any, profile: Any, group: Any, block: Any) -> int:
    """Take from `waiting` the positions with a step to the side out of `moving`, in the rows that are marked.

    Mark the chunks of rows that have changed; return how many rows have.
    """
    waiting, moving = block.waiting, block.moving
    words = waiting.shape[1]
    sets = np.zeros(lanes.width + 1, np.int64)
    left, barred = np.empty(words, np.uint64), np.empty(words, np.uint64)
    changes = 0
    for row in range(waiting.shape[0]):
        if not block.rows[row] & 1:
            continue
        block.rows[row] = 0
        some = np.uint64(0)
        may_pass = lanes.blocked == PASSES and block.stuck[row] != 0
        for w in range(words):
            left[w] = waiting[row, w]
            some |= left[w]
            barred[w] = FULL if may_pass else np.uint64(0)
        if some == 0:
            continue
        copy_sets(profile, row, sets)
        step_aside(lanes, profile, group, row, sets, moving, left)
        if may_pass:
            bar(lanes, group, sets, barred)
        changed = False
        for w in range(words):
            left[w] &= ~barred[w] | moving[row, w]
            if left[w] != waiting[row, w]:
                waiting[row, w] = left[w]
                changed = True
        if changed:
            block.chunks[row // ROWS] = 1
            changes += 1
    return changes


@compiled  # type: ignore[untyped-decorator]
def step_aside(lanes: Any, profile: Any, group: Any, row: int, sets: Any, moving: Any, left: Any) -> None:
    """Take from `left` the positions of a row in which a step of the attacker to the side leaves `moving`."""
    width = lanes.width
    for line in range(width):
        here = sets[line]
        for place in range(width - 1):
            pair = here >> place & 3
            if pair == 1 or pair == 2:
                step = lanes.rank[here ^ (3 << place)] - lanes.rank[here]
                there, square = row + step * profile.stride[line], line * width + place + (2 - pair)
                for w in range(len(left)):
                    left[w] &= moving[there, w] | group.occupied[square, w]


@compiled  # type: ignore[untyped-decorator]
def bar(lanes: Any, group: Any, sets: Any, barred: Any) -> None:
    """Leave in `barred` the positions in which no step of an attacker with no piece in the last line is open."""
    width = lanes.width
    for line in range(width - 1):
        here = sets[line]
        for place in range(width):
            if here >> place & 1 and not sets[line + 1] >> place & 1:
                for w in range(len(barred)):
                    barred[w] &= group.occupied[(line + 1) * width + place, w]
        for place in range(width - 1):
            pair = here >> place & 3
            if pair == 1 or pair == 2:
                for w in range(len(barred)):
                    barred[w] &= group.occupied[line * width + place + (2 - pair), w]


@compiled  # type: ignore[untyped-decorator]
def count_positions(lanes: Any, profile: Any, group: Any, plane: Any) -> int:
    """Return the number of bits set in rows of placements that do not overlap the attacker's."""
    total = 0
    sets, left = np.zeros(lanes.width + 1, np.int64), np.empty(plane.shape[1], np.uint64)
    for row in range(plane.shape[0]):
        copy_sets(profile, row, sets)
        left[:] = plane[row]
        clear_overlaps(lanes, group, sets, left)
        for w in range(len(left)):
            total += count(np.int64(left[w]))
    return total
