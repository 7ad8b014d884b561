"""Markup in parts, so that a page is sent the changed parts alone, each as a template and the values in it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Union

NOTHING: Mapping[str, Markup] = {}
NUMBERS = count(1)  # never given twice, as the identity of something that is gone would be
SLOT = "\x1f"  # stands in a template for a value; no text has it
KEPT = f'<g id="{SLOT}" data-kept=""></g>'  # `static/dom.js` leaves the element with this id as it is
MAX_TEMPLATES = 4000  # that a reader is given; further ones are filled before they are sent


if TYPE_CHECKING:
    Slot = Union[str, int, "Filled", tuple["Slot", ...]]  # noqa: UP007 (a class that comes later)
else:
    Slot = Any


class Filled(NamedTuple):
    """A template, and the markup for its slots in their order. Without slots it is markup that comes often."""

    template: str
    slots: tuple[Slot, ...] = ()


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
        fresh = inner if len(inner) == 1 else {id: inner[id] for id in filter(inner.__contains__, self.inner)}
        return Part(self.open, {**self.inner, **inner}, self.close, next(NUMBERS), self.number, fresh)

    def follows(self, was: Part) -> bool:
        """Return whether it is known to differ from another by its fresh parts alone."""
        return self.after == was.number != 0


Markup = str | Filled | Part


def whole(part: Slot | Part) -> str:
    """Return a part as markup.

    >>> whole(Part("<ul>", {"a": "<li id=a>1</li>", "b": Filled(f"<li id=b>{SLOT}</li>", (2,))}, "</ul>"))
    '<ul><li id=a>1</li><li id=b>2</li></ul>'
    """
    if isinstance(part, str):
        return part
    if isinstance(part, Filled):
        first, *rest = part.template.split(SLOT) if part.slots else [part.template]
        return first + "".join([whole(slot) + text for slot, text in zip(part.slots, rest, strict=True)])
    if isinstance(part, Part):
        return f"{part.open}{''.join([whole(inner) for inner in part.inner.values()])}{part.close}"
    return "".join([whole(one) for one in part]) if isinstance(part, tuple) else str(part)


def changes(before: Mapping[str, Markup], now: Mapping[str, Markup]) -> dict[str, Markup]:
    """By id: the smallest parts that differ. A part whose own parts come or go has marks for those that stay.

    >>> first = Part("<ul>", {"a": "<li id=a>1</li>", "b": "<li id=b>2</li>"}, "</ul>")
    >>> second = first._replace(inner={**first.inner, "b": "<li id=b>3</li>"})
    >>> changes({"list": first}, {"list": second})
    {'b': '<li id=b>3</li>'}
    >>> third = first._replace(inner={"b": first.inner["b"], "c": "<li id=c>"})
    >>> whole(changes({"list": first}, {"list": third})["list"])
    '<ul><g id="b" data-kept=""></g><li id=c></ul>'
    """
    found: dict[str, Markup] = {}
    for id, part in now.items():
        was = before.get(id)
        if was is part:
            continue
        if not (isinstance(was, Part) and isinstance(part, Part) and was[0] == part[0] and was[2] == part[2]):
            if was != part:
                found[id] = part
        elif was.inner is part.inner:
            continue
        elif part.follows(was) or list(was.inner) == list(part.inner):
            found |= changes(was.inner, part.fresh if part.follows(was) else part.inner)
        else:
            found[id] = part._replace(inner={id: _news(id, was, one) for id, one in part.inner.items()})
    return found


def _news(id: str, was: Part, one: Markup) -> Markup:
    """Return a part that is new or has changed; of another, which has an id on the page, a mark that it stays."""
    return Filled(KEPT, (id,)) if one and was.inner.get(id) == one else one


class Templates:
    """The templates that readers were given, by which later markup is sent as numbers and values.

    Encoded, markup is text; a list that begins with a number, that of a template, and has what fills its slots; or a
    list of encoded markup, one after the other. `static/templates.js` reads it.

    >>> given = Templates()
    >>> given.encode(Filled(f"<b>{SLOT}</b>", ("one",))), given.encode((Filled(f"<b>{SLOT}</b>", (2,)), Filled("<hr>")))
    ([0, 'one'], [[0, 2], [1]])
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def after(self, known: int) -> list[str]:
        """Return the templates after the first `known` ones."""
        return list(islice(self._numbers, known, None)) if known < len(self._numbers) else []

    def encode(self, part: Slot | Part) -> Any:
        """Return markup in the encoded form. Templates that are new get the next numbers."""
        if type(part) is str or type(part) is int:
            return part
        if type(part) is Filled:
            template, slots = part
            number = self._numbers.get(template)
            if number is None:
                if len(self._numbers) >= MAX_TEMPLATES:
                    return whole(part)
                number = self._numbers[template] = len(self._numbers)
            encoded: list[Any] = [number]
            for slot in slots:  # a number or text stands as it is, without a call for each
                encoded.append(slot if type(slot) is str or type(slot) is int else self.encode(slot))
            return encoded
        if type(part) is Part:
            return [self.encode(Filled(part.open)), *map(self.encode, part.inner.values()), part.close]
        return [self.encode(one) for one in part]  # type: ignore[union-attr]
