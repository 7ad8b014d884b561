"""Stratified chance: rollouts that meet every combination of early throws in turn, instead of by luck.

The first STRATIFIED_STEPS chance steps of a rollout each take the upper or the lower half of what can come.
Which half, step by step, is a row of an orthogonal array (Rao, "Factorial experiments derivable from
combinatorial arrangements of arrays", 1947; here the words of the extended Hamming code): of 16 rollouts in a
row two meet each combination of any three of these steps, of 256 one each of all eight.
"""

from typing import TYPE_CHECKING, Any

from .playouts import action_at, total_weight
from .random_streams import below

if TYPE_CHECKING:
    from .calls import odds, source

STRATIFIED_STEPS = 8  # chance steps at the beginning of a rollout


def upper_half(rollout: int, step: int) -> int:
    """Return 1 where this chance step of a rollout takes the upper half of the outcomes, else 0."""
    bit = (rollout >> step) & 1
    if step >= 4:
        for i in range(4):
            if i != step - 4:
                bit ^= (rollout >> i) & 1
    return bit


def sample_stratified(b: Any, s: Any, rollout: int, step: int, scratch: Any) -> int:
    """Return the outcome of chance step number `step` of a rollout."""
    total = total_weight(scratch.weights, odds(b, s, scratch.actions, scratch.weights))
    point = below(scratch.streams, scratch.seats + source(b, s), total)
    if step < STRATIFIED_STEPS:
        point = (point + upper_half(rollout, step) * total) // 2
    return action_at(scratch.actions, scratch.weights, point)
