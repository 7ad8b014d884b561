"""The text of a position: a game's id, its chosen options, a slash, and the fields of the state."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping, Sequence

from .errors import BadPosition
from .options import Option, Value
from .state import Fields

MAX_POSITION_CHARS = 16_384  # beyond them reading takes long


def format_position(id: str, options: Mapping[str, Value], s: Fields, unseen: Collection[str] = ()) -> str:
    """Return a position as one line of text, which the other functions here read.

    Fields that are `unseen` are written as "?". Such a text is not read.
    """
    chosen = [f"{name}={_escape(value)}" for name, value in options.items()]
    written = [name for name in s.ranges if name not in s.optional or getattr(s, name)]
    fields = [f"{name}={'?' if name in unseen else _join(getattr(s, name))}" for name in written]
    return shlex.join([id, *chosen, "/", *fields])


def split_position(text: str) -> tuple[str, dict[str, str], dict[str, str]]:
    """Return the id, the options and the fields of a position's text. Raises BadPosition."""
    if not isinstance(text, str):
        raise BadPosition(f"a position is text, not {text!r:.80}")
    if len(text) > MAX_POSITION_CHARS:
        raise BadPosition(f"a position has at most {MAX_POSITION_CHARS} characters, not {len(text)}")
    try:
        id, *words = shlex.split(text)
        split = words.index("/")
    except ValueError:
        raise BadPosition(
            f"a position is a game's id, options, a slash and fields, as in position.key(); not {text!r:.80}"
        ) from None
    return id, _values_by_name(words[:split]), _values_by_name(words[split + 1 :])


def parse_options(offered: Sequence[Option], texts: Mapping[str, str]) -> dict[str, object]:
    """Return the values of options that were written by `format_position`."""
    parsers = {option.name: option.parse for option in offered}
    return {name: parsers.get(name, str)(_unescape(text)) for name, text in texts.items()}


def parse_fields(s: Fields, texts: Mapping[str, str]) -> None:
    """Write the fields into a new state. Raises BadPosition where they are not those of such a state."""
    needed = [name for name in s.ranges if name not in s.optional or name in texts]
    if list(texts) != needed:
        raise BadPosition(f"the fields must be {' '.join(needed)}, in this order; not {' '.join(texts):.80}")
    for name, text in texts.items():
        row = text.split(",")
        if not all(re.fullmatch(r"-?\d{1,20}", n, re.ASCII) for n in row):
            raise BadPosition(f"{name} must be whole numbers with commas between, not {text!r:.80}")
        length = s.ranges[name].length
        if len(row) != (length or 1):
            raise BadPosition(f"{name} has {len(row)} numbers, not {length or 1}")
        numbers = [int(n) for n in row]
        setattr(s, name, numbers if length else numbers[0])


def _values_by_name(words: Sequence[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadPosition(f"expected name=value, not {word!r:.80}")
        if name in values:
            raise BadPosition(f"{name:.80} is given twice")
        values[name] = value
    return values


def _escape(value: Value) -> str:
    """Return an option's value on one line.

    >>> _escape(True), _escape("ab\\ncd")
    ('true', 'ab\\\\ncd')
    """
    return str(value).lower() if isinstance(value, bool) else str(value).encode("unicode_escape").decode()


def _unescape(text: str) -> str:
    """Return the text of which `_escape` made one line.

    >>> _unescape("ab\\\\ncd")
    'ab\\ncd'
    """
    try:
        return text.encode("ascii").decode("unicode_escape")
    except UnicodeError:
        raise BadPosition(f"expected an option's value in ASCII, not {text!r:.80}") from None


def _join(value: int | list[int]) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
