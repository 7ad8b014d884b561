"""Probe a tablebase: look a position up in a table of solved ones.

A table is an array of codes of `bits` bits, lowest bit first, one for each position as the game's `place`
numbers them.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.engine.compile.runtime_python import whole

if TYPE_CHECKING:
    from .calls import place

UNKNOWN = -40_000  # not in the table
DRAWN = 0  # d > 0 is a win with the d-th step, d < 0 a loss with the -d-th


class TablebaseView(NamedTuple):
    """A table of solved positions, as kernels read it; an empty `meaning` is no table."""

    codes: Any  # [bytes] of uint8, read only
    bits: int  # of a code
    meaning: Any  # [codes + 1] of int64: the value of each code; last, the number of positions
    rare: Any  # [r] of uint32, ascending: the positions with the highest code, which has no meaning
    rare_values: Any  # [r] of int16: their values


def probe(b: Any, s: Any, view: Any) -> int:
    """Return the value of a position to the player to move, or UNKNOWN."""
    codes = view.codes
    meaning = view.meaning
    rare = view.rare
    i = place(b, s)
    if i < 0 or i >= meaning[len(meaning) - 1]:
        return UNKNOWN
    first = i * view.bits >> 3
    word = whole(codes[first]) + 256 * whole(codes[first + 1]) + 65536 * whole(codes[first + 2])
    code = word >> (i * view.bits & 7) & ((1 << view.bits) - 1)
    if code < len(meaning) - 1:
        return meaning[code]
    low = 0
    high = len(rare) - 1
    while low < high:
        middle = (low + high) // 2
        if rare[middle] < i:
            low = middle + 1
        else:
            high = middle
    return whole(view.rare_values[low])  # type: ignore[return-value]  # a number of numpy's
