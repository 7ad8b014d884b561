"""A state as a row of zeros and ones, for a learner.

The row follows from the declaration of the State alone. Field by field, number by number:

- a mask is unpacked: one entry for each bit of its upper bound, 1 where the element is in the set;
- a number with at most MAX_ONE_HOT values is one-hot: one entry for each value from `low` to `high`;
- any other number is the binary digits of its distance from `low`, the least first.

Nothing is lost: `fields_of` turns the row back into the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .state import Fields, Range

__all__ = ["ObservedField", "fields_of", "observation_size", "observe", "observed_fields"]

MAX_ONE_HOT = 32  # values of a number that is written one-hot; one of more values is written in binary


class ObservedField(NamedTuple):
    """The entries of one field: `start` and on, `length` numbers of `width` entries each.

    `coding` is "mask", "one-hot" or "binary". `low` and `high` are the bounds of the field's numbers.
    """

    name: str
    start: int
    length: int
    width: int
    coding: str
    low: int
    high: int


_KNOWN: dict[type, tuple[ObservedField, ...]] = {}


def observed_fields(state_type: type[Fields]) -> tuple[ObservedField, ...]:
    """Return the fields of an observation in their order.

    >>> from smallchange.core.state import mask, number
    >>> class State(Fields):
    ...     turn: int = number(-2, 1)
    ...     coins: int = mask(0b111)
    >>> [(field.name, field.start, field.width, field.coding) for field in observed_fields(State)]
    [('turn', 0, 4, 'one-hot'), ('coins', 4, 3, 'mask')]
    """
    if state_type in _KNOWN:
        return _KNOWN[state_type]
    fields, start = [], 0
    for name, bounds in state_type.ranges.items():
        coding, width = _coding(bounds)
        field = ObservedField(name, start, bounds.length or 1, width, coding, bounds.low, bounds.high)
        fields.append(field)
        start += field.length * field.width
    return _KNOWN.setdefault(state_type, tuple(fields))


def _coding(bounds: Range) -> tuple[str, int]:
    """Return how a number within these bounds is written, and in how many entries."""
    if bounds.is_mask:
        return "mask", bounds.high.bit_length()
    values = bounds.high - bounds.low + 1
    return ("one-hot", values) if values <= MAX_ONE_HOT else ("binary", (values - 1).bit_length())


def observation_size(state_type: type[Fields]) -> int:
    """Return the number of entries of an observation."""
    last = observed_fields(state_type)[-1]
    return last.start + last.length * last.width


def observe(s: Fields) -> list[int]:
    """Return the observation of a state, each entry 0 or 1."""
    entries = [0] * observation_size(type(s))
    for field in observed_fields(type(s)):
        value = getattr(s, field.name)
        for i, number in enumerate(value if type(value) is list else (value,)):
            start, rest = field.start + i * field.width, number - field.low
            if field.coding == "one-hot":
                entries[start + rest] = 1
                continue
            while rest:
                entries[start + (rest & -rest).bit_length() - 1] = 1
                rest &= rest - 1
    return entries


def fields_of(state_type: type[Fields], entries: Sequence[int]) -> Fields:
    """Return the state that an observation shows."""
    s = state_type()
    for field in observed_fields(state_type):
        numbers = []
        for i in range(field.length):
            start = field.start + i * field.width
            digits = entries[start : start + field.width]
            if field.coding == "one-hot":
                numbers.append(field.low + list(digits).index(1))
            else:
                numbers.append(field.low + sum(1 << k for k, digit in enumerate(digits) if digit))
        setattr(s, field.name, numbers if state_type.ranges[field.name].length else numbers[0])
    return s
