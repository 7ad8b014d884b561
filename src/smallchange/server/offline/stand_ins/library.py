"""In the browser: what the package needs of some modules of Python's library (`browser_modules.py` lists them)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any


class StrEnum:
    """A class whose texts are objects with a `value`."""

    def __init_subclass__(cls) -> None:
        properties = {name: value for name, value in cls.__dict__.items() if isinstance(value, property)}
        member = type("_Member", (_Member,), properties)
        for name, value in list(cls.__dict__.items()):
            if isinstance(value, str) and not name.startswith("_"):
                setattr(cls, name, member(value))


class IntEnum:
    """A class whose numbers stay numbers."""


class _Member(str):
    @property
    def value(self) -> str:
        return str(self)


class Counter(dict):
    """The numbers of things."""

    def __init__(self, things: Iterable[Any] = ()) -> None:
        for thing in things:
            self[thing] = self.get(thing, 0) + 1

    def __missing__(self, thing: Any) -> int:
        return 0


def import_module(name: str) -> Any:
    """Return a module by its name."""
    return __import__(name, fromlist=["*"])


def escape(text: str) -> str:
    """Escape text for markup."""
    for letter, sign in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;")):
        text = text.replace(letter, sign)
    return text


def groupby(things: Iterable[Any], key: Callable[[Any], Any] = lambda thing: thing) -> Iterator[Any]:
    """Yield runs of things with equal keys."""
    groups: list[Any] = []
    for thing in things:
        what = key(thing)
        if groups and groups[-1][0] == what:
            groups[-1][1].append(thing)
        else:
            groups.append((what, [thing]))
    return iter(groups)


def count(start: int = 0) -> Iterator[int]:
    """Yield the numbers from `start` on."""
    while True:
        yield start
        start += 1


def attrgetter(*names: str) -> Callable[[Any], Any]:
    """Return a function that takes an attribute of a thing, or several as a tuple."""
    if len(names) == 1:
        return lambda thing: getattr(thing, names[0])
    return lambda thing: tuple([getattr(thing, name) for name in names])


def copy(thing: Any) -> Any:
    """Return a copy of an object with the same attributes."""
    made = object.__new__(type(thing))
    made.__dict__.update(thing.__dict__)
    return made


class suppress:
    """A block that ends quietly at one of these errors."""

    def __init__(self, *errors: type[BaseException]) -> None:
        self.errors = errors

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        return kind is not None and issubclass(kind, self.errors)
