"""Numbers, percentages and dates as each language writes them, by CLDR through Babel."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from copy import copy
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from .text import Text

if TYPE_CHECKING:
    from babel import Locale  # imported late: commands that write no number start without it

_COUNTRY = {"en": "en_GB"}  # whose spelling our English has


class _FormattedText(Text):
    """A value that each language writes in its own way."""

    __slots__ = ("_value", "_write")

    def __init__(self, value: Hashable, write: Callable[[Any, Locale], str]) -> None:
        super().__init__("")
        self._value, self._write = value, write

    def _speak(self, lang: str) -> str:
        return self._write(self._value, _locale(lang))

    def _key(self) -> Hashable:
        return self._value, self._write


def number(value: int) -> Text:
    """Return a whole number with its thousands apart.

    >>> number(12345), number(12345)["de"]
    (Text('12,345'), '12.345')
    """
    return _FormattedText(value, _number)


def decimal(value: str) -> Text:
    """Return a number with as many decimals as this text of it in ASCII has.

    >>> decimal("0.050"), decimal("1234.5")["de"]
    (Text('0.050'), '1.234,5')
    """
    return _FormattedText(value, _decimal)


def quarters(n: int) -> str:
    """Return a number of quarters with its fraction, as tables of results have it in every language.

    >>> quarters(14), quarters(2), quarters(8), quarters(0)
    ('3½', '½', '2', '0')
    """
    whole, part = divmod(n, 4)
    return f"{whole or '' if part else whole}{('', '¼', '½', '¾')[part]}"


def percent(hundredths: str) -> Text:
    """Return a percentage with as many decimals as this text of it in ASCII has.

    >>> percent("5.70"), percent("5.70")["de"], percent("41")["ja"]
    (Text('5.70%'), '5,70\\xa0%', '41%')
    """
    return _FormattedText(hundredths, _percent)


def clock_digits(ms: int) -> str:
    """Return a duration in milliseconds as a digital clock shows it: seconds that have begun count.

    >>> clock_digits(0), clock_digits(9_400), clock_digits(303_000), clock_digits(3_723_000)
    ('0:00', '0:10', '5:03', '1:02:03')
    """
    seconds = -(-ms // 1000)
    hours, minutes = seconds // 3600, seconds // 60 % 60
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


def day(value: date) -> Text:
    """Return a day with its month in letters.

    >>> day(date(2026, 11, 5)), day(date(2026, 11, 5))["ja"]
    (Text('5 Nov 2026'), '2026年11月5日')
    """
    return _FormattedText(date(value.year, value.month, value.day), _day)


def day_at(ms: int) -> Text:
    """Return the day in UTC of a time in milliseconds since 1970, as `day` does.

    >>> day_at(86_400_000)
    Text('2 Jan 1970')
    """
    return day(datetime.fromtimestamp(ms / 1000, UTC))


@cache
def _locale(lang: str) -> Locale:
    from babel import Locale

    return Locale.parse(_COUNTRY.get(lang, lang))


def _number(value: int, locale: Locale) -> str:
    from babel.numbers import format_decimal

    return format_decimal(value, locale=locale)


def _decimal(value: str, locale: Locale) -> str:
    decimals = len(value.partition(".")[2])
    pattern = copy(locale.decimal_formats[None])
    pattern.frac_prec = (decimals, decimals)
    written: str = pattern.apply(Decimal(value), locale)
    return written


def _percent(hundredths: str, locale: Locale) -> str:
    decimals = len(hundredths.partition(".")[2])
    pattern = copy(locale.percent_formats[None])
    pattern.frac_prec = (decimals, decimals)
    written: str = pattern.apply(Decimal(hundredths) / 100, locale)
    return written


def _day(value: date, locale: Locale) -> str:
    from babel.dates import format_skeleton

    return format_skeleton("yMMMd", value, locale=locale)
