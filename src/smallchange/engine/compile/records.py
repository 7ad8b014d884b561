"""Convert plain objects to records of an array and back: the same names, fixed places."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np

from smallchange.core.state import Fields

F = TypeVar("F", bound=Fields)


class Record(np.record):  # type: ignore[misc]
    """A record whose fields come before attributes of the same name: `size` is a field of many boards."""

    def __getattribute__(self, name: str) -> Any:
        if name in np.void.__getattribute__(self, "dtype").names:
            return self[name]
        return super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def record_type(fields: type[Fields]) -> np.dtype[Any]:
    """Return the type of a record with these fields, aligned as in C.

    >>> from smallchange.core.state import number, numbers
    >>> class State(Fields):
    ...     turn: int = number(-2, 1)
    ...     coins: list[int] = numbers(2, 0, 1 << 36)
    >>> record_type(State).itemsize
    24
    """
    rows = [
        (name, f"i{field.bytes}", (field.length,)) if field.length else (name, f"i{field.bytes}")
        for name, field in fields.ranges.items()
    ]
    return np.dtype((Record, np.dtype(rows, align=True)))


def to_record(s: Any, record: Any) -> None:
    """Write the fields of a plain object, or of a record, into a record.

    OverflowError if a number does not fit its field.
    """
    for name in record.dtype.names:
        record[name] = getattr(s, name)


def records(plain: Fields) -> Any:
    """Return an array of one record with the values of a plain object.

    >>> import smallchange
    >>> board = smallchange.game(smallchange.games()[0]).board
    >>> records(board)[0].dtype == record_type(type(board))
    True
    """
    array = np.zeros(1, record_type(type(plain)))
    to_record(plain, array[0])
    return array


def words_of(states: Any) -> Any:
    """Return the bytes of an array of records as unsigned integers, a row for each record: a view.

    The integers are as wide as divides the size of a record, 8 bytes at most.
    """
    return states.view(f"u{math.gcd(states.itemsize, 8)}").reshape(len(states), -1)


def to_plain(fields: type[F], record: Any) -> F:
    """Return a plain object with a record's values."""
    plain = fields()
    for name, value in zip(fields.ranges, record.tolist(), strict=True):
        setattr(plain, name, value.tolist() if isinstance(value, np.ndarray) else value)
    return plain
