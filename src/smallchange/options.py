"""The options of a game: each has a name, a default and bounds, and says what it accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .errors import BadOption

Value = bool | int | str


@dataclass(frozen=True)
class Flag:
    """Yes or no.

    >>> Flag("stud", False).parse("true")
    True
    """

    name: str
    default: bool

    accepts = "true or false"

    def fits(self, value: object) -> bool:
        return isinstance(value, bool)

    def parse(self, text: str) -> Value:
        return {"true": True, "false": False}.get(text.lower(), text)


@dataclass(frozen=True)
class Whole:
    """A whole number within bounds, both included.

    >>> Whole("size", 6, 3, 6).accepts
    'a whole number from 3 to 6'
    """

    name: str
    default: int
    low: int
    high: int

    @property
    def accepts(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def fits(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high

    def parse(self, text: str) -> Value:
        digits = text.removeprefix("-")
        return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else text


@dataclass(frozen=True)
class OneOf:
    """One of a few words."""

    name: str
    default: str
    names: tuple[str, ...]

    @property
    def accepts(self) -> str:
        return "one of " + ", ".join(self.names)

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and value in self.names

    def parse(self, text: str) -> Value:
        return text


@dataclass(frozen=True)
class Drawing:
    """One of a few words, or a drawing; `read` raises a ValueError that says what is wrong with one."""

    name: str
    default: str
    names: tuple[str, ...]
    read: Callable[[str], object]

    @property
    def accepts(self) -> str:
        return "one of " + ", ".join(self.names) + ", or a drawing"

    def fits(self, value: object) -> bool:
        if not isinstance(value, str):
            return False
        if value not in self.names:
            self.read(value)
        return True

    def parse(self, text: str) -> Value:
        return text


Option = Flag | Whole | OneOf | Drawing


def complete(offered: Sequence[Option], chosen: Mapping[str, object]) -> dict[str, Value]:
    """Every option of a game with its value, in the game's order; BadOption names what is wrong."""
    names = [option.name for option in offered]
    for name in chosen:
        if name not in names:
            raise BadOption(f"unknown option {name!r}; the options are: {', '.join(names) or 'none'}")
    values: dict[str, Value] = {}
    for option in offered:
        value = chosen.get(option.name, option.default)
        try:
            fits = option.fits(value)
        except ValueError as wrong:
            raise BadOption(f"option {option.name!r}: {wrong}") from wrong
        if not fits:
            raise BadOption(f"option {option.name!r} must be {option.accepts}, not {value!r}")
        assert isinstance(value, (bool, int, str))
        values[option.name] = value
    return values
