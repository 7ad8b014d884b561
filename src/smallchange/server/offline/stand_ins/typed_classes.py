"""In the browser: `typing`, `dataclasses` and `msgspec`.

`browser_modules.py` has replaced the annotations of each class by a tuple of their names, `__fields__`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any as Thing


class _Named:
    """A name that stands in annotations alone."""

    def __getitem__(self, key: object) -> _Named:
        return self

    def __call__(self, *args: object, **named: object) -> _Named:
        return self

    def __or__(self, other: object) -> _Named:
        return self

    __ror__ = __or__


Annotated = Any = ClassVar = Literal = Self = TypeGuard = _Named()
Meta = TypeVar = cast = _Named()
TYPE_CHECKING = False


class Protocol:
    """A base class that does nothing."""


class _Row(tuple):
    """A row whose entries have names."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()
    _defaults: dict[str, Thing]

    def __new__(cls, *given: Thing, **named: Thing) -> _Row:
        if not named and len(given) == len(cls._fields):
            return tuple.__new__(cls, given)
        values = list(given)
        for name in cls._fields[len(given) :]:
            values.append(named[name] if name in named else cls._defaults[name])
        return tuple.__new__(cls, values)

    def _replace(self, **changes: Thing) -> _Row:
        values = [changes.get(name, value) for name, value in zip(self._fields, self, strict=True)]
        return tuple.__new__(type(self), values)

    def _asdict(self) -> dict[str, Thing]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({inside})"


def _entry(i: int) -> property:
    return property(lambda row: tuple.__getitem__(row, i))


class _Rows(type):
    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Thing]) -> Thing:
        fields = tuple(body.pop("__fields__", ()))
        body["_defaults"] = {field: body.pop(field) for field in fields if field in body}
        body["_fields"] = fields
        for i, field in enumerate(fields):
            body[field] = _entry(i)
        return type(name, (_Row,), body)


NamedTuple = type.__new__(_Rows, "NamedTuple", (), {})


class _Default:
    def __init__(self, make: Callable[[], Thing]) -> None:
        self.make = make


def field(*, default: Any = None, default_factory: Any = None, **about: object) -> Thing:
    """Return the default of a field."""
    return default if default_factory is None else _Default(default_factory)


def _field_names(cls: type) -> list[str]:
    names: list[str] = []
    for base in reversed(cls.__mro__):
        names += [name for name in base.__dict__.get("__fields__", ()) if name not in names]
    return names


def _fill(self: Thing, names: list[str], given: tuple[Thing, ...], named: dict[str, Thing]) -> None:
    for i, name in enumerate(names):
        if i < len(given):
            value = given[i]
        elif name in named:
            value = named[name]
        else:
            value = getattr(type(self), name)
            if isinstance(value, _Default):
                value = value.make()
        setattr(self, name, value)


def _values(self: Thing) -> Iterator[Thing]:
    return (getattr(self, name) for name in _field_names(type(self)))


def dataclass(cls: Any = None, *, eq: bool = True, **about: object) -> Thing:
    """Make a class with fields. Nothing is frozen: the server's Python has checked that already."""
    if cls is None:
        return lambda decorated: dataclass(decorated, eq=eq)
    names = _field_names(cls)

    def begin(self: Thing, *given: Thing, **named: Thing) -> None:
        _fill(self, names, given, named)
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    def is_equal(self: Thing, other: object) -> bool:
        return type(self) is type(other) and tuple(_values(self)) == tuple(_values(other))

    def compute_hash(self: Thing) -> int:
        return hash(tuple(_values(self)))

    def describe(self: Thing) -> str:
        return f"{type(self).__name__}{tuple(_values(self))!r}"

    if "__init__" not in cls.__dict__:
        cls.__init__ = begin
    if eq and "__eq__" not in cls.__dict__:
        cls.__eq__ = is_equal
        if cls.__dict__.get("__hash__") is None:
            cls.__hash__ = compute_hash
    if "__repr__" not in cls.__dict__:
        cls.__repr__ = describe
    return cls


def replace(self: Thing, **changes: Thing) -> Thing:
    """Return a copy with other values in some fields."""
    names = _field_names(type(self))
    return type(self)(**{name: changes[name] if name in changes else getattr(self, name) for name in names})


class Struct:
    """A class with fields, made by their names."""

    def __init_subclass__(cls, **about: object) -> None:
        pass

    def __init__(self, *given: Thing, **named: Thing) -> None:
        _fill(self, _field_names(type(self)), given, named)
