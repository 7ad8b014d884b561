"""Named fields of fixed size, for states and boards.

The same names serve a plain Python object (play, server, debugging) and one record of an array
(simulation, search). A class declares its fields with their bounds:

>>> class State(Fields):
...     turn: int = number(-2, 1)
...     dice: list[int] = numbers(4, 0, 5)
>>> s = State()
>>> s.dice[2] = 5
>>> s
State(turn=0, dice=[0, 0, 5, 0])
>>> State.ranges["dice"]
Range(low=0, high=5, length=4, is_mask=False)
>>> s.copy() == s
True
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, NamedTuple, Self

__all__ = [
    "CHANCE", "OVER", "Fields", "Range", "bit", "count", "lowest", "mask", "masks", "number", "numbers",
]  # fmt: skip

CHANCE = -1  # the seat of chance: its actions have odds instead of a will
OVER = -2  # nobody's turn: the game has ended


class Range(NamedTuple):
    """The bounds of one field; `length` is 0 for a single number, else that of a row of numbers.

    In a mask each bit of a number tells whether an element is in a set.
    """

    low: int
    high: int
    length: int
    is_mask: bool = False

    @property
    def bytes(self) -> int:
        """The bytes of a number of this range in a record: 2, 4 or 8.

        One byte is not used: a rule like `24 * s.place` would overflow it where Numba does not compile.

        >>> Range(-1, 24, 0).bytes, Range(0, 1 << 20, 0).bytes, Range(0, 1 << 36, 0).bytes
        (2, 4, 8)
        """
        for size in (2, 4):
            if -(1 << (8 * size - 1)) <= self.low and self.high < 1 << (8 * size - 1):
                return size
        return 8


def number(low: int, high: int) -> Any:
    """Declare a field for one integer from `low` to `high`, both included."""
    return Range(low, high, 0)


def numbers(length: int, low: int, high: int) -> Any:
    """Declare a field for a row of `length` integers, each from `low` to `high`."""
    return Range(low, high, length)


def mask(high: int) -> Any:
    """Declare a field for one set; the bits of `high` are the elements that it may have."""
    return Range(0, high, 0, is_mask=True)


def masks(length: int, high: int) -> Any:
    """Declare a field for a row of `length` sets; the bits of `high` are the elements that they may have."""
    return Range(0, high, length, is_mask=True)


class Fields:
    """A plain object with the fields that its class declares; all start at 0."""

    __slots__ = ("_hash",)
    ranges: ClassVar[dict[str, Range]]
    optional: ClassVar[tuple[str, ...]] = ()  # fields that the text of a position leaves out while they are 0
    _hash: int

    def __init_subclass__(cls) -> None:
        own = {k: v for k, v in vars(cls).items() if isinstance(v, Range)}
        cls.ranges = own or getattr(cls, "ranges", own)

    def __init__(self) -> None:
        for name, field in self.ranges.items():
            setattr(self, name, [0] * field.length if field.length else 0)

    def copy(self) -> Self:
        """Return an independent copy."""
        clone: Self = object.__new__(type(self))
        values = clone.__dict__
        for name, value in self.__dict__.items():
            values[name] = value[:] if type(value) is list else value
        return clone

    def violations(self) -> list[str]:
        """Describe each number that is outside its bounds."""
        found = []
        for name, (low, high, length, is_mask) in self.ranges.items():
            value = getattr(self, name)
            row = value if length else [value]
            if length and len(row) != length:
                found.append(f"{name} has {len(row)} numbers, not {length}")
            found += [f"{name} is {n}, outside {low}..{high}" for n in row if not low <= n <= high]
            if is_mask:
                found += [
                    f"{name} is {n}, with bits outside {high}" for n in row if low <= n <= high and n & ~high
                ]
        return found

    def __eq__(self, other: object) -> bool:
        if type(other) is type(self):
            return other.__dict__ == self.__dict__
        if not isinstance(other, Fields) or other.ranges is not self.ranges:
            return False
        return other._values() == self._values()  # one of them is frozen

    def _values(self) -> tuple[Any, ...]:
        return tuple(tuple(v) if type(v) is list else v for v in self.__dict__.values())

    def freeze(self) -> Self:
        """Refuse any change from now on, and compute the hash once; return the object."""
        rows = {name: tuple(value) for name, value in self.__dict__.items() if type(value) is list}
        self.__dict__.update(rows)
        self._hash = hash(self)
        self.__class__ = _frozen(type(self))  # type: ignore[arg-type]
        return self

    def __hash__(self) -> int:
        known: int | None = getattr(self, "_hash", None)
        if known is not None:
            return known
        return hash(self._values())

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.ranges)
        return f"{type(self).__name__}({inside})"


def _refuse(fields: Fields, name: str, value: object = None) -> None:
    raise AttributeError(f"{name} does not change: make another game")


def _freeze_again(fields: type[Fields], values: dict[str, Any]) -> Fields:
    """Make a frozen object from its class and its values, for pickle and copy."""
    made = object.__new__(fields)
    made.__dict__.update(values)
    return made.freeze()


@cache
def _frozen(fields: type[Any]) -> type[Any]:
    """Return a class of the same objects, which do not change."""
    own = {
        "__slots__": (),
        "__module__": fields.__module__,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__reduce__": lambda self: (_freeze_again, (fields, dict(self.__dict__))),
        "freeze": lambda self: self,
    }
    return type(fields.__name__, (fields,), own)


def bit(i: int) -> int:
    """Return the mask of element `i` alone.

    >>> bit(5)
    32
    """
    return 1 << int(i)


def lowest(mask: int) -> int:
    """Return the least element of a mask that is not empty.

    >>> lowest(0b1100)
    2
    """
    return (int(mask) & -int(mask)).bit_length() - 1


def count(mask: int) -> int:
    """Return the number of elements in a mask.

    >>> count(0b1101)
    3
    """
    return int(mask).bit_count()
