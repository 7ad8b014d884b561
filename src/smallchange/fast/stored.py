"""Looking a position up in a table of solved ones, in the dialect of the rules.

A table is an array of codes of `bits` bits, lowest bit first, one for each position as the game's `place`
numbers them. meaning[code] is the value; the highest code, which has none, is that of the positions in
`rare`, ascending, whose values are in `rare_values`. In the place of its meaning is the number of positions.
"""

from typing import TYPE_CHECKING, Any

from .twins import whole

if TYPE_CHECKING:
    from .calls import place

UNKNOWN = -40_000  # not in the table
DRAWN = 0  # d > 0 is a win with the d-th step, d < 0 a loss with the -d-th


def stored(b: Any, s: Any, codes: Any, bits: int, meaning: Any, rare: Any, rare_values: Any) -> int:
    """The value of a position to the player to move, or UNKNOWN."""
    i = place(b, s)
    if i < 0 or i >= meaning[len(meaning) - 1]:
        return UNKNOWN
    first = i * bits >> 3
    word = whole(codes[first]) + 256 * whole(codes[first + 1]) + 65536 * whole(codes[first + 2])
    code = word >> (i * bits & 7) & ((1 << bits) - 1)
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
    return whole(rare_values[low])  # type: ignore[return-value]  # a number of numpy's
