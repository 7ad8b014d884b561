"""The options of a game: each has a name, a default and bounds, and says what it accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .errors import BadDrawing, BadOption, brief
from .text import Text, listed, plain

Value = bool | int | str

YES_OR_NO = Text("true or false", "trueかfalse")
WHOLE = Text("a whole number from {low} to {high}", "{low}から{high}までの整数")
ONE_OF = Text("one of {names}", "{names}のどれか")
OR_DRAWN = Text("one of {names}, or a drawing", "{names}のどれか、または図")
MUST_BE = Text("must be {accepts}, not {value}", "{accepts}にしてください(「{value}」は使えません)")
EMPTY = Text("must be {accepts}", "{accepts}にしてください")


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
        """May the option have this value? Of every kind of option; a Drawing's raises BadDrawing too."""
        return isinstance(value, bool)

    def parse(self, text: str) -> Value:
        """The value that was typed; the text itself if it is none, for `fits` to refuse."""
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
        return WHOLE.fill(low=self.low, high=self.high)

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
    def accepts(self) -> Text:
        return ONE_OF.fill(names=listed(map(plain, self.names)))

    def fits(self, value: object) -> bool:
        return value in self.names

    def parse(self, text: str) -> Value:
        return text


@dataclass(frozen=True)
class Drawing:
    """One of a few words, or a drawing such as `example`; `read` raises BadDrawing, which says what is wrong
    with one."""

    name: str
    default: str
    names: tuple[str, ...]
    read: Callable[[str], object]
    example: str

    @property
    def accepts(self) -> Text:
        return OR_DRAWN.fill(names=listed(map(plain, self.names)))

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
            raise BadOption(f"unknown option {brief(name)}; the options are: {', '.join(names) or 'none'}")
    values: dict[str, Value] = {}
    for option in offered:
        value = chosen.get(option.name, option.default)
        name, accepts = option.name, option.accepts
        try:
            fits = option.fits(value)
        except BadDrawing as wrong:
            raise BadOption(f"option {name!r}: {wrong}. It must be {accepts.en}", name, wrong.why) from wrong
        if not fits:
            said = EMPTY if value == "" else MUST_BE
            why = said.fill(accepts=accepts, value=Text(brief(value), brief(value, str)))
            raise BadOption(f"option {name!r} {why.en}", name, why)
        assert isinstance(value, (bool, int, str))
        values[option.name] = value
    return values
