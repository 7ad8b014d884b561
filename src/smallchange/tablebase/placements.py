"""All placements of one side's pieces, in the order of a solver, and the steps between them.

A placement is a set of squares, seen from its own side, so both sides have the same placements. They are
sorted by progress, the forward steps that were made: a step keeps progress or raises it by one. The last
placement is the empty one: a side that has no piece left has won.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from .compiled_solver import Kit


@dataclass(frozen=True)
class Placements:
    """The placements of a game's side, n of them, and its steps, m of them, if the other side has no pieces.

    The steps of placement i are numbers first_step[i] to first_step[i + 1] - 1.
    """

    squares: int  # on the board
    most: int  # pieces of a side
    blocked: int  # the value for a player who has no step: 1 wins, -1 loses, 0 passes
    sets: Any  # int64[n]: a bit for each square
    seen: Any  # int64[n]: the same squares as the other side numbers them
    progress: Any  # int64[n]
    first_step: Any  # int64[n + 1]
    to: Any  # int32[m]: the placement that a step makes
    target: Any  # int32[m]: the square that must be free for it; `squares` for none

    def __len__(self) -> int:
        return len(self.sets)

    @property
    def layers(self) -> Any:
        """The start of each layer of equal progress, and the end of the last: int64[layers + 1]."""
        return np.searchsorted(self.progress, np.arange(self.progress[-1] + 2))

    def occupying_rows(self, first: int, last: int) -> Any:
        """Rows of bits over placements first..last - 1 of the other side: which of them occupy a square.

        uint64[squares + 1, words]; the last row is empty.
        """
        words = -(-(last - first) // 64)
        rows = np.zeros((self.squares + 1, 8 * words), np.uint8)
        for square in range(self.squares):
            bits = np.packbits((self.seen[first:last] >> square & 1).astype(np.uint8), bitorder="little")
            rows[square, : len(bits)] = bits
        return rows.view(np.uint64)


def placements(kit: Kit) -> Placements:
    """List the placements of a side, and take every step from each by the compiled rules."""
    index, board = kit.index, kit.game.board
    squares, most = index.board_squares(board), index.most_coins(board)
    sets = np.array(all_sets(squares, most), np.int64)
    after, to_go = np.empty((len(sets), kit.game.rules.MOST), np.int64), np.empty(len(sets), np.int64)
    kit.code.side_steps(kit.boards, kit.states(), kit.out(), sets, after, to_go)
    order = np.lexsort((sets, -to_go))
    sets, after, to_go = sets[order], after[order], to_go[order]
    ranks = SetRanks(squares, most)
    by_set = np.argsort(sets)
    real = after >= 0
    target = after & ~sets[:, None]
    target_square = np.full(after.shape, squares, np.int32)
    target_square[target > 0] = np.log2(target[target > 0]).astype(np.int32)
    mirror = [index.flip_side(board, 1 << square) for square in range(squares)]
    seen = np.zeros_like(sets)
    for square, bit in enumerate(mirror):
        seen |= np.where(sets >> square & 1, bit, 0)
    return Placements(
        squares,
        most,
        index.blocked_value(board),
        sets,
        seen,
        to_go[0] - to_go,
        np.concatenate([[0], np.cumsum(real.sum(axis=1))]),
        by_set[ranks.of_all(after[real])].astype(np.int32),
        target_square[real],
    )


def all_sets(squares: int, most: int) -> list[int]:
    """All sets of up to `most` of so many squares, as bits.

    >>> all_sets(3, 2)
    [0, 1, 2, 4, 3, 5, 6]
    """
    bits = [1 << square for square in range(squares)]
    return [sum(chosen) for n in range(most + 1) for chosen in combinations(bits, n)]


class SetRanks:
    """The rank of a set among all sets of up to `most` of so many squares, which are ordered as numbers.

    It is looked up in two tables, one for each half of the squares.

    >>> SetRanks(3, 2).of_all(np.array([0b000, 0b001, 0b010, 0b011, 0b100, 0b101, 0b110])).tolist()
    [0, 1, 2, 3, 4, 5, 6]
    """

    def __init__(self, squares: int, most: int) -> None:
        self.half: int = squares // 2
        room = most - np.bitwise_count(np.arange(1 << squares - self.half)).astype(np.int64)
        fits = np.bitwise_count(np.arange(1 << self.half)) <= np.arange(most + 1)[:, None]
        # how many sets have each upper half
        sizes = np.where(room < 0, 0, fits.sum(axis=1)[np.maximum(room, 0)])
        self.first: Any = np.cumsum(sizes) - sizes
        self.room = room  # how many squares of the lower half may be taken
        self.lower: Any = np.where(fits, np.cumsum(fits, axis=1) - 1, -1).astype(np.int32)

    def of_all(self, sets: Any) -> Any:
        """Return the ranks of sets, which are among those that have one: int64[n] from int64[n]."""
        upper = sets >> self.half
        return self.first[upper] + self.lower[self.room[upper], sets & ~(-1 << self.half)]
