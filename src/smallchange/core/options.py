"""The options of a game: each has a name, a default and bounds, and names the values that it accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from operator import index
from typing import TYPE_CHECKING

from smallchange.i18n.text import Text, join_texts, plain

from .canvas import Canvas
from .errors import BadDrawing, BadOption, abbreviate

if TYPE_CHECKING:
    from .protocols import Words

__all__ = [
    "ChosenOptions", "Drawing", "Flag", "OneOf", "Option", "Value", "Whole", "closest_name", "complete",
    "option_text",
]  # fmt: skip

Value = bool | int | str

YES_OR_NO = Text("true or false")
WHOLE = Text("a whole number from {low} to {high}")
ONE_OF = Text("one of {names}")
OR_DRAWN = Text("one of {names}, or a drawing")
MUST_BE = Text("must be {accepts}, not {value}")
QUOTED = Text("'{value}'", "a value that is refused")
EMPTY = Text("must be {accepts}")
CHOSEN = Text("{name}: {value}", "an option of a game")
NO = Text("no")
DID_YOU_MEAN = Text("{why}; did you mean {name}?")


@dataclass(frozen=True)
class Flag:
    """Yes or no.

    >>> Flag("stud", False).parse("true")
    True
    """

    name: str
    default: bool

    accepts = YES_OR_NO

    def fits(self, value: object) -> bool:
        """Return whether the option may have this value."""
        return isinstance(value, bool)

    def parse(self, text: str) -> Value:
        """Return the value that was typed, or the text itself if it is no value, for `fits` to refuse."""
        return {"true": True, "false": False}.get(text.lower(), text)


@dataclass(frozen=True)
class Whole:
    """A whole number within bounds, both included.

    >>> Whole("size", 6, 3, 6).accepts.en
    'a whole number from 3 to 6'
    """

    name: str
    default: int
    low: int
    high: int

    @property
    def accepts(self) -> Text:
        """The bounds in words."""
        return WHOLE.fill(low=self.low, high=self.high)

    def fits(self, value: object) -> bool:
        """Return whether the value is a whole number within the bounds."""
        return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high

    def parse(self, text: str) -> Value:
        """Return the number that was typed, or the text itself for `fits` to refuse."""
        digits = text.removeprefix("-")
        return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else text


@dataclass(frozen=True)
class OneOf:
    """One of a few words. With `any_order` a word is a set of letters, which may be in any order.

    >>> spell(OneOf("weapons", "SCA", ("SCA", "none"), any_order=True), "acs")
    'SCA'
    """

    name: str
    default: str
    names: tuple[str, ...]
    any_order: bool = False

    @property
    def accepts(self) -> Text:
        """The names in words."""
        return ONE_OF.fill(names=join_texts(map(plain, self.names)))

    def fits(self, value: object) -> bool:
        """Return whether the value is one of the names."""
        return value in self.names

    def parse(self, text: str) -> Value:
        """Return the text, which is the value."""
        return text


@dataclass(frozen=True)
class Drawing:
    """One of a few words, or a drawing.

    `read` raises BadDrawing, which names the fault of a drawing. `canvas` describes the drawing to an editor.
    """

    name: str
    default: str
    names: tuple[str, ...]
    read: Callable[[str], object]
    canvas: Canvas

    @property
    def accepts(self) -> Text:
        """The names, or a drawing, in words."""
        return OR_DRAWN.fill(names=join_texts(map(plain, self.names)))

    def fits(self, value: object) -> bool:
        """Return whether the value is a name or a good drawing; BadDrawing for a bad one."""
        if not isinstance(value, str):
            return False
        if value not in self.names:
            self.read(value)
        return True

    def parse(self, text: str) -> Value:
        """Return the text, which is the value."""
        return text


Option = Flag | Whole | OneOf | Drawing


class ChosenOptions(dict[str, Value]):
    """Every option of a game with its value. They do not change, because games are compared and hashed by them.

    >>> ChosenOptions(size=4)["size"] = 5
    Traceback (most recent call last):
    TypeError: the options of a game do not change: make another game
    """

    if not TYPE_CHECKING:

        def _refuse(self, *_, **__):
            raise TypeError("the options of a game do not change: make another game")

        __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse


def closest_name(value: object, names: Sequence[str]) -> str | None:
    """Return the name that a misspelt value most likely stands for, or None if it resembles none of them.

    >>> closest_name("Forst", ["forest", "frozen"]), closest_name("mud", ["forest", "frozen"])
    ('forest', None)
    """
    by_lower_case = {name.lower(): name for name in names}
    near = get_close_matches(str(value)[:40].strip().lower(), by_lower_case, 1)
    return by_lower_case[near[0]] if near else None


def spell(option: Option, value: object) -> object:
    """Return a value as the option spells it: names are taken in any case.

    >>> spell(OneOf("topology", "plane", ("plane", "torus")), "Torus")
    'torus'
    """
    if isinstance(option, Whole) and not isinstance(value, (bool, int)) and hasattr(value, "__index__"):
        return index(value)  # a number of numpy's
    if isinstance(option, OneOf | Drawing) and isinstance(value, str):
        lower = value.lower()
        for name in option.names:
            if lower == name.lower():
                return name
        for name in option.names if isinstance(option, OneOf) and option.any_order else ():
            if len(lower) == len(name) and sorted(lower) == sorted(name.lower()):
                return name
    return value


def _inside(value: object) -> str:
    """Return a text as Python writes it, without the quotation marks."""
    return repr(value)[1:-1]


def suggest(option: Option, value: object, why: Text) -> Text:
    """Return the reason why a value is refused, with the name that it resembles if there is one."""
    near = closest_name(value, option.names) if isinstance(option, OneOf | Drawing) and value else None
    return DID_YOU_MEAN.fill(why=why, name=plain(near)) if near else why


def complete(offered: Sequence[Option], chosen: Mapping[str, object]) -> dict[str, Value]:
    """Every option of a game with its value, in the game's order; BadOption names the fault."""
    names = [option.name for option in offered]
    for name in chosen:
        if name not in names:
            near = closest_name(name, names)
            guess = f"; did you mean {near!r}?" if near else ""
            accepted = ", ".join(names) or "none"
            raise BadOption(f"unknown option {abbreviate(name)}; the options are: {accepted}{guess}")
    values: dict[str, Value] = {}
    for option in offered:
        value = spell(option, chosen.get(option.name, option.default))
        name = option.name
        try:
            fits = option.fits(value)
        except BadDrawing as wrong:
            why = suggest(option, value, wrong.why)
            must_be = suggest(option, value, option.accepts)
            if str(value).replace("-", "").isalpha() and closest_name(value, getattr(option, "names", ())):
                unknown = f"no board has the name {value!r:.80}"
                raise BadOption(f"option {name!r}: {unknown}. It must be {must_be.en}", name, why) from wrong
            raise BadOption(f"option {name!r}: {wrong}. It must be {must_be.en}", name, why) from wrong
        if not fits:
            refusal = EMPTY if value == "" else MUST_BE
            why = refusal.fill(
                accepts=option.accepts,
                value=QUOTED.fill(value=abbreviate(value, _inside))
                if isinstance(value, str)
                else plain(abbreviate(value)),
            )
            why = suggest(option, value, why)
            raise BadOption(f"option {name!r} {why.en}", name, why)
        assert isinstance(value, (bool, int, str))
        values[option.name] = value
    return values


def option_text(words: Words, name: str, value: Value, drawn: Text | None = None) -> Text:
    """Say an option as it is chosen; of one that is drawn by hand `drawn`, or the name alone."""
    if value is True:
        return words.OPTIONS[name]
    if value is False:
        without: dict[str, Text] = getattr(words, "WITHOUT", {})
        return without.get(name) or CHOSEN.fill(name=words.OPTIONS[name], value=NO)
    said = words.CHOICES.get(value) or (drawn if isinstance(value, str) else plain(str(value)))
    return CHOSEN.fill(name=words.OPTIONS[name], value=said) if said else words.OPTIONS[name]
