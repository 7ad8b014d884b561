"""Markup in parts, so that a page is sent the changed parts alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Union

KEPT = '<g id="{id}" data-kept=""></g>'  # `static/dom.js` leaves the element with this id as it is


class Part(NamedTuple):
    """An element whose parts can change one by one: its opening, its parts by their ids, and its closing."""

    open: str
    inner: Mapping[str, Markup]
    close: str


Markup = Union[str, Part]  # noqa: UP007 (a class that names it)


def whole(part: Markup) -> str:
    """Return a part as markup.

    >>> whole(Part("<ul>", {"a": "<li id=a>1</li>", "b": "<li id=b>2</li>"}, "</ul>"))
    '<ul><li id=a>1</li><li id=b>2</li></ul>'
    """
    if isinstance(part, str):
        return part
    return f"{part.open}{''.join([whole(inner) for inner in part.inner.values()])}{part.close}"


def changes(before: Mapping[str, Markup], now: Mapping[str, Markup]) -> dict[str, str]:
    """By id: the smallest parts that differ. One that differs around its own parts has marks for those that stay.

    >>> first = Part("<ul>", {"a": "<li id=a>1</li>", "b": "<li id=b>2</li>"}, "</ul>")
    >>> second = first._replace(inner={**first.inner, "b": "<li id=b>3</li>"})
    >>> changes({"list": first}, {"list": second})
    {'b': '<li id=b>3</li>'}
    >>> third = first._replace(inner={"b": first.inner["b"], "c": "<li id=c>"})
    >>> changes({"list": first}, {"list": third})
    {'list': '<ul><g id="b" data-kept=""></g><li id=c></ul>'}
    """
    found: dict[str, str] = {}
    for id, part in now.items():
        was = before.get(id)
        if was is part:
            continue
        if not isinstance(was, Part) or not isinstance(part, Part):
            if was != part:
                found[id] = whole(part)
        elif was[::2] == part[::2] and list(was.inner) == list(part.inner):
            found |= changes(was.inner, part.inner)
        else:
            stay = {id: KEPT.format(id=id) for id, one in part.inner.items() if was.inner.get(id) == one}
            found[id] = whole(part._replace(inner={**part.inner, **stay}))
    return found
