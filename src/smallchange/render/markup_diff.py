"""Markup in parts, so that a page is sent the changed parts alone."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import NamedTuple

NOTHING: Mapping[str, Markup] = {}
NUMBERS = count(1)  # never given twice, as the identity of something that is gone would be


class Part(NamedTuple):
    """An element whose parts can change one by one: its opening, its parts by their ids, and its closing.

    One whose parts were replaced has a `number` of its own. It comes `after` the element with that number, of which it
    has all parts but the `fresh` ones. 0 stands for no number.
    """

    open: str
    inner: Mapping[str, Markup]
    close: str
    number: int = 0
    after: int = 0
    fresh: Mapping[str, Markup] = NOTHING

    def with_parts(self, inner: Mapping[str, Markup]) -> Part:
        """Return the element with these parts in place of those with their ids; itself if there are none."""
        if not inner:
            return self
        fresh = {id: inner[id] for id in filter(inner.__contains__, self.inner)}  # in their order
        return Part(self.open, {**self.inner, **inner}, self.close, next(NUMBERS), self.number, fresh)

    def follows(self, was: Part) -> bool:
        """Return whether it is known to differ from another by its fresh parts alone."""
        return self.after == was.number != 0


Markup = str | Part


def whole(part: Markup) -> str:
    """Return a part as markup.

    >>> whole(Part("<ul>", {"a": "<li id=a>1</li>", "b": "<li id=b>2</li>"}, "</ul>"))
    '<ul><li id=a>1</li><li id=b>2</li></ul>'
    """
    if isinstance(part, str):
        return part
    return f"{part.open}{''.join([whole(inner) for inner in part.inner.values()])}{part.close}"


def changes(before: Mapping[str, Markup], now: Mapping[str, Markup]) -> dict[str, str]:
    """By id: the smallest parts that differ, each whole. A part whose own parts come or go is sent whole.

    >>> first = Part("<ul>", {"a": "<li id=a>1</li>", "b": "<li id=b>2</li>"}, "</ul>")
    >>> second = first._replace(inner={**first.inner, "b": "<li id=b>3</li>"})
    >>> changes({"list": first}, {"list": second})
    {'b': '<li id=b>3</li>'}
    """
    found: dict[str, str] = {}
    for id, part in now.items():
        was = before.get(id)
        if was is part:
            continue
        if isinstance(was, Part) and isinstance(part, Part) and _same_around(was, part):
            if was.inner is not part.inner:
                found |= changes(was.inner, part.fresh if part.follows(was) else part.inner)
        elif was != part:
            found[id] = whole(part)
    return found


def _same_around(was: Part, part: Part) -> bool:
    if was.open != part.open or was.close != part.close:
        return False
    return was.inner is part.inner or part.follows(was) or list(was.inner) == list(part.inner)
