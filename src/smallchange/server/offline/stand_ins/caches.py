"""In the browser: `functools`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MOST = 4096  # entries of a cache, which is emptied then


def _key(given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    return (given, tuple(named.items())) if named else given


def cache(function: Callable[..., Any]) -> Callable[..., Any]:
    """Keep the results of a function."""
    known: dict[Any, Any] = {}

    def ask(*given: Any, **named: Any) -> Any:
        key = _key(given, named)
        if key not in known:
            if len(known) >= MOST:
                known.clear()
            known[key] = function(*given, **named)
        return known[key]

    return ask


def lru_cache(maxsize: object = None) -> Callable[..., Any]:
    """Keep the results of a function."""
    return cache


class cached_property:
    """A property that is computed once."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.name = function.__name__

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.function(instance)
        return value
