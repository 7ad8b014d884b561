"""Looks ahead that meet in turn all that chance can bring at first, instead of whatever luck brings."""

from typing import TYPE_CHECKING, Any

from .drivers import holder, whole_weight
from .luck import below

if TYPE_CHECKING:
    from .calls import odds, source

EVEN = 8  # the first chance steps of a look, which are dealt out evenly


def upper(look: int, step: int) -> int:
    """1 where a chance step of a look, one of the first EVEN, takes the upper half of what can come, else 0.

    So looks meet in turn all that these steps can bring: of 16 in a row two each combination of any three
    steps, of 256 one each of all (an orthogonal array: Rao, "Factorial experiments derivable from
    combinatorial arrangements of arrays", 1947; here of the words of the extended Hamming code).
    """
    bit = (look >> step) & 1
    if step >= 4:
        for i in range(4):
            if i != step - 4:
                bit ^= (look >> i) & 1
    return bit


def thrown(b: Any, s: Any, look: int, step: int, chance: Any) -> int:
    """What chance brings at this step of a look."""
    out, weights, streams, seats = chance
    total = whole_weight(weights, odds(b, s, out, weights))
    rest = below(streams, seats + source(b, s), total)
    if step < EVEN:
        rest = (rest + upper(look, step) * total) // 2
    return holder(out, weights, rest)
