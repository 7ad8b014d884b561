"""Proofs that one side can hold the other for ever with few placements of its own, found without solving the board.

Both sides cross a square board from line to line, with one piece fewer than it has lines; a piece steps on to the
next line, or to the side, and leaves the board behind the last line. The blocker keeps all pieces on the board and
makes few steps forward; the attacker does as the rules allow. The positions that the blocker can hold are the
greatest set in which every step of the attacker stays, and from which some step of the blocker does.

The attacker's progress never shrinks: so the set is found profile by profile, a profile being the numbers of the
attacker's pieces in each line, from the end of the game backwards. A step to the side keeps the profile. In a block
of one profile and one group of the blocker's placements the search starts with every position, and takes away until
nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np

from . import blockade_rows as rows
from .blockade_rows import HOME, OUTSIDE, ROWS, TOGETHER, Block, Group, Lanes, Profile, Scratch

Squares = int  # a set of squares, as the side that stands on them numbers them
Counts = tuple[int, int]  # positions held with the attacker to move, and with the blocker


def lanes_of(width: int, start: str, blocked: int) -> Lanes:
    """Return a board of any width; `blocked` is 1 if a player without a step wins, -1 if one loses, 0 for a pass."""
    masks = np.zeros((width + 1, comb(width, width // 2)), np.int64)
    rank = np.zeros(1 << width, np.int64)
    for n in range(width + 1):
        sets = sorted(sum(1 << place for place in chosen) for chosen in combinations(range(width), n))
        masks[n, : len(sets)] = sets
        rank[sets] = range(len(sets))
    square = np.arange(width * width)
    across = width * width - 1 - square if start == "facing" else square % width * width + square // width
    return Lanes(width, masks, rank, across, blocked)


def profiles_by_progress(width: int) -> list[list[tuple[int, ...]]]:
    """Return the profiles of up to width - 1 pieces, by progress; a piece off the board has made `width` steps.

    >>> profiles_by_progress(2)
    [[(1, 0)], [(0, 1)], [(0, 0)]]
    """
    layers: list[list[tuple[int, ...]]] = [[] for _ in range(width * (width - 1) + 1)]

    def place(line: int, left: int, so_far: tuple[int, ...]) -> None:
        if line == width:
            progress = sum(line * n for line, n in enumerate(so_far)) + width * left
            layers[progress].append(so_far)
            return
        for n in range(left, -1, -1):
            place(line + 1, left - n, (*so_far, n))

    place(0, width - 1, ())
    return layers


@lru_cache(maxsize=1024)
def strides_of(pieces: tuple[int, ...]) -> list[int]:
    """Return by line how far apart the numbers of two placements are whose sets there are neighbours.

    >>> strides_of((2, 0, 1))
    [3, 3, 1]
    """
    sizes = [comb(len(pieces), n) for n in pieces]
    return [prod(sizes[line + 1 :]) for line in range(len(pieces))]


def profile_of(lanes: Lanes, pieces: tuple[int, ...]) -> Profile:
    """Return the placements of a profile, numbered."""
    width = lanes.width
    sizes, stride = [comb(width, n) for n in pieces], strides_of(pieces)
    places = np.zeros((prod(sizes), width + 1), np.int16)
    for line, n in enumerate(pieces):
        digits = np.repeat(lanes.masks[n, : sizes[line]], stride[line])
        places[:, line] = np.tile(digits, prod(sizes[:line]))
    return Profile(np.array(pieces), np.array(stride), places)


@dataclass(frozen=True)
class Blockers:
    """The placements that a blocker uses, in groups of equal progress, and its steps between them."""

    sets: list[list[Squares]]  # by group, as the blocker sees them
    groups: list[Group]
    words: list[int]  # of a row of each group

    @property
    def offsets(self) -> list[int]:
        """The first word of each group in a row of all, and the end."""
        return [sum(self.words[:i]) for i in range(len(self.words) + 1)]


def few_steps(lanes: Lanes, forward_steps: int | None) -> list[Squares]:
    """Return the placements of a blocker: all pieces on the board, at most so many steps made; all without a limit."""
    width = lanes.width
    found = []
    for layer in profiles_by_progress(width)[: None if forward_steps is None else forward_steps + 1]:
        for pieces in layer:
            if sum(pieces) == width - 1 or (forward_steps is None and any(pieces)):
                places = profile_of(lanes, pieces).places.astype(object)
                found += [sum(line << width * i for i, line in enumerate(row)) for row in places]
    return found


def wall(width: int) -> list[Squares]:
    """Return the nine placements that hold any board of facing sides from 6 x 6 on.

    Two pieces stand in the second line, on the third and fourth place. Behind them one piece goes to and fro. At
    each end of the first line another does so where an attacker is before it; the pieces between stay.
    """
    start = {(0, place) for place in range(width - 1)}
    covers = {(1, 2), (1, 3)}
    building = [start, start - {(0, 3)} | {(1, 3)}, start - {(0, 2), (0, 3)} | covers]
    fixed = covers | {(0, place) for place in range(4, width - 2)}
    standing = [
        fixed | {(0, left), (0, middle), (0, right)}
        for left, right in ((0, width - 2), (1, width - 2), (1, width - 1))
        for middle in (2, 3)
    ]
    return [sum(1 << width * line + place for line, place in squares) for squares in building + standing]


def progress_of(width: int, squares: Squares) -> int:
    """Return the steps forward that a side has made."""
    on_board = [i // width for i in range(width * width) if squares >> i & 1]
    return sum(on_board) + width * (width - 1 - len(on_board))


def steps_from(width: int, squares: Squares) -> Iterator[tuple[Squares, int]]:
    """Yield the placements one step on, with the square that must be free (width * width for none)."""
    for square in range(width * width):
        if not squares >> square & 1:
            continue
        line, place = divmod(square, width)
        rest = squares ^ 1 << square
        if line == width - 1:
            yield rest, width * width
        for to, fits in (
            (square - 1, place > 0),
            (square + 1, place < width - 1),
            (square + width, line < width - 1),
        ):
            if fits and not squares >> to & 1:
                yield rest | 1 << to, to


def blockers_of(lanes: Lanes, placements: Iterable[Squares]) -> Blockers:
    """Group these placements of a blocker by progress; those that fit into one word are a single group."""
    ordered = sorted(placements)
    if len(ordered) <= 64:
        sets = [ordered]
    else:
        by_progress: dict[int, list[Squares]] = {}
        for squares in ordered:
            by_progress.setdefault(progress_of(lanes.width, squares), []).append(squares)
        sets = [by_progress.get(progress, []) for progress in range(max(by_progress) + 1)]
    groups = [group_of(lanes, *pair) for pair in zip(sets, [*sets[1:], []], strict=True)]
    return Blockers(sets, groups, [max(1, -(-len(group) // 64)) for group in sets])


def group_of(lanes: Lanes, group: list[Squares], onward: list[Squares]) -> Group:
    """Return a group of placements, and its steps numbered."""
    width, size = lanes.width, len(group)
    number = {squares: i for i, squares in enumerate(group)}
    number |= {squares: size + i for i, squares in enumerate(onward)} | {0: HOME}
    first, to, target, can_block = [0], list[int](), list[int](), list[bool]()
    seen = [*lanes.across.tolist(), width * width]
    for squares in group:
        steps = list(steps_from(width, squares))
        to += [number.get(after, OUTSIDE) for after, _ in steps]
        target += [seen[square] for _, square in steps]
        first.append(len(to))
        targets = {square for _, square in steps}
        can_block.append(len(targets) < width and width * width not in targets)
    bits = np.zeros((width * width + 1, 64 * max(1, -(-size // 64))), np.uint8)
    for i, squares in enumerate(group):
        bits[-1, i] = 1
        for square in range(width * width):
            bits[seen[square], i] = squares >> square & 1
    packed = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
    numbers = [np.array(column, np.int64) for column in (first, to, target)]
    return Group(packed[:-1], packed[-1], numbers[0], numbers[1], numbers[2], np.array(can_block))


class Search:
    """The search for the positions that some placements of the blocker hold."""

    def __init__(self, lanes: Lanes, blockers: Blockers) -> None:
        self.lanes: Lanes = lanes
        self.blockers: Blockers = blockers
        self.rounds: int = 0  # the most that a block took
        columns = [np.zeros((64 * words, TOGETHER), np.uint64) for words in blockers.words]
        there = np.zeros((lanes.width**2 + 1, TOGETHER), np.uint64)
        self._scratch = [Scratch(turned, np.zeros_like(turned), there) for turned in columns]

    def hold(
        self, pieces: tuple[int, ...], ahead: Callable[[tuple[int, ...]], Iterable[Any]]
    ) -> tuple[list[Any], list[Any]]:
        """Return the positions held with this profile of the attacker: those waiting, and those moving, by group.

        `ahead` gives those moving of a profile one step further on.
        """
        profile = profile_of(self.lanes, pieces)
        planes = [np.empty((len(profile.places), words), np.uint64) for words in self.blockers.words]
        stuck = np.zeros((len(planes), len(profile.places)), np.uint8)
        for group, base, marks in zip(self.blockers.groups, planes, stuck, strict=True):
            rows.begin(self.lanes, profile, group, base, marks)
        for line, n in enumerate(pieces):
            if n:
                after = tuple(m + (i == line + 1) - (i == line) for i, m in enumerate(pieces))
                self._step_ahead(profile, line, after, ahead, planes)
        moving = self.replies(pieces, planes, stuck, shrinking=True)
        return planes, moving

    def _step_ahead(
        self, profile: Profile, line: int, after: tuple[int, ...], ahead: Any, planes: list[Any]
    ) -> None:
        if not any(after):  # the attacker is home
            for base in planes:
                base[:] = 0
            return
        onward, there = np.array(strides_of(after)), ahead(after)
        for group, moving, base in zip(self.blockers.groups, there, planes, strict=True):
            rows.step_ahead(self.lanes, profile, group, line, onward, moving, base)

    def replies(
        self, pieces: tuple[int, ...], planes: list[Any], stuck: Any = None, shrinking: bool = False
    ) -> list[Any]:
        """Return the positions with the blocker to move from which a step leads to those waiting.

        When `shrinking`, take positions from those waiting until each step of the attacker leads to such a one.
        """
        profile = profile_of(self.lanes, pieces)
        if stuck is None:
            stuck = np.zeros((len(planes), len(profile.places)), np.uint8)
        result: list[Any] = [None] * len(planes)
        beyond, size_beyond = np.zeros((len(profile.places), 1), np.uint64), 0
        for i in reversed(range(len(planes))):
            group, waiting = self.blockers.groups[i], planes[i]
            size = len(group.first) - 1
            chunks = np.ones(-(-len(waiting) // ROWS), np.uint8)
            leaving = np.zeros((len(chunks), size, TOGETHER), np.uint64)
            rows.replies_out(self.lanes, profile, group, size_beyond, beyond, leaving)
            block = Block(
                waiting, np.zeros_like(waiting), leaving, stuck[i], np.ones(len(waiting), np.uint8), chunks
            )
            scratch = self._scratch[i]
            rows.reply(self.lanes, profile, group, block, scratch)
            block.rows[:] = 1
            rounds = 1
            while shrinking and rows.shrink(self.lanes, profile, group, block):
                rows.reply(self.lanes, profile, group, block, scratch)
                rounds += 1
            self.rounds = max(self.rounds, rounds)
            result[i], beyond, size_beyond = block.moving, waiting, size
        return result

    def counts(self, pieces: tuple[int, ...], waiting: list[Any], moving: list[Any]) -> Counts:
        """Count the positions held with this profile."""
        profile = profile_of(self.lanes, pieces)
        first, second = (
            sum(
                rows.count_positions(self.lanes, profile, group, plane)
                for group, plane in zip(self.blockers.groups, planes, strict=True)
            )
            for planes in (waiting, moving)
        )
        return first, second
